/**
 * @file The automaton of CHANGES and of what ends an answer. Each name is set once and used in one group only, so
 * that every answer ends.
 */
import type { StateKind } from '../../state/types.ts';
import { valueAutomaton } from '../../values/index.ts';
import { choice, END, type Exit, Exits, either, span, spanTo } from '../automaton.ts';
import { AnyText, Assignment, Group, Words } from '../text.ts';
import type { AutomatonState } from '../types.ts';
import { symbolOf } from './specials.ts';

/** What can be assigned, and what can cease to be. */
export interface NameSets {
  readonly set: Words;
  readonly del: Words;
}

const SEMICOLON = symbolOf(';');

/** CHANGES of a frame, then `exits`; `now`: further specials while nothing has been written. */
export function changes(names: NameSets, exits: readonly Exit[], now: readonly Exit[] = []): AutomatonState {
  const known = names.del.words.length > 0;
  const rest: Exit[] = [...groups(names.set, known, exits), ...exits];
  const unknown: Exit = [
    symbolOf('unknown'),
    () => assignments({ set: names.set, del: NONE }, [...groups(names.set, false, exits), ...exits]),
  ];
  return assignments(names, rest, known ? now : [unknown, ...now]);
}

/** `name=value<|;|>` ..., then `<|del|>name<|;|>` ..., then `exits`. */
export function assignments(
  names: NameSets,
  exits: readonly Exit[],
  now: readonly Exit[] = [],
): AutomatonState {
  const others = new Exits([...deletions(names.del, exits), ...exits, ...now]);
  if (names.set.words.length === 0) return choice(others);
  const then = (name: string) =>
    assignments({ set: names.set.without(name), del: names.del.without(name) }, exits);
  const assignment = span(
    Assignment.to(names.set),
    ';',
    ({ name }) => new Exits([[SEMICOLON, () => then(name)]]),
  );
  return either(others, assignment);
}

const NONE = Words.of([]);

function deletions(names: Words, exits: readonly Exit[]): Exit[] {
  if (names.words.length === 0) return [];
  const then = (left: Words) => choice(new Exits([...deletions(left, exits), ...exits]));
  const name = () =>
    span(names.reading(), ';', ({ word }) => new Exits([[SEMICOLON, () => then(names.without(word ?? ''))]]));
  return [[symbolOf('del'), name]];
}

/** `<|alias|>a b<|;|>` ...; `none`: or `<|alias|><|;|>`. */
function groups(names: Words, none: boolean, exits: readonly Exit[]): Exit[] {
  const empty: Exit = [SEMICOLON, () => choice(new Exits(exits))];
  const then = (left: Words) => choice(new Exits([...groups(left, false, exits), ...exits]));
  const group = () => {
    const one = span(Group.of(names), ';', ({ left }) => new Exits([[SEMICOLON, () => then(left)]]));
    return none ? either(new Exits([empty]), one) : one;
  };
  return names.words.length > 1 || none ? [[symbolOf('alias'), group]] : [];
}

/** `[<|val|> value] [<|out|> text] [<|err|> text] <|end|>` of a state of this kind. */
export function stateEnds(kind: StateKind): Exit[] {
  const err: Exit[] = [...freeText('err', [END_OF_ANSWER]), END_OF_ANSWER];
  const out: Exit[] = [...freeText('out', err), ...err];
  if (kind === 'return' || kind === 'exception') return valueText(out);
  return kind === 'yield' ? [...valueText(out), ...out] : out;
}

/** `[<|val|> exception] [<|out|> text] <|end|>`. */
export function exitEnds(): Exit[] {
  const out: Exit[] = [...freeText('out', [END_OF_ANSWER]), END_OF_ANSWER];
  return [...valueText(out), ...out];
}

export const END_OF_ANSWER: Exit = [symbolOf('end'), () => END];

function valueText(exits: readonly Exit[]): Exit[] {
  return [[symbolOf('val'), () => spanTo(valueAutomaton(), new Exits(exits))]];
}

function freeText(part: 'out' | 'err', exits: readonly Exit[]): Exit[] {
  return [[symbolOf(part), () => spanTo(AnyText.start, new Exits(exits))]];
}
