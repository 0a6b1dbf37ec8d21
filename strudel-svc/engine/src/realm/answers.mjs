// How a realm or the render page answers: Consort calls a method by text and gets text back.
const { stringify } = JSON;

const messageOf = (error) => String(error?.message ?? error).slice(0, 1000);
export const succeeded = (result) => stringify({ ok: true, result });
export const failed = (error) => stringify({ ok: false, error: messageOf(error) });

/** Make a method that answers with the result of `action`, or with its error. */
export const answering =
  (action) =>
  (...values) => {
    try {
      return succeeded(action(...values));
    } catch (error) {
      return failed(error);
    }
  };

export const offer = (methods) => Object.defineProperty(globalThis, 'consort', { value: Object.freeze(methods) });
