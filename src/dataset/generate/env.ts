/** @file What a generator knows at a point of the program it is writing: the variables in reach and their types. */
import type { Random } from '../../common/random.ts';
import { NAMES, RESULT_NAMES } from './names.ts';
import type { Ty } from './values.ts';

export interface Variable {
  readonly name: string;
  readonly type: Ty;
  /** Not to be changed here: it is being iterated over, or it steers a loop. */
  readonly frozen: boolean;
}

/** A function that can be called by its bare name. */
export interface Callable {
  readonly name: string;
  readonly params: readonly Ty[];
  readonly result: Ty;
}

export class Env {
  readonly r: Random;
  readonly variables: readonly Variable[];
  readonly functions: readonly Callable[];
  /** Names no new variable may take. */
  readonly taken: Set<string>;
  readonly inLoop: boolean;

  constructor(
    r: Random,
    variables: readonly Variable[] = [],
    functions: readonly Callable[] = [],
    taken: Set<string> = new Set(functions.map((f) => f.name)),
    inLoop = false,
  ) {
    this.r = r;
    this.variables = variables;
    this.functions = functions;
    this.taken = taken;
    this.inLoop = inLoop;
  }

  with(...more: readonly Variable[]): Env {
    const names = new Set(more.map((v) => v.name));
    const kept = this.variables.filter((v) => !names.has(v.name));
    return new Env(this.r, [...kept, ...more], this.functions, this.taken, this.inLoop);
  }

  freeze(...names: readonly string[]): Env {
    const variables = this.variables.map((v) => (names.includes(v.name) ? { ...v, frozen: true } : v));
    return new Env(this.r, variables, this.functions, this.taken, this.inLoop);
  }

  looping(): Env {
    return new Env(this.r, this.variables, this.functions, this.taken, true);
  }

  /** Names of variables of these types; `str` includes `ch`. */
  of(...types: readonly Ty[]): string[] {
    return this.variables
      .filter((v) => types.includes(v.type) || (v.type === 'ch' && types.includes('str')))
      .map((v) => v.name);
  }

  /** The same, of those that may be changed. */
  mutable(...types: readonly Ty[]): string[] {
    return this.variables.filter((v) => !v.frozen && types.includes(v.type)).map((v) => v.name);
  }

  /** Mostly the variables that were bound last: real code uses what it has just made. */
  recent(names: readonly string[]): string {
    const at = Math.floor(names.length * this.r.next() ** 0.4);
    return names[Math.min(at, names.length - 1)]!;
  }

  fresh(type: Ty, pool: readonly string[] = NAMES[type]): string {
    const free = pool.filter((name) => !this.taken.has(name));
    let name: string;
    if (free.length) name = free[Math.floor(free.length * this.r.next() ** 1.6)]!;
    else {
      let n = 2;
      const stem = this.r.pick(pool);
      while (this.taken.has(`${stem}${n}`)) n++;
      name = `${stem}${n}`;
    }
    this.taken.add(name);
    return name;
  }

  freshResult(type: Ty): string {
    return this.fresh(type, RESULT_NAMES[type]);
  }
}
