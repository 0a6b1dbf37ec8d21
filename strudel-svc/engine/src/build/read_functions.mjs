// Reads the sources of the pinned packages: which functions they define, with aliases, parameters and file.
// What is found here is a fact of the source. Whether a script can really use a name is known to the realm (names()).
import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'acorn';

const PACKAGES = [
  '@strudel/core', '@strudel/mini', '@strudel/tonal', '@strudel/draw', '@strudel/webaudio', '@strudel/soundfonts',
  '@strudel/xen', '@strudel/codemirror', 'superdough',
];

/**
 * Return `functions`: one entry each, {name, aliases, parameters, kind, file}, of which the first definition of a name
 * counts; and `documented`: the names that have a comment for the reference.
 */
export async function readFunctions(folder) {
  const found = new Map();
  const aliases = new Map();
  const documented = new Set();
  for (const name of PACKAGES) {
    for (const file of (await readdir(`${folder}/${name}`)).filter((file) => file.endsWith('.mjs')).sort()) {
      const code = await readFile(`${folder}/${name}/${file}`, 'utf8');
      const source = new Source(`${name.replace('@strudel/', '')}/${file}`, found, aliases);
      const onComment = (isBlock, text, start, end) => {
        if (isBlock && text.startsWith('*')) documented.add(subjectOf(text, code.slice(end, end + 120)));
      };
      source.visit(parse(code, { ecmaVersion: 2022, sourceType: 'module', onComment }));
    }
  }
  for (const [alias, name] of aliases) {
    const entry = found.get(name);
    if (entry && alias !== name && (!found.has(alias) || found.get(alias) === entry)) entry.aliases.add(alias);
  }
  const entries = [...new Set(found.values())].map((entry) => ({ ...entry, aliases: [...entry.aliases].sort() }));
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return { functions: entries, documented: [...documented].filter(Boolean).sort() };
}

const DECLARED = /^\s*(?:export\s+)?(?:async\s+)?(?:(?:const|let|function|class)\s+\{?\s*|Pattern\.prototype\.)?([A-Za-z]\w*)/;

/** Return what a comment describes: the name that it gives, or that of the declaration after it. */
const subjectOf = (comment, code) => comment.match(/@name\s+(\w+)/)?.[1] ?? code.match(DECLARED)?.[1];

class Source {
  constructor(file, found, aliases) {
    Object.assign(this, { file, found, aliases });
  }

  visit(node) {
    this[node.type]?.(node);
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (child?.type) this.visit(child);
    }
  }

  #add(kind, names, parameters) {
    const [name, ...others] = names;
    const known = this.found.get(name);
    if (known && !(known.kind === 'function' && kind !== 'function')) return;
    this.found.set(name, { name, aliases: new Set(known?.aliases), parameters, kind, file: this.file });
    for (const other of others) this.aliases.set(other, name);
  }

  CallExpression({ callee, arguments: args }) {
    const texts = args.map(textsOf);
    if (callee.name === 'register' && texts[0]?.length && args[1]?.params) {
      this.#add('method', texts[0], parametersOf(args[1]).slice(0, -1)); // the last one is the pattern
    } else if (callee.name === 'registerControl' && texts[0]?.length) {
      const values = args[0].type === 'ArrayExpression' ? texts[0] : [];
      this.#add('control', [texts[0][0], ...texts.slice(1).flat()], values.length ? values : ['value']);
    } else if (callee.name === 'registerMultiControl' && texts[0]?.length) {
      this.#addMultiControl(texts[0], args[1].value, texts.slice(2).flat());
    }
  }

  /** `fm` is also `fm1`, and there are `fm2` to `fm8`. */
  #addMultiControl(names, count, aliases) {
    const first = [names[0], ...aliases];
    this.#add('control', [...first, ...first.map((name) => `${name}1`)], names);
    for (let i = 2; i <= count; i += 1) this.#add('control', first.map((name) => `${name}${i}`), names.map((name) => `${name}${i}`));
  }

  AssignmentExpression({ left, right }) {
    if (left.type !== 'MemberExpression' || !isPrototype(left.object) || left.computed) return;
    if (right.params) this.#add('method', [left.property.name], parametersOf(right));
    else if (right.type === 'MemberExpression' && isPrototype(right.object)) this.aliases.set(left.property.name, right.property.name);
    else if (right.type === 'Identifier') this.aliases.set(left.property.name, right.name);
  }

  ClassDeclaration({ id, body }) {
    if (id?.name !== 'Pattern') return;
    for (const { key, value, kind, static: isStatic } of body.body) {
      if (kind === 'method' && !isStatic && key.name) this.#add('method', [key.name], parametersOf(value));
    }
  }

  ExportNamedDeclaration({ declaration }) {
    if (declaration?.type === 'FunctionDeclaration') this.#add('function', [declaration.id.name], parametersOf(declaration));
    for (const { id, init } of declaration?.declarations ?? []) {
      if (id.type !== 'Identifier' || !init) continue;
      if (init.params) this.#add('function', [id.name], parametersOf(init));
      else if (init.type === 'Identifier') this.aliases.set(id.name, init.name);
      else if (!['register', 'registerControl', 'registerMultiControl'].includes(init.callee?.name)) this.#add('value', [id.name], []);
    }
  }
}

const isPrototype = (node) =>
  node.type === 'MemberExpression' && node.property.name === 'prototype' && ['Pattern', 'strudel'].includes(node.object.name ?? 'strudel');

const textsOf = (node) =>
  node.type === 'ArrayExpression' ? node.elements.flatMap((item) => (item ? textsOf(item) : [])) : typeof node.value === 'string' ? [node.value] : [];

/** Return the names of parameters: `name`, `name=` if it has a default, `...name` if it takes the rest. */
const parametersOf = ({ params }) =>
  params.map((node) => {
    if (node.type === 'RestElement') return `...${node.argument.name ?? 'values'}`;
    if (node.type === 'AssignmentPattern') return `${node.left.name ?? 'options'}=`;
    return node.name ?? 'options';
  });
