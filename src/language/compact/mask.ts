/**
 * @file The automaton of answers (`docs/language.md`): `policy.ts` says what an action can lead to, this file how
 * it is written.
 */
import type { Frame } from '../../state/types.ts';
import { choice, type Exit, Exits, once } from '../automaton.ts';
import { type Reading, Words } from '../text.ts';
import type { AutomatonState, Situation } from '../types.ts';
import { assignments, changes, END_OF_ANSWER, exitEnds, type NameSets, stateEnds } from './changes.ts';
import { type Policy, policyOf } from './policy.ts';
import { symbolOf, symbolOfLine } from './specials.ts';
import { NO_STOPS, type Pushes, type Stops, View } from './view.ts';
import { namingLine, scopesNamed, type Where } from './where.ts';
import { workExit } from './work.ts';

export function answerAutomaton(situation: Situation): AutomatonState {
  return new Grammar(situation).start(0);
}

/** A step in which something can be worked out: not into a function's first line, not out of the entry call. */
function worksOn({ action, state }: Situation): boolean {
  if (action.type !== 'step_into' && action.type !== 'step_over') return false;
  return state.kind !== 'call' && (state.kind !== 'return' || state.stack.length > 1);
}

/** A frame that is there, or where one is to be. */
type Place = Where | Frame;

class Grammar {
  readonly #situation: Situation;
  readonly #view: View;
  readonly #policy: Policy;
  readonly #pushed = new Map<number, Pushes>();

  constructor(situation: Situation) {
    this.#situation = situation;
    this.#view = new View(situation);
    this.#policy = policyOf(situation);
  }

  /** After `ups` times `<|up|>` and nothing else. */
  start(ups: number, worked = false): AutomatonState {
    const exits: Exit[] = ups === 0 && !worked ? this.#exits() : [];
    if (ups === 0 && !worked && worksOn(this.#situation)) {
      const { programs, state } = this.#situation;
      const leaves = state.kind === 'return' || state.kind === 'yield';
      const frame = this.#view.at(leaves && this.#view.height > 1 ? 1 : 0);
      // An exception goes on in a handler's line, in this frame or below.
      const line = state.kind === 'exception' ? null : frame.line;
      const then = once(() => this.start(0, true));
      exits.push(workExit(programs[frame.file], line, then));
    }
    if (ups < this.#policy.ups) exits.push([symbolOf('up'), () => this.start(ups + 1)]);
    const base = ups < this.#view.height ? this.#view.at(ups) : null;
    if (base) {
      exits.push(...this.#kinds(this.#policy.kept(ups), base));
      if (this.#policy.deep) exits.push([symbolOf('same'), () => this.#passed(base, ups)]);
    }
    exits.push(...this.#pushes(ups));
    return choice(new Exits(exits));
  }

  #exits(): Exit[] {
    return [...this.#policy.exits].map((exit): Exit => {
      if (exit === 'entry') return [symbolOf('inv_exit_entry'), () => choice(new Exits([END_OF_ANSWER]))];
      return [symbolOf(`exit_${exit}`), () => choice(new Exits(exitEnds()))];
    });
  }

  /** A new frame, the current one or, of a deep push, one below it. */
  #pushes(ups: number): Exit[] {
    let pushed = this.#pushed.get(ups);
    if (!pushed) this.#pushed.set(ups, (pushed = this.#policy.pushed(ups)));
    const { calls, others } = pushed;
    const { deep } = this.#policy;
    const exits: Exit[] = [];
    if (calls.length > 0) {
      exits.push([symbolOf('call'), () => this.#where(calls, (where) => this.#changed(where, 'call'))]);
    }
    const stops = new Map(others.map((where) => [`${where.file}:${where.scope}`, where.stops]));
    const frames: readonly Where[] = deep ? this.#view.all() : others;
    if (frames.length > 0) {
      const then = (where: Where) => {
        const kinds = this.#kinds(stops.get(`${where.file}:${where.scope}`) ?? NO_STOPS, where);
        return deep ? this.#passed(where, ups, kinds) : choice(new Exits(kinds));
      };
      exits.push([symbolOf('frame'), () => this.#where(frames, then)]);
    }
    return exits;
  }

  /** CHANGES `<|at|><|Ln|>` of a frame that another one is pushed upon; `kinds`: or it is the current one. */
  #passed(place: Place, ups: number, kinds: readonly Exit[] = []): AutomatonState {
    const then = once(() => choice(new Exits(this.#pushes(ups))));
    const lines = this.#view.lines(place);
    const at: Exit = [
      symbolOf('at'),
      () => choice(new Exits(lines.map((line): Exit => [symbolOfLine(line), then]))),
    ];
    return changes(this.#locals(place), [at], kinds);
  }

  /** `<|KIND|><|Ln|>` and all that follows. */
  #kinds(stops: Stops, place: Place): Exit[] {
    return [...stops].flatMap(([kind, lines]): Exit[] => {
      if (lines.length === 0) return [];
      const then = once(() => this.#changed(place, kind));
      if (kind === 'call') return [[symbolOf(kind), () => this.#where([place], then)]];
      return [
        [symbolOf(kind), () => choice(new Exits(lines.map((line): Exit => [symbolOfLine(line), then])))],
      ];
    });
  }

  /** The rest of an answer after its kind and line. */
  #changed(place: Place, kind: Parameters<typeof stateEnds>[0]): AutomatonState {
    const ends = stateEnds(kind);
    const globals = () => assignments(this.#globals(place), ends);
    return changes(this.#locals(place), [[symbolOf('glob'), globals], ...ends]);
  }

  /** WHERE, then what `then` gives for the scope named. */
  #where(scopes: readonly Where[], then: (where: Where) => AutomatonState): AutomatonState {
    const { programs } = this.#situation;
    const named = new Map<number, Map<string, Where>>();
    for (const where of scopes) {
      const line = namingLine(programs, where);
      const symbol = where.file > 0 ? symbolOf('main') : symbolOfLine(line);
      const rank = scopesNamed(programs, where.file, line).indexOf(where.scope);
      const ranks = named.get(symbol) ?? new Map<string, Where>();
      named.set(symbol, ranks.set(rank > 0 ? `#${rank}` : '', where));
    }
    return choice(new Exits([...named].map(([symbol, ranks]): Exit => [symbol, () => ranked(ranks, then)])));
  }

  /** The names a frame can have: those of its scope, and those it already has. */
  #locals(place: Place): NameSets {
    const old = 'locals' in place && place.known ? [...place.locals.keys()] : [];
    return {
      set: Words.of([...this.#view.alike(place).flatMap((scope) => scope.names), ...old]),
      del: Words.of(old),
    };
  }

  #globals(place: Place): NameSets {
    const old = 'globals' in place ? [...place.globals.keys()] : [];
    return {
      set: Words.of([...this.#view.alike(place).flatMap((scope) => scope.globals), ...old]),
      del: Words.of(old),
    };
  }
}

/** The `#k` after a scope's line, where there is one to choose. */
function ranked(ranks: ReadonlyMap<string, Where>, then: (where: Where) => AutomatonState): AutomatonState {
  const plain = ranks.get('');
  if (ranks.size === 1 && plain) return then(plain);
  // What follows a rank depends on it: the key must tell.
  const label = [...ranks].map(([rank, where]) => `${rank}:${then(where).key}`).join(' ');
  const state = (rank: Reading): AutomatonState => ({
    key: `${rank.key}${label}`,
    done: false,
    next: (symbol) => {
      const more = symbol < 256 ? rank.next(symbol) : null;
      if (more) return state(more);
      const where = rank.word === null ? undefined : ranks.get(rank.word);
      return where ? then(where).next(symbol) : null;
    },
  });
  return state(Words.of(ranks.keys()).reading());
}
