/**
 * @file The work of a step: the operations that lead to the next state, written before it, so that one hard line
 * becomes several easy ones (`docs/language.md`). Written here, read here, and what may be written.
 */
import type { Program } from '../../source/types.ts';
import type { Operation } from '../../state/types.ts';
import { type ValueState, valueAutomaton } from '../../values/index.ts';
import { type Bytes, type Exit, Exits, either, span } from '../automaton.ts';
import { chars, special, text } from '../pieces.ts';
import type { PieceReader } from '../reader.ts';
import { type Reading, Words } from '../text.ts';
import type { AutomatonState, Piece } from '../types.ts';
import { mark, symbolOf } from './specials.ts';

/** Characters of all operations of a step, and their number; with more, less of them is written. */
const BUDGET = 200;
const MOST = 40;
/** Operations that a mask allows in one answer, so that every answer ends. */
const LIMIT = 64;

/** Labels in the pieces that a source has: `[]:` is `[`, `]`, `:`. */
const PARTS = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*|[^\p{L}[\](){} :]+(?=:)|./gu;

/** `<|work|>` and the operations, as `label value <|;|>`; nothing where there are none, or too many. */
export function workPieces(work: readonly Operation[] = []): Piece[] {
  const kept = fitting(work);
  if (kept.length === 0) return [];
  return [special(mark('work')), ...kept.flatMap(itemPieces)];
}

function itemPieces({ label, value }: Operation): Piece[] {
  return [...(label.match(PARTS) ?? []).map(text), chars(value), special(mark(';'))];
}

/** The operations apart; null where they are too many to be written in full. */
export function workItems(
  work: readonly Operation[] = [],
): { readonly label: string; readonly pieces: readonly Piece[] }[] | null {
  if (fitting(work).length < work.length) return null;
  return work.map((operation) => ({ label: operation.label, pieces: itemPieces(operation) }));
}

/** The most detailed account that fits: all; without names in comprehensions; without comprehensions; without names. */
function fitting(work: readonly Operation[]): readonly Operation[] {
  const isName = ({ label }: Operation) => label.endsWith('=');
  const levels: ((operation: Operation) => boolean)[] = [
    () => true,
    (o) => !(o.inside && isName(o)),
    (o) => !o.inside,
    (o) => !o.inside && !isName(o),
  ];
  for (const level of levels) {
    const kept = work.filter(level);
    const size = kept.reduce((sum, { label, value }) => sum + 3 + label.length / 4 + value.length, 0);
    if (kept.length <= MOST && size <= BUDGET) return kept;
  }
  return [];
}

/** The operations an answer begins with. Throws `E_MALFORMED`. */
export function readWork(reader: PieceReader): Operation[] {
  const work: Operation[] = [];
  if (!reader.take(mark('work'))) return work;
  for (;;) {
    const written = reader.text();
    if (written === '') return work;
    const label = /^(?:[\p{L}_][\p{L}\p{N}\p{M}_]*[=:]|[^\p{L}:]+:|(?:not in|is not):)/u.exec(written)?.[0];
    if (!label || label.length === written.length) throw reader.malformed('an operation');
    work.push({ label, value: written.slice(label.length) });
    reader.expect(mark(';'));
  }
}

/** What may be written as work of a line (null: of any), then what `then` allows. */
export function workExit(
  program: Program | undefined,
  line: number | null,
  then: () => AutomatonState,
): Exit {
  const labels = labelsOf(program, line);
  const items = (left: number): AutomatonState => {
    const after = then();
    const exits = new PassedOn(after);
    if (left === 0) return after;
    const item = span(Item.of(labels), ';', () => new Exits([[symbolOf(';'), () => items(left - 1)]]));
    return either(exits, item);
  };
  return [symbolOf('work'), () => items(LIMIT)];
}

/** The specials of another automaton, taken over. */
class PassedOn extends Exits {
  readonly #state: AutomatonState;
  override readonly key: string;

  constructor(state: AutomatonState) {
    super([]);
    this.#state = state;
    this.key = `p${state.key}`;
  }

  override take(symbol: number): AutomatonState | null {
    return this.#state.next(symbol);
  }
}

const SIGNS = '+ - * / // % ** @ << >> | ^ & ~ == != < <= > >='.split(' ');
/** Operators and the like that are not written as themselves, or only as a word. */
const WRITTEN: readonly (readonly [label: string, pattern: RegExp])[] = [
  ...['not', 'and', 'or', 'is', 'in', 'is not', 'not in', 'for'].map(
    (word) => [word, new RegExp(`\\b${word.replace(' ', '\\s+')}\\b`)] as const,
  ),
  ['[]', /\[/],
  ['[', /\[/],
  ['(', /,/],
  ['{', /\{/],
  ['()', /\(/],
  ['f', /[fF][rR]?['"]/],
  ['iter', /\bfor\b/],
];

const NAMES = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}_]*/gu;
const cache = new WeakMap<Program, Map<number, Words>>();

/** The labels that a line's unit can have, each with its sign: what stands in its text. */
function labelsOf(program: Program | undefined, line: number | null): Words {
  if (!program) return Words.of([]);
  let lines = cache.get(program);
  if (!lines) cache.set(program, (lines = new Map()));
  let words = lines.get(line ?? 0);
  if (!words) {
    const text = textOf(program, line);
    words = Words.of([
      ...[...new Set(text.match(NAMES))].flatMap((name) => [`${name}=`, `${name}:`]),
      ...SIGNS.filter((sign) => text.includes(sign)).map((sign) => `${sign}:`),
      ...WRITTEN.filter(([, pattern]) => pattern.test(text)).map(([label]) => `${label}:`),
    ]);
    lines.set(line ?? 0, words);
  }
  return words;
}

function textOf(program: Program, line: number | null): string {
  const unit = line === null ? null : program.unitAt(line);
  const lines = unit ? program.lines.slice(unit.line - 1, unit.endLine) : program.lines;
  return lines.join('\n');
}

/** A label, then a value. No label is the beginning of another one with its sign. */
class Item implements Bytes<Item> {
  readonly key: string;
  readonly #at: Reading | ValueState;

  private constructor(at: Reading | ValueState, label: boolean) {
    this.#at = at;
    this.key = `${label ? 'w' : 'v'}${at.key}`;
  }

  static of(labels: Words): Item {
    return new Item(labels.reading(), true);
  }

  get accepting(): boolean {
    return 'accepting' in this.#at && !('word' in this.#at) && this.#at.accepting;
  }

  next(byte: number): Item | null {
    const next = this.#at.next(byte);
    if (!next) return null;
    if ('word' in next && next.word !== null) return new Item(valueAutomaton(), false);
    return new Item(next, 'word' in next);
  }
}
