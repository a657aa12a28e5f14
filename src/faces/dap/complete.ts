/** @file `completions`: names of the frame, of the module, Python's own; attributes of a value that is shown. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { evaluateIn } from '../../debugger/neural.ts';
import { BUILTINS } from '../../state/builtins.ts';
import type { Value } from '../../values/types.ts';
import type { Adapter } from './adapter.ts';
import { COMMANDS } from './repl.ts';
import type { FrameRef } from './types.ts';
import { readValue } from './values.ts';

const MAX_TEXT = 500;
const KEYWORDS = 'and await else for if in is lambda not or None True False'.split(' ');

/** Methods that look and do not change: what a watch can use. */
const METHODS: Readonly<Record<string, string>> = {
  str: 'capitalize casefold center count encode endswith expandtabs find format index isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower lstrip partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title upper zfill',
  bytes: 'count decode endswith find hex index join lower replace split startswith strip upper',
  list: 'copy count index',
  tuple: 'count index',
  dict: 'copy get items keys values',
  set: 'copy difference intersection isdisjoint issubset issuperset symmetric_difference union',
  int: 'as_integer_ratio bit_count bit_length conjugate denominator imag numerator real to_bytes',
  float: 'as_integer_ratio conjugate hex imag is_integer real',
};

export function complete(
  adapter: Adapter,
  frame: FrameRef,
  text: string,
  column: number,
  line?: number,
): DebugProtocol.CompletionItem[] {
  const lines = text.split('\n');
  const at = line === undefined ? 0 : adapter.fromClientLine(line) - 1;
  const upTo = Math.max(0, adapter.fromClientColumn(column) - 1);
  const whole = (lines[at] ?? '').slice(0, upTo);
  // What is typed is short; a search from each place of a long text would take for ever.
  const before = whole.slice(-MAX_TEXT);
  const end = whole.length;
  const [, command] = /^\s*:([\w-]*)$/.exec(before) ?? [];
  if (command !== undefined) {
    return items(
      COMMANDS.map((c) => [c.name, 'function'] as const),
      command,
      before.length,
    );
  }
  const [, owner, attribute] =
    /([\p{L}_][\p{L}\p{N}_.]*(?:\[[^[\]]*\])*)\.([\p{L}\p{N}_]*)$/u.exec(before) ?? [];
  if (owner !== undefined && attribute !== undefined) {
    return items(attributes(adapter, frame, owner), attribute, end);
  }
  // A number is not a name.
  const [word = ''] = /[\p{L}\p{N}_]*$/u.exec(before) ?? [];
  return /^\p{N}/u.test(word) ? [] : items(names(adapter, frame), word, end);
}

// --- internal ---

type Kind = DebugProtocol.CompletionItemType;

function items(
  all: readonly (readonly [string, Kind])[],
  word: string,
  end: number,
): DebugProtocol.CompletionItem[] {
  const seen = new Set<string>();
  return all
    .filter(([label]) => label.startsWith(word) && label !== word && !seen.has(label) && seen.add(label))
    .map(([label, type], i) => ({
      label,
      type,
      // From 0, whatever the client's columns (specification: `CompletionItem.start`).
      start: end - word.length,
      length: word.length,
      sortText: String(i).padStart(4, '0'),
    }));
}

function names(adapter: Adapter, ref: FrameRef): (readonly [string, Kind])[] {
  const frame = adapter.frameOf(ref);
  const program = adapter.programs.all[frame.file];
  const defined = program?.scopes.filter((s) => s.parent === 0 && s.kind !== 'lambda') ?? [];
  return [
    ...[...frame.locals.keys()].map((name) => [name, 'variable'] as const),
    ...[...frame.globals.keys()].map((name) => [name, 'variable'] as const),
    ...defined.map((s) => [s.name, s.kind === 'class' ? 'class' : 'function'] as const),
    ...(program?.scopes[0]?.names ?? []).map((name) => [name, 'variable'] as const),
    ...[...BUILTINS].map((name) => [name, 'function'] as const),
    ...KEYWORDS.map((name) => [name, 'keyword'] as const),
  ];
}

function attributes(adapter: Adapter, ref: FrameRef, owner: string): (readonly [string, Kind])[] {
  const result = evaluateIn(adapter.stateOf(ref), adapter.programs.all, owner, ref.up, false);
  const value = result.type === 'value' ? readValue(result.value) : null;
  return value ? ofValue(adapter, value) : [];
}

function ofValue(adapter: Adapter, value: Value): (readonly [string, Kind])[] {
  const methods = (METHODS[value.type] ?? '').split(' ').filter(Boolean);
  if (value.type !== 'call') return methods.map((name) => [name, 'method'] as const);
  // An instance: its fields, and the methods of the program's class of that name.
  const name = value.name.split('.').pop();
  const program = adapter.programs.all[0];
  const owner = program?.scopes.find((s) => s.kind === 'class' && s.name === name);
  const own = program?.scopes.filter((s) => owner && s.parent === owner.id && s.kind === 'function') ?? [];
  return [
    ...value.fields.map(([field]) => [field, 'field'] as const),
    ...own.map((s) => [s.name, 'method'] as const),
  ];
}
