// Stands in for the compiler of Kabelsalat, the language of `K(...)`. It would have to compile text, and makes no events.
export class SalatRepl {
  evaluate() {
    return { compile: () => ({}) };
  }
}
