/**
 * @file From an answer's pieces to the outcome they mean. The text says neither which line it is, where several read alike,
 * nor how deep the stack is: both follow from what the action can lead to. A step is then folded as an event, so that loop
 * counts and the like come out as in a recorded run (the compact codec's `applyChange`).
 */
import { NpdbError } from '../../common/errors.ts';
import type { Locals } from '../../state/types.ts';
import { applyChange } from '../compact/apply.ts';
import type { FrameChange, StateChange } from '../compact/change.ts';
import type { Parsed, Piece, Situation } from '../types.ts';
import { anywhere, type Candidate, possible } from './candidates.ts';
import { applyLocals, type Shown } from './locals.ts';
import { type Answer, readAnswer } from './read.ts';
import { isBackward } from './shown.ts';

export function parseAnswer(situation: Situation, pieces: readonly Piece[]): Parsed {
  const read = readAnswer(pieces, isBackward(situation.action));
  if (read.type !== 'state') return { outcome: read, ambiguous: [] };
  const [first, ...others] = meanings(situation, read);
  if (!first) {
    throw new NpdbError(
      'E_MALFORMED',
      `No line of the program is ${JSON.stringify(read.source)}.`,
      'Decode under the language mask, or try again with another seed.',
      1,
    );
  }
  const lines = new Set(others.map(({ line }) => line));
  lines.delete(first.line);
  const change: StateChange = {
    type: 'state',
    ups: first.ups,
    pushed: [],
    ...(!first.kept && { where: first.where }),
    kind: read.kind,
    line: first.line,
    change: changeOf(situation, first, read),
    globals: { set: new Map(), del: [] },
    ...(read.value !== undefined && { value: read.value }),
  };
  return { outcome: applyChange(situation, change), ambiguous: [...lines] };
}

// --- which line and frame ---

/** Those that the text could mean, the likeliest first; all of them agree with the locals as far as any does. */
function meanings(situation: Situation, read: Answer): readonly Candidate[] {
  const means = ({ kind, text }: Candidate) => kind === read.kind && text === read.source;
  let found = possible(situation).candidates.filter(means);
  if (found.length === 0) found = anywhere(situation, read.kind).filter(means);
  const { locals } = read;
  if (locals) {
    found = keep(found, ({ rest }) => rest === 'either' || (rest === 'always') === locals.rest);
    found = keep(found, ({ names }) => [...locals.set.keys()].every((name) => names.includes(name)));
    found = keep(found, ({ gone }) => locals.del.every((name) => gone.includes(name)));
  }
  return situation.action.type === 'breakpoint' ? byDepth(situation, found, read) : found;
}

/** Those that fit, unless none does. */
function keep(candidates: Candidate[], fits: (candidate: Candidate) => boolean): Candidate[] {
  const some = candidates.filter(fits);
  return some.length > 0 ? some : candidates;
}

/**
 * A breakpoint's line can be in the current frame, in one below it, or in a new one, and the text need not tell: the current
 * frame first unless it has ended, then one below it that has the same values, then a new frame if the current function can lead to one, then any.
 */
function byDepth(situation: Situation, candidates: readonly Candidate[], read: Answer): Candidate[] {
  const rank = (candidate: Candidate): number => {
    const { kept, ups } = candidate;
    if (kept && ups === 0) return situation.state.kind === 'return' ? 5 : 0;
    if (kept) return read.locals && alike(kept.locals, read.locals.set) ? 1 : 3;
    return ups === 0 && leadsTo(situation, candidate) ? 2 : 4;
  };
  const ranked = candidates.map((candidate) => ({ candidate, rank: rank(candidate) }));
  return ranked.sort((a, b) => a.rank - b.rank).map(({ candidate }) => candidate);
}

/** More than half of the old values are the new ones. */
function alike(old: Locals, now: Locals): boolean {
  const same = [...old].filter(([name, value]) => now.get(name) === value).length;
  return same * 2 > old.size;
}

/** Whether calls lead from the current frame's function to the candidate's. */
function leadsTo({ programs, state }: Situation, { where }: Candidate): boolean {
  const { file, scope } = state.stack[state.stack.length - 1]!;
  if (file !== where.file) return file > where.file;
  const program = programs[file];
  const reached = new Set<number>();
  const next = [scope];
  for (let from = next.pop(); from !== undefined; from = next.pop()) {
    for (const line of from < 0 ? [] : (program?.linesOf(from) ?? [])) {
      for (const to of program!.callTargets(from, line)) {
        if (!reached.has(to)) next.push(to);
        reached.add(to);
      }
    }
  }
  return reached.has(where.scope);
}

// --- what its locals become ---

function changeOf(situation: Situation, candidate: Candidate, { locals }: Answer): FrameChange {
  const { kept, base } = candidate;
  const now = locals ? applyLocals(base, locals) : unshown(situation, candidate);
  // Nothing says which names are bound to one object any more, once a line has run.
  const aliases = kept && situation.state.kind === 'call' ? {} : { aliases: [] };
  if (!kept?.known) return { unknown: !now.known, set: now.locals, del: [], ...aliases };
  return {
    unknown: !now.known,
    set: new Map([...now.locals].filter(([name, value]) => kept.locals.get(name) !== value)),
    del: [...kept.locals.keys()].filter((name) => !now.locals.has(name)),
    ...aliases,
  };
}

/** Locals of a state whose text shows none: as they last were, unless more than a step has passed. */
function unshown({ action }: Situation, { kept }: Candidate): Shown {
  const jump = action.type === 'step_return' || action.type === 'breakpoint';
  return kept && !jump ? kept : { locals: new Map(), known: false };
}
