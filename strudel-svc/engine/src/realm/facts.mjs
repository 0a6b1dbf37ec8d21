// Facts about a script from its syntax tree: statements, calls, strings with their mini-notation, free names.
// Positions are offsets into the script. The judgement on them is made elsewhere, in Consort.
import { getLeafLocation, mini2ast, patternifyAST } from '@strudel/mini';
import { parse } from 'acorn';

const MINI_OFF = /^\s*mini-off\s*$/;
const MINI_ON = /^\s*mini-on\s*$/;

export function factsOf(script) {
  const comments = [];
  let tree;
  try {
    tree = parse(script, { ecmaVersion: 2022, allowAwaitOutsideFunction: true, onComment: comments });
  } catch (error) {
    return { error: { message: error.message.replace(/ \(\d+:\d+\)$/, ''), offset: error.pos ?? 0 } };
  }
  const reader = new Reader(script, comments);
  tree.body.forEach((node, index) => reader.statement(node, index));
  return {
    statements: reader.statements,
    comments: comments.map(({ start, end, value, type }) => ({ start, end, text: value, is_block: type === 'Block' })),
    calls: reader.calls,
    strings: reader.strings,
    free_names: reader.names.filter(({ name }) => !reader.declared.has(name)),
    declared_names: [...reader.declared],
    declared_methods: [...reader.methods],
    variables: reader.variables,
    constant_assignments: reader.assignments.filter(({ name }) => reader.constants.has(name)),
  };
}

class Reader {
  statements = [];
  calls = [];
  strings = [];
  names = [];
  declared = new Set();
  minis = new Map();
  variables = []; // declared at the top, with their values
  constants = new Set();
  assignments = [];
  methods = new Set(); // that the script adds to patterns
  #depth = 0;
  #place = {}; // the statement, and the call and argument that contain the node

  constructor(script, comments) {
    this.script = script;
    this.off = [];
    for (const { value, start } of comments) {
      if (MINI_OFF.test(value)) this.off.push([start, script.length]);
      else if (MINI_ON.test(value) && this.off.length) this.off.at(-1)[1] = start;
    }
  }

  statement(node, index) {
    const label = node.type === 'LabeledStatement' ? node.label.name : null;
    this.statements.push({ start: node.start, end: node.end, label, kind: node.type });
    this.#place = { statement: index, parent: null, argument: null };
    this.statements.at(-1).value = this.#visit(label === null ? node : node.body);
  }

  /** Visit a node. Return what kind of value it has, and the index of its call or string. */
  #visit(node) {
    if (!node) return { kind: 'other' };
    const read = this[node.type];
    if (read) return read.call(this, node) ?? { kind: 'other' };
    for (const child of childrenOf(node)) this.#visit(child);
    return { kind: 'other' };
  }

  #within(place, action) {
    const before = this.#place;
    this.#place = { ...before, ...place };
    this.#depth += 1;
    const found = action();
    this.#depth -= 1;
    this.#place = before;
    return found;
  }

  CallExpression(node) {
    const { callee } = node;
    const isMethod = callee.type === 'MemberExpression';
    const receiver = isMethod ? this.#visit(callee.object) : null;
    if (isMethod && callee.computed) this.#visit(callee.property);
    if (!isMethod && callee.type !== 'Identifier') this.#visit(callee);
    const named = isMethod ? (callee.computed ? null : callee.property) : callee.type === 'Identifier' ? callee : null;
    const index = this.calls.length;
    const call = {
      name: named?.name ?? null,
      is_method: isMethod,
      start: node.start,
      end: node.end,
      name_start: named?.start ?? node.start,
      ...this.#place,
      depth: this.#depth,
      receiver,
      args: [],
    };
    this.calls.push(call);
    if (!isMethod && named) this.names.push({ name: named.name, start: named.start, is_call: true });
    if (named?.name === 'register') for (const name of namesIn(node.arguments[0])) this.methods.add(name);
    node.arguments.forEach((argument, number) => {
      const found = this.#within({ parent: index, argument: number }, () => this.#visit(argument));
      call.args.push({ start: argument.start, end: argument.end, ...found });
    });
    return { kind: 'call', index };
  }

  MemberExpression(node) {
    const receiver = this.#visit(node.object);
    if (node.computed) this.#visit(node.property);
    else {
      const index = this.calls.length;
      const { start, end, property } = node;
      this.calls.push({
        name: property.name, is_method: true, is_property: true, start, end, name_start: property.start,
        ...this.#place, depth: this.#depth, receiver, args: [],
      });
      return { kind: 'call', index };
    }
    return { kind: 'other' };
  }

  Literal(node) {
    if (typeof node.value === 'number') return { kind: 'number', value: node.value };
    if (typeof node.value === 'boolean') return { kind: 'boolean', value: node.value };
    if (typeof node.value !== 'string') return { kind: 'other' };
    return this.#string(node, node.raw[0], node.value);
  }

  TemplateLiteral(node) {
    if (node.expressions.length) {
      for (const child of node.expressions) this.#visit(child);
      return { kind: 'other' };
    }
    return this.#string(node, '`', node.quasis[0].value.raw);
  }

  TaggedTemplateExpression(node) {
    this.names.push({ name: node.tag.name ?? '', start: node.tag.start, is_call: true });
    for (const child of node.quasi.expressions) this.#visit(child);
    return { kind: 'call', index: null };
  }

  UnaryExpression(node) {
    const found = this.#visit(node.argument);
    return node.operator === '-' && found.kind === 'number' ? { kind: 'number', value: -found.value } : { kind: 'other' };
  }

  BinaryExpression(node) {
    const left = this.#visit(node.left);
    const right = this.#visit(node.right);
    if (left.kind !== 'number' || right.kind !== 'number') return { kind: 'other' };
    const value = { '+': left.value + right.value, '-': left.value - right.value, '*': left.value * right.value, '/': left.value / right.value }[node.operator];
    return value === undefined ? { kind: 'other' } : { kind: 'number', value };
  }

  Identifier(node) {
    this.names.push({ name: node.name, start: node.start, is_call: false });
    return { kind: 'name', name: node.name };
  }

  ArrayExpression(node) {
    const items = this.#within({}, () => node.elements.map((child) => child && { start: child.start, end: child.end, ...this.#visit(child) }));
    return { kind: 'array', items: items.filter(Boolean) };
  }

  ObjectExpression(node) {
    const items = node.properties.map((property) => {
      const value = property.type === 'Property' ? property.value : property.argument;
      return { start: property.start, end: property.end, key: property.key?.name ?? property.key?.value ?? null, ...this.#visit(value) };
    });
    return { kind: 'object', items };
  }

  ArrowFunctionExpression(node) {
    node.params.forEach((parameter) => this.#declare(parameter));
    this.#visit(node.body);
    return { kind: 'function', parameters: node.params.map((parameter) => parameter.name ?? '') };
  }

  FunctionExpression(node) {
    return this.ArrowFunctionExpression(node);
  }

  FunctionDeclaration(node) {
    this.declared.add(node.id.name);
    return this.ArrowFunctionExpression(node);
  }

  ClassDeclaration(node) {
    this.declared.add(node.id.name);
  }

  VariableDeclaration(node) {
    for (const { id, init } of node.declarations) {
      this.#declare(id);
      if (node.kind === 'const' && id.type === 'Identifier') this.constants.add(id.name);
      const found = this.#visit(init);
      if (id.type === 'Identifier' && init && this.#depth === 0) {
        this.variables.push({ name: id.name, start: init.start, end: init.end, statement: this.#place.statement, value: found });
      }
    }
  }

  CatchClause(node) {
    if (node.param) this.#declare(node.param);
    this.#visit(node.body);
  }

  LabeledStatement(node) {
    this.#visit(node.body);
  }

  BreakStatement() {}
  ContinueStatement() {}

  AssignmentExpression(node) {
    const { left } = node;
    if (left.type === 'Identifier') {
      this.declared.add(left.name);
      this.assignments.push({ name: left.name, start: left.start });
    }
    else if (left.type === 'MemberExpression' && !left.computed) this.methods.add(left.property.name);
    else this.#visit(left);
    this.#visit(node.right);
  }

  ParenthesizedExpression(node) {
    return this.#visit(node.expression);
  }

  AwaitExpression(node) {
    return this.#visit(node.argument);
  }

  ExpressionStatement(node) {
    return this.#visit(node.expression);
  }

  #declare(node) {
    if (node.type === 'Identifier') this.declared.add(node.name);
    else if (node.type === 'AssignmentPattern') {
      this.#declare(node.left);
      this.#visit(node.right);
    } else if (node.type === 'RestElement') this.#declare(node.argument);
    else if (node.type === 'ArrayPattern') node.elements.forEach((child) => child && this.#declare(child));
    else if (node.type === 'ObjectPattern') node.properties.forEach((child) => this.#declare(child.value ?? child.argument));
  }

  /** Songs repeat themselves: each mini-notation is parsed once. */
  #mini(value) {
    if (!this.minis.has(value)) this.minis.set(value, miniFacts(value));
    return this.minis.get(value);
  }

  #string(node, quote, value) {
    const isMini = quote !== "'" && !this.off.some(([from, to]) => node.start >= from && node.start < to);
    const found = { start: node.start, end: node.end, quote, value, is_mini: isMini, ...this.#place };
    if (isMini) Object.assign(found, moved(this.#mini(value), node.start));
    const index = this.strings.length;
    this.strings.push(found);
    return { kind: isMini ? 'mini' : 'string', value, index };
  }
}

const namesIn = (node) => (node?.type === 'ArrayExpression' ? node.elements.flatMap(namesIn) : [node?.value ?? node?.quasis?.[0].value.raw]);

/** Return the leaves of a mini-notation, or its error, with places from its opening quote on. */
function miniFacts(value) {
  const quoted = `"${value}"`;
  try {
    const tree = mini2ast(quoted);
    if (value.includes('(')) patternifyAST(tree, quoted, null, -1); // rhythms such as `bd(9,8)` fail only here
    const leaves = [...atomsIn(tree)].map((leaf) => {
      const [from, to] = placeOf(leaf, quoted);
      return { start: from, end: to, text: String(leaf.source_) };
    });
    return { leaves: leaves.sort((one, other) => one.start - other.start) };
  } catch (error) {
    return { leaves: [], error: { message: miniMessage(error), offset: offsetOf(error) ?? 0 } };
  }
}

function* atomsIn(node) {
  if (node.type_ === 'atom') yield node;
  else for (const value of Object.values(node)) if (value && typeof value === 'object') yield* atomsIn(value);
}

const moved = ({ leaves, error }, by) => ({
  leaves: leaves.map(({ start, end, text }) => ({ start: start + by, end: end + by, text })),
  ...(error && { error: { ...error, offset: error.offset + by } }),
});

/** Return where a leaf is. The package copies its whole text for each leaf, so it gets only the part of this leaf. */
function placeOf({ source_, location_: { start, end } }, quoted) {
  const part = { source_, location_: { start: { offset: 0 }, end: { offset: end.offset - start.offset } } };
  return getLeafLocation(quoted.slice(start.offset, end.offset), part, start.offset);
}

const offsetOf = (error) => error.location?.start?.offset ?? error.cause?.location?.start?.offset;
const miniMessage = (error) => String(error.message).replace(/^\[mini\] parse error at line \d+( column \d+)?: /, '');

function* childrenOf(node) {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'type' || !value || typeof value !== 'object') continue;
    for (const child of Array.isArray(value) ? value : [value]) if (child?.type) yield child;
  }
}
