/**
 * @file The automaton of answers: `candidates.ts` says what an action can lead to, this file how it is written. Names
 * are those of the frames that the text so far can still mean.
 */
import type { StateKind } from '../../state/types.ts';
import { choice, END, type Exit, Exits, span, spanTo } from '../automaton.ts';
import { Words } from '../text.ts';
import type { AutomatonState, Situation } from '../types.ts';
import { type Candidate, possible } from './candidates.ts';
import { ObjectText, ValueText } from './json.ts';
import { isBackward } from './shown.ts';
import { kindName, localsFirst, showsLocals, symbolOf } from './specials.ts';

export function answerAutomaton(situation: Situation): AutomatonState {
  const { exits: ends, candidates } = possible(situation);
  const backward = isBackward(situation.action);
  const kinds = new Map<StateKind, Candidate[]>();
  for (const candidate of candidates) {
    const same = kinds.get(candidate.kind);
    if (same) same.push(candidate);
    else kinds.set(candidate.kind, [candidate]);
  }
  const exits: Exit[] = [...ends].map((exit) => [
    symbolOf(exit === 'entry' ? 'inv_exit_entry' : `exit_${exit}`),
    () => OVER,
  ]);
  for (const [kind, some] of kinds) {
    const frame = localsFirst(kind, backward) ? localsThenSource : sourceFirst;
    exits.push([symbolOf(kindName(kind, backward)), () => frame(some)]);
  }
  return one('frame_sep', () => choice(new Exits(exits)));
}

// --- internal ---

function one(name: Parameters<typeof symbolOf>[0], then: () => AutomatonState): AutomatonState {
  return choice(new Exits([[symbolOf(name), then]]));
}

const OVER = one('trace_end', () => one('end_of_text', () => END));
const ACTION: Exit = [symbolOf('action_sep'), () => END];

function localsThenSource(candidates: readonly Candidate[]): AutomatonState {
  const source = symbolOf('src_sep');
  return one('arg_sep', () =>
    span(
      ObjectText.of(holders(candidates)),
      String(source),
      ({ holders }) =>
        new Exits([
          [
            source,
            () => spanTo(Words.of(holders.flatMap(({ texts }) => texts)).reading(), new Exits([ACTION])),
          ],
        ]),
    ),
  );
}

/** All candidates are of one kind. */
function sourceFirst(candidates: readonly Candidate[]): AutomatonState {
  const { kind } = candidates[0]!;
  const argument = symbolOf('arg_sep');
  const shown = (text: string): AutomatonState => {
    if (!showsLocals(kind)) return spanTo(ValueText.start, new Exits([ACTION]));
    const meant = candidates.filter((candidate) => candidate.text === text);
    return spanTo(ObjectText.of(holders(meant)), new Exits([ACTION]));
  };
  return one('src_sep', () =>
    span(
      Words.of(candidates.map(({ text }) => text)).reading(),
      kind === 'yield' ? 'either' : String(argument),
      ({ word }) => {
        const exits: Exit[] = [[argument, () => shown(word ?? '')]];
        return new Exits(kind === 'yield' ? [...exits, ACTION] : exits);
      },
    ),
  );
}

interface FrameHolder extends Pick<Candidate, 'rest' | 'names' | 'gone'> {
  /** The lines that its frame can be at. */
  readonly texts: readonly string[];
}

/** One for each frame: its candidates differ in their lines alone. */
function holders(candidates: readonly Candidate[]): FrameHolder[] {
  const frames = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const { ups, kept, where } = candidate;
    const key = `${ups} ${kept ? 'kept' : `${where.file}:${where.scope}`}`;
    frames.set(key, [...(frames.get(key) ?? []), candidate]);
  }
  return [...frames.values()].map((same) => {
    const { rest, names, gone } = same[0]!;
    return { rest, names, gone, texts: same.map(({ text }) => text) };
  });
}
