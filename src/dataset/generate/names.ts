/** @file Names that people give: by type, for functions and for what a value is for. Those measured in real code come first. */
import { FREQUENCIES } from './frequencies.ts';
import type { Ty } from './values.ts';

const OWN: Readonly<Record<Ty, readonly string[]>> = {
  int: [
    'n',
    'x',
    'a',
    'b',
    'k',
    'm',
    'y',
    'num',
    'c',
    'value',
    'p',
    'q',
    'limit',
    'start',
    'size',
    'v',
    'z',
    'number',
    'step',
    't',
    'base',
    'index',
    'length',
    'total',
    'amount',
    'val',
  ],
  optional: ['x', 'value', 'default', 'limit', 'val', 'other'],
  bool: ['flag', 'ok', 'found', 'reverse', 'is_valid', 'check', 'valid', 'b'],
  float: ['x', 'y', 'rate', 'price', 'f', 'a', 'b', 'value', 'weight', 'total', 'ratio'],
  ch: ['c', 'ch', 'char', 'sep', 'letter', 'sub', 'delim', 'x'],
  str: [
    's',
    'text',
    'string',
    'word',
    't',
    'st',
    'line',
    'name',
    'txt',
    'a',
    'sentence',
    'prefix',
    'suffix',
    'value',
    'message',
    'p',
    'key',
    'input_str',
    'code',
    'title',
  ],
  ints: [
    'nums',
    'lst',
    'arr',
    'a',
    'numbers',
    'values',
    'xs',
    'array',
    'l',
    'data',
    'items',
    'list1',
    'b',
    'elements',
    'seq',
    'v',
    'vals',
    'scores',
  ],
  strs: [
    'words',
    'names',
    'lst',
    'items',
    'strs',
    'tokens',
    'lines',
    'parts',
    'list_',
    'strings',
    'keys',
    'elems',
    'array',
    'l',
    'labels',
  ],
  dsi: [
    'd',
    'counts',
    'dic',
    'scores',
    'data',
    'dct',
    'mapping',
    'dictionary',
    'stock',
    'table',
    'prices',
    'freq',
    'm',
    'd1',
    'ages',
  ],
  dii: ['d', 'mp', 'memo', 'mapping', 'seen', 'dic', 'cnt', 'table', 'cache'],
  dss: ['d', 'mapping', 'config', 'table', 'aliases', 'lookup', 'names', 'translations'],
  seti: ['seen', 'st', 's', 'visited', 'unique', 'ids'],
  sets: ['seen', 'vocab', 'tags', 'stop_words', 'unique'],
  tup: ['t', 'point', 'tup', 'pair', 'values', 'item', 'coords'],
  grid: ['grid', 'matrix', 'm', 'rows', 'board', 'mat', 'table', 'lists'],
  pairs: ['pairs', 'items', 'records', 'entries', 'data', 'points'],
};

/** For results: what is built up and returned. */
export const RESULT_NAMES: Readonly<Record<Ty, readonly string[]>> = {
  int: ['result', 'total', 'count', 'ans', 'res', 'cnt', 's', 'acc', 'r', 'out', 'sm', 'score'],
  optional: ['result', 'best', 'found', 'ans', 'prev'],
  bool: ['result', 'found', 'ok', 'ans', 'valid'],
  float: ['result', 'avg', 'ratio', 'mean', 'total', 'res'],
  ch: ['c', 'result', 'first', 'last', 'best'],
  str: ['result', 'res', 'out', 'ans', 'new_text', 'output', 'new', 'r', 'new_s', 'ret', 'final'],
  ints: ['result', 'res', 'ans', 'out', 'output', 'new_list', 'r', 'ret', 'stack', 'new', 'temp'],
  strs: ['result', 'res', 'ans', 'out', 'output', 'new_list', 'parts', 'r', 'new_words', 'chars'],
  dsi: ['result', 'd', 'counts', 'freq', 'cnt', 'count', 'res', 'counter', 'dic', 'new_dict'],
  dii: ['result', 'd', 'counts', 'freq', 'cnt', 'res', 'seen', 'mp'],
  dss: ['result', 'd', 'res', 'inverted', 'mapping', 'out'],
  seti: ['seen', 'result', 'unique', 'visited', 's', 'res'],
  sets: ['seen', 'result', 'unique', 'res'],
  tup: ['result', 'pair', 't', 'res', 'best'],
  grid: ['result', 'grid', 'res', 'new_matrix', 'ans', 'rows'],
  pairs: ['result', 'pairs', 'items', 'res', 'ans'],
};

const OWN_FUNCTIONS: readonly string[] = [
  'solve',
  'process',
  'compute',
  'transform',
  'calculate',
  'func',
  'convert',
  'check',
  'count_items',
  'update',
  'find',
  'encode',
  'merge',
  'filter_values',
  'main',
  'run',
  'build',
  'count',
  'solution',
  'test',
  'get_result',
  'apply',
  'clean',
  'normalize',
  'parse',
  'format_text',
  'split_text',
  'total',
  'make',
  'combine',
  'group',
  'reduce_list',
  'rotate',
  'shift',
  'remove_items',
  'select',
  'replace_all',
  'is_valid',
  'search',
  'summarize',
  'g',
  'h',
];

export const HELPER_NAMES: readonly string[] = [
  'helper',
  'g',
  'h',
  'add',
  'square',
  'double',
  'is_even',
  'inc',
  'step',
  'apply',
  'convert',
  'check',
  'score',
  'norm',
  'clean',
  'shift',
  'scale',
  'combine',
  'inner',
  'weight',
  'adjust',
  'key',
  'rank',
  'update',
  'next_value',
  'clamp',
  'cost',
];

/** Names of builtins that programs call, and others a variable should not hide. */
const RESERVED = new Set(
  'list str dict set tuple int float bool sum max min len abs all any next iter map filter input type pow round sorted range self args kwargs and or not'.split(
    ' ',
  ),
);

/** The most frequent usable names of a table of counts. */
const measured = (counts: Readonly<Record<string, number>>, most: number): string[] =>
  Object.keys(counts)
    .filter((name) => /^[a-z]\w{0,11}$/.test(name) && !RESERVED.has(name))
    .slice(0, most);

const { parameters: P, locals: L } = FREQUENCIES;
const REAL: Readonly<Partial<Record<Ty, readonly string[]>>> = {
  int: measured(P.int, 24),
  float: measured(P.float, 14),
  str: measured(P.str, 24),
  ints: measured(P.ints, 24),
  strs: measured(P.strs, 14),
  dsi: measured(P.dict, 8),
  dii: measured(P.dict, 6),
  tup: measured(P.tuple, 8),
  grid: measured(P.grid, 14),
  seti: measured(L.set, 5),
  bool: measured(P.bool, 3),
};

/** One of each in turn. */
function interleaved(a: readonly string[], b: readonly string[]): string[] {
  const out = new Set<string>();
  for (let i = 0; i < Math.max(a.length, b.length); i++)
    for (const name of [a[i], b[i]]) if (name !== undefined) out.add(name);
  return [...out];
}

/** Names of parameters and variables, the likeliest first. */
const names: Partial<Record<Ty, readonly string[]>> = {};
for (const type of Object.keys(OWN) as Ty[]) names[type] = interleaved(REAL[type] ?? [], OWN[type]);
export const NAMES = names as Readonly<Record<Ty, readonly string[]>>;

export const FUNCTION_NAMES: readonly string[] = interleaved(
  measured(FREQUENCIES.functions, 70),
  OWN_FUNCTIONS,
);
