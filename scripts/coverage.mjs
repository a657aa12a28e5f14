#!/usr/bin/env node
/**
 * @file What real code uses and how often: syntax, operators, methods, builtins, slices, names by the type of what they hold, sizes
 * of literals, lengths of functions. Syntax alone; runs nothing.
 *
 *   node scripts/coverage.mjs SET.jsonl.gz...           a table
 *   node scripts/coverage.mjs --json SET.jsonl.gz...    the same as JSON
 *   node scripts/coverage.mjs --source SET.jsonl.gz... > src/dataset/generate/frequencies.ts
 *
 * Give training sets only, and none whose licence binds what is made from it (`leetcode_doocs` is share-alike); `mathqa` is 1,089 programs
 * of one shape whose names (`n0`, `t1`) would crowd out others.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parser } from '@lezer/python';

/** What a name is kept with, at most. */
const MOST = { parameters: 36, locals: 36, loops: 24, functions: 160, constants: 120 };
const BUILTINS =
  'abs all any bin bool callable chr complex dict divmod enumerate filter float format frozenset getattr hasattr hash hex int isinstance issubclass iter len list map max min next oct ord pow print range repr reversed round set setattr slice sorted str sum super tuple type zip'.split(
    ' ',
  );

const args = process.argv.slice(2);
const paths = args.filter((arg) => !arg.startsWith('--'));
if (paths.length === 0) {
  console.error('usage: node scripts/coverage.mjs [--json | --source] SET.jsonl.gz...');
  process.exit(2);
}

const counts = {};
const count = (table, key, by = 1) => {
  const of = (counts[table] ??= new Map());
  of.set(key, (of.get(key) ?? 0) + by);
};
let programs = 0;
/** Once a program: tables of constants would not become one program's own otherwise. */
let seen = new Set();
const once = (table, key) => {
  if (!seen.has(`${table} ${key}`)) count(table, key);
  seen.add(`${table} ${key}`);
};

for (const path of paths) {
  const raw = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8');
  for (const line of text.split('\n')) {
    if (!line.trim()) continue;
    programs++;
    seen = new Set();
    const { code, calls } = JSON.parse(line);
    const parameters = measure(code);
    for (const call of calls.slice(0, 3)) measureCall(call, parameters);
  }
}

/** Counts a program; the parameters of its functions by name. */
function measure(code) {
  const text = (node) => code.slice(node.from, node.to);
  const parameters = new Map();
  const visit = (node) => {
    const { name } = node;
    if (/^[A-Z]/.test(name) && node.firstChild) count('nodes', name);
    if (/(Statement|Definition)$/.test(name)) count('statements', name);
    if (/Op$/.test(name)) count('operators', text(node));
    if (
      (name === 'and' || name === 'or' || name === 'not' || name === 'in' || name === 'is') &&
      /Expression$/.test(node.parent.name)
    )
      if (
        /^(Binary|Unary)/.test(node.parent.name) &&
        !(name === 'in' && node.prevSibling?.name === 'not') &&
        !(name === 'not' && node.prevSibling?.name === 'is')
      )
        count('operators', operatorOf(node, text));
    if (name === 'CallExpression') calledIn(node, text);
    if (name === 'MemberExpression') subscriptIn(node, text);
    if (
      name === 'BinaryExpression' &&
      node.getChild('CompareOp') &&
      node.firstChild.name === 'BinaryExpression' &&
      node.firstChild.getChild('CompareOp')
    )
      count('forms', 'chained compare');
    if (name === 'AssignStatement') assignedIn(node, text);
    if (name === 'ForStatement') loopIn(node, text);
    if ((name === 'ForStatement' || name === 'WhileStatement') && node.getChild('else'))
      count('forms', `${name} else`);
    if (name === 'String' && node.parent.name !== 'ExpressionStatement') constant(text(node));
    if (name === 'Number') once('constants:number', text(node));
    if (name === 'RaiseStatement') {
      const raised = node.getChild('CallExpression')?.firstChild ?? node.getChild('VariableName');
      if (raised) count('raised', text(raised));
    }
    if (name === 'FunctionDefinition') functionOf(node, text, parameters);
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
  };
  visit(parser.parse(code).topNode);
  return parameters;
}

/** `not in` and `is not` are two words, told at the first of them. */
function operatorOf(node, text) {
  if (node.name === 'not' && node.nextSibling?.name === 'in') return 'not in';

  if (node.name === 'is' && node.nextSibling?.name === 'not') return 'is not';
  return text(node);
}

function calledIn(node, text) {
  const callee = node.firstChild;
  const keywords =
    node
      .getChild('ArgList')
      ?.getChildren('AssignOp')
      .map((op) => text(op.prevSibling)) ?? [];
  if (callee.name === 'VariableName') {
    const name = text(callee);
    if (!BUILTINS.includes(name)) return;
    count('builtins', name);
    for (const keyword of keywords) count('keywords', `${name} ${keyword}`);
  } else if (callee.name === 'MemberExpression' && callee.lastChild.name === 'PropertyName') {
    count('methods', text(callee.lastChild));
    for (const keyword of keywords) count('keywords', `.${text(callee.lastChild)} ${keyword}`);
  }
}

function subscriptIn(node, text) {
  if (!node.getChild('[')) return;
  const inside = text(node).slice(node.getChild('[').to - node.from, -1);
  const parts = inside.split(':');
  const shape = (part) =>
    part.trim() === '' ? '' : /^\d+$/.test(part.trim()) ? 'n' : /^-\d+$/.test(part.trim()) ? '-n' : 'x';
  const sliced = node.getChildren(':').length > 0;
  count(sliced ? 'slices' : 'indexes', sliced ? parts.map(shape).join(':') : shape(inside));
}

function assignedIn(node, text) {
  const target = node.firstChild;
  const ops = node.getChildren('AssignOp');
  const commas = node.getChildren(',');
  if (commas.some((comma) => comma.from < ops[0]?.from)) count('forms', 'unpacking');
  if (ops.length > 1) count('forms', 'chained assignment');
  if (target.name === 'MemberExpression')
    return count('forms', target.getChild('[') ? 'subscript store' : 'attribute store');
  if (target.name !== 'VariableName' || commas.length || ops.length !== 1) return;
  if (kindOf(node.lastChild, text) !== 'other') count(`locals:${kindOf(node.lastChild, text)}`, text(target));
}

function loopIn(node, text) {
  const names = [];
  let child = node.firstChild.nextSibling;
  for (; child && child.name !== 'in'; child = child.nextSibling)
    if (child.name === 'VariableName') names.push(text(child));
  const over = child?.nextSibling;
  const called = over?.name === 'CallExpression' ? text(over.firstChild) : over?.name;
  const kind = called === 'range' ? 'range' : called === 'enumerate' ? 'enumerate' : 'items';
  count(
    'iterated',
    BUILTINS.includes(called)
      ? called
      : called === 'VariableName'
        ? 'name'
        : /\.(items|keys|values)$/.test(called ?? '')
          ? called.split('.').pop()
          : 'other',
  );
  names.slice(0, kind === 'enumerate' ? 2 : 1).forEach((name, at) => {
    count(`loops:${kind === 'enumerate' ? (at ? 'items' : 'range') : kind}`, name);
  });
}

function constant(source) {
  const value = unquoted(source);
  if (value === null) return;
  count('sizes:constant', Math.min(20, value.length));
  if (value.length <= 12) once('constants:str', value);
}

function functionOf(node, text, parameters) {
  const name = text(node.getChild('VariableName'));
  if (!/^_|^main_solution$|^sol(ve)?$|^sat$/.test(name)) count('functions', name);
  const names = node.getChild('ParamList').getChildren('VariableName').map(text);
  const body = text(node.getChild('Body'))
    .split('\n')
    .filter((line) => line.trim() && !line.trim().startsWith('#'));
  count('sizes:function', Math.min(30, body.length - 1));
  count('sizes:parameters', names.filter((n) => n !== 'self').length);
  parameters.set(
    name,
    names.filter((n) => n !== 'self'),
  );
}

/** Arguments of the outer call by the parameter they are for. */
function measureCall(call, parameters) {
  const text = (node) => call.slice(node.from, node.to);
  const top = parser.parse(call).topNode.firstChild?.firstChild;
  if (top?.name !== 'CallExpression') return;
  const callee = top.firstChild;
  const name = text(callee.name === 'MemberExpression' ? callee.lastChild : callee);
  const names = parameters.get(name);
  if (!names) return;
  let at = 0;
  for (let arg = top.getChild('ArgList').firstChild; arg; arg = arg.nextSibling) {
    if (/^[(),]$/.test(arg.name)) continue;
    let name = names[at++];
    if (arg.nextSibling?.name === 'AssignOp') {
      name = text(arg);
      arg = arg.nextSibling.nextSibling;
    }
    const kind = kindOf(arg, text);
    if (name && kind !== 'other') count(`parameters:${kind}`, name);
    literalSizes(arg, text);
  }
}

function literalSizes(node, text) {
  const kind = kindOf(node, text);
  const items = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (!/^[[\](){},:]$/.test(child.name)) items.push(child);
  if (kind === 'str') count('sizes:str', Math.min(40, unquoted(text(node))?.length ?? 0));
  else if (kind === 'int')
    count('sizes:int', Number(text(node)) < 0 ? '-' : String(Math.min(7, text(node).length)));
  else if (/^(ints|strs|floats|bools|grid|list)$/.test(kind)) count('sizes:list', Math.min(20, items.length));
  else if (kind === 'dict') count('sizes:dict', Math.min(12, items.length / 2));
  else if (kind === 'tuple') count('sizes:tuple', Math.min(12, items.length));
  if (/^(ints|strs|grid|list|tuple)$/.test(kind))
    for (const item of items.slice(0, 6)) literalSizes(item, text);
}

/** What type an expression has, as far as its syntax shows. */
function kindOf(node, text) {
  switch (node.name) {
    case 'Number':
      return /[.eE]/.test(text(node)) && !/^0[xX]/.test(text(node)) ? 'float' : 'int';
    case 'UnaryExpression':
      return node.lastChild.name === 'Number' ? kindOf(node.lastChild, text) : 'other';
    case 'String':
    case 'FormatString':
      return 'str';
    case 'Boolean':
      return 'bool';
    case 'None':
      return 'None';
    case 'DictionaryExpression':
    case 'DictionaryComprehensionExpression':
      return 'dict';
    case 'SetExpression':
    case 'SetComprehensionExpression':
      return 'set';
    case 'TupleExpression':
      return 'tuple';
    case 'ArrayComprehensionExpression':
      return 'list';
    case 'ArrayExpression': {
      const first = node.firstChild.nextSibling;
      if (!first || first.name === ']') return 'list';
      return (
        { int: 'ints', str: 'strs', float: 'floats', bool: 'bools', ints: 'grid' }[kindOf(first, text)] ??
        'list'
      );
    }
    case 'CallExpression': {
      const called = text(node.firstChild);
      const made = {
        len: 'int',
        sum: 'int',
        int: 'int',
        ord: 'int',
        abs: 'int',
        str: 'str',
        chr: 'str',
        list: 'list',
        sorted: 'list',
        set: 'set',
        dict: 'dict',
        tuple: 'tuple',
        float: 'float',
      };
      return (
        made[called] ??
        { split: 'strs', join: 'str', lower: 'str', upper: 'str', strip: 'str', replace: 'str' }[
          called.split('.').pop()
        ] ??
        'other'
      );
    }
    default:
      return 'other';
  }
}

function unquoted(source) {
  const match = /^[bBfFrRuU]*("""|'''|"|')([\s\S]*)\1$/.exec(source);
  return match ? match[2].replace(/\\(.)/g, '$1') : null;
}

/** Tables in a stable order: the most frequent first; sizes by size. */
function result() {
  const out = { sets: paths.map((path) => basename(path).replace(/\.jsonl(\.gz)?$/, '')), programs };
  for (const table of Object.keys(counts).sort()) {
    const [group, part] = table.split(':');
    let entries = [...counts[table]];
    if (group === 'sizes')
      entries.sort(([a], [b]) => (a < b ? -1 : 1) * (typeof a === 'string' ? 1 : 0) || a - b);
    else entries.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
    if (group === 'methods') entries = entries.filter(([name]) => METHODS.has(name));
    else if (group !== 'sizes' && group !== 'builtins') entries = entries.filter(([, n]) => n > 2);
    if (MOST[group]) entries = entries.slice(0, MOST[group]);
    const object = Object.fromEntries(entries);
    if (part === undefined) out[group] = object;
    else (out[group] ??= {})[part] = object;
  }
  return out;
}

/** Methods of the built-in types; what the programs' own classes define is not counted. */
const METHODS = new Set(
  (
    'append extend insert remove pop clear index count sort reverse copy get items keys values popitem setdefault update fromkeys add discard union intersection ' +
    'difference symmetric_difference issubset issuperset isdisjoint difference_update intersection_update symmetric_difference_update capitalize casefold center ' +
    'encode decode endswith expandtabs find format format_map isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle ' +
    'isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith ' +
    'strip swapcase title translate upper zfill bit_length is_integer'
  ).split(' '),
);

const table = result();
if (args.includes('--json')) console.log(JSON.stringify(table, null, 1));
else if (args.includes('--source')) {
  const tables = Object.entries(table).filter(
    ([name]) => !['sets', 'programs', 'nodes', 'iterated'].includes(name),
  );
  console.log(`/**
 * @file How often real code uses what, and its names. Made by \`scripts/coverage.mjs\` from ${table.sets.join(', ')}
 * (${table.programs} programs); not edited by hand.
 */
// biome-ignore-all format: one table a line
export const FREQUENCIES = {`);
  for (const [name, values] of tables) {
    const nested = typeof Object.values(values)[0] === 'object';
    if (!nested) console.log(`  ${name}: ${JSON.stringify(values)},`);
    else
      console.log(
        `  ${name}: {\n${Object.entries(values)
          .map(([key, value]) => `    ${key}: ${JSON.stringify(value)},`)
          .join('\n')}\n  },`,
      );
  }
  console.log('};');
} else {
  for (const [name, values] of Object.entries(table)) {
    if (typeof values !== 'object') continue;
    const show = (entries) => entries.map(([key, n]) => `${JSON.stringify(key)} ${n}`).join(', ');
    for (const [key, value] of Object.entries(values)) {
      if (typeof value === 'object') console.log(`${name} ${key}: ${show(Object.entries(value))}`);
    }
    if (Object.values(values).every((value) => typeof value === 'number'))
      console.log(`${name}: ${show(Object.entries(values))}`);
  }
}
