/**
 * @file The control flow of one frame as a graph of atoms: a simple statement or a header each, with
 * edges for what runs next and for what an exception reaches. Follows CPython's compiler where that
 * decides which lines are seen: `with` is revisited on every way out, `finally` ends in all of them.
 */
import type { Block } from './block.ts';
import { irrefutable, patternValues } from './patterns.ts';
import { type Expr, type Head, parts, type Stmt, type Suite } from './syntax.ts';

/** Targets of edges that leave the frame. */
export const RETURN = -1;
export const ESCAPE = -2;

export interface Atom {
  /** First physical line; the unit is looked up by it. 0: a join without a line. */
  readonly line: number;
  /** False: no event of its own, though its expressions may run. */
  readonly visible: boolean;
  readonly exprs: readonly Expr[];
  /** The statement it belongs to; null for joins and lambdas. */
  readonly stmt: Stmt | null;
  readonly normal: Set<number>;
  readonly raise: Set<number>;
}

export interface Graph {
  readonly atoms: readonly Atom[];
  readonly entry: number;
}

/** Where control goes from inside a suite; routing through `finally` or `with` happens on asking. */
interface Exits {
  readonly ret: () => number;
  readonly raise: () => number;
  readonly brk: () => number;
  readonly cont: () => number;
}

export function graphOf(block: Block): Graph {
  return new Builder(block).build();
}

class Builder {
  readonly #block: Block;
  readonly #atoms: Atom[] = [];

  constructor(block: Block) {
    this.#block = block;
  }

  build(): Graph {
    const { node } = this.#block;
    const ret = (): number => RETURN;
    const exits: Exits = { ret, raise: () => ESCAPE, brk: ret, cont: ret };
    let entry: number;
    if (Array.isArray(node)) entry = this.#suite(node as Suite, RETURN, exits);
    else if ('body' in node && Array.isArray(node.body)) entry = this.#body(node.body as Suite, exits);
    else {
      const body = (node as Extract<Expr, { type: 'lambda' }>).body;
      entry = this.#atom({ first: (node as Expr).line }, [RETURN], [ESCAPE], [body]);
    }
    return { atoms: this.#atoms, entry };
  }

  /** A function or class body. A function that has nothing to stop at stops at its own header. */
  #body(body: Suite, exits: Exits): number {
    const entry = this.#suite(body, RETURN, exits);
    if (this.#block.kind !== 'function' || this.#atoms.some((a) => a.visible)) return entry;
    return this.#atom({ first: this.#block.line }, [RETURN], [ESCAPE]);
  }

  #atom(
    head: Pick<Head, 'first'>,
    normal: readonly number[],
    raise: readonly number[],
    exprs: readonly Expr[] = [],
    stmt: Stmt | null = null,
    visible = true,
  ): number {
    return (
      this.#atoms.push({
        line: head.first,
        visible,
        exprs,
        stmt,
        normal: new Set(normal),
        raise: new Set(raise),
      }) - 1
    );
  }

  #join(): number {
    return this.#atom({ first: 0 }, [], [], [], null, false);
  }

  #link(from: number, to: number): void {
    this.#atoms[from]?.normal.add(to);
  }

  /** The entry of a suite after which `next` runs. */
  #suite(suite: Suite, next: number, exits: Exits): number {
    let entry = next;
    for (let i = suite.length - 1; i >= 0; i--)
      entry = this.#statement(suite[i] as Stmt, entry, exits, suite);
    return entry;
  }

  #statement(s: Stmt, next: number, exits: Exits, suite: Suite): number {
    switch (s.type) {
      case 'simple':
        return this.#simple(s, next, exits, suite);
      case 'def':
        return this.#atom(s.head, [next], [exits.raise()], headerOf(s), s);
      case 'class':
        return this.#atom(s.head, [next], [exits.raise()], headerOf(s), s);
      case 'if':
        return this.#if(s, next, exits);
      case 'while':
      case 'for':
        return this.#loop(s, next, exits);
      case 'with':
        return this.#with(s, next, exits);
      case 'try':
        return this.#try(s, next, exits);
      case 'match':
        return this.#match(s, next, exits);
    }
  }

  #simple(s: Extract<Stmt, { type: 'simple' }>, next: number, exits: Exits, suite: Suite): number {
    const exprs = [...s.values, ...s.targets];
    const raise = [exits.raise()];
    // A `StopAsyncIteration` out of `await` has no event of its own either.
    const quiet = exprs.some(awaits) ? raise : [];
    switch (s.kind) {
      case 'return':
        return this.#atom(s.head, [exits.ret(), ...quiet], raise, exprs, s);
      case 'raise':
        // A bare `raise` has no event of its own: what handles it is the next line.
        return this.#atom(s.head, s.values.length === 0 ? raise : [], raise, exprs, s);
      // These four cannot raise: edges from them would make every `try` around them look useful.
      case 'break':
        return this.#atom(s.head, [exits.brk()], [], exprs, s);
      case 'continue':
        return this.#atom(s.head, [exits.cont()], [], exprs, s);
      case 'pass':
        return this.#atom(s.head, [next], [], exprs, s);
      default:
        return this.#atom(s.head, [next, ...quiet], raise, exprs, s, !this.#silent(s, suite));
    }
  }

  #silent(s: Extract<Stmt, { type: 'simple' }>, suite: Suite): boolean {
    if (s.kind === 'global' || s.kind === 'nonlocal') return true;
    if (s.kind === 'annotate') return s.values.length === 0;
    if (s.kind === 'delete') return s.targets.every((t) => t.type === 'tuple' && t.kids.length === 0);
    const { kind, node } = this.#block;
    if (
      kind !== 'function' ||
      s.kind !== 'expr' ||
      suite[0] !== s ||
      !('body' in node) ||
      node.body !== suite
    )
      return false;
    const [value] = s.values;
    return value?.type === 'const' && value.text === true;
  }

  #if(s: Extract<Stmt, { type: 'if' }>, next: number, exits: Exits): number {
    let otherwise = this.#suite(s.orelse, next, exits);
    for (let i = s.branches.length - 1; i >= 0; i--) {
      const { head, test, body } = s.branches[i] as (typeof s.branches)[number];
      const then = this.#suite(body, next, exits);
      otherwise = this.#atom(head, tested(test, then, otherwise), [exits.raise()], [test], s);
    }
    return otherwise;
  }

  #loop(s: Extract<Stmt, { type: 'while' | 'for' }>, next: number, exits: Exits): number {
    const exprs = s.type === 'while' ? [s.test] : [s.iter, s.target];
    const header = this.#atom(s.head, [], [exits.raise()], exprs, s);
    const body = this.#suite(s.body, header, { ...exits, brk: () => next, cont: () => header });
    const otherwise = this.#suite(s.orelse, next, exits);
    const ways = s.type === 'while' ? tested(s.test, body, otherwise) : [body, otherwise];
    for (const way of ways) this.#link(header, way);
    return header;
  }

  #with(s: Extract<Stmt, { type: 'with' }>, next: number, exits: Exits): number {
    // The header once more: `__exit__` runs there, whichever way the body ends.
    const exit = this.#atom(s.head, [], [exits.raise()], [], s);
    const via = (to: () => number) => (): number => {
      this.#link(exit, to());
      return exit;
    };
    const swallow = (): number => {
      this.#link(exit, next);
      this.#link(exit, exits.raise());
      return exit;
    };
    const inner: Exits = { ret: via(exits.ret), brk: via(exits.brk), cont: via(exits.cont), raise: swallow };
    const body = this.#suite(s.body, via(() => next)(), inner);
    const exprs = s.items.flatMap((item) => (item.target ? [item.value, item.target] : [item.value]));
    const raise =
      s.items.length > 1 || s.items.some((item) => item.target)
        ? [exits.raise(), swallow()]
        : [exits.raise()];
    return this.#atom(s.head, [body], raise, exprs, s);
  }

  #try(s: Extract<Stmt, { type: 'try' }>, next: number, exits: Exits): number {
    let outer = exits;
    let after = next;
    if (s.final.length > 0) {
      const end = this.#join();
      const entry = this.#suite(s.final, end, exits);
      const via = (to: () => number) => (): number => {
        this.#link(end, to());
        return entry;
      };
      outer = { ret: via(exits.ret), brk: via(exits.brk), cont: via(exits.cont), raise: via(exits.raise) };
      this.#link(end, next);
      after = entry;
    }
    const handler = this.#handlers(s, after, outer);
    const otherwise = this.#suite(s.orelse, after, outer);
    const body = this.#suite(
      s.body,
      otherwise,
      handler === null ? outer : { ...outer, raise: () => handler },
    );
    return this.#atom(s.head, [body], [], [], s);
  }

  /** The first handler's header; an exception that none wants leaves from the last one's. */
  #handlers(s: Extract<Stmt, { type: 'try' }>, after: number, outer: Exits): number | null {
    let entry: number | null = null;
    for (let i = s.handlers.length - 1; i >= 0; i--) {
      const { head, kind, body } = s.handlers[i] as (typeof s.handlers)[number];
      const past = entry ?? outer.raise();
      // `except*` runs every handler that fits, then raises what is left.
      const done = s.star ? this.#starred(head, [past, after], s) : after;
      const raise = s.star ? [past, outer.raise()] : [outer.raise()];
      const then = this.#suite(body, done, s.star ? { ...outer, raise: () => done } : outer);
      entry = this.#atom(head, kind === null ? [then] : [then, past], raise, kind ? [kind] : [], s);
    }
    return entry;
  }

  /** The way out of an `except*` body: past its header once more, or not (CPython 3.11-3.13 do both). */
  #starred(head: Head, ways: readonly number[], s: Stmt): number {
    const again = this.#atom(head, ways, [], [], s);
    const done = this.#join();
    for (const to of [again, ...ways]) this.#link(done, to);
    return done;
  }

  #match(s: Extract<Stmt, { type: 'match' }>, next: number, exits: Exits): number {
    let otherwise = next;
    for (let i = s.cases.length - 1; i >= 0; i--) {
      const { head, pattern, guard, body } = s.cases[i] as (typeof s.cases)[number];
      const then = this.#suite(body, next, exits);
      const exprs = [...patternValues(pattern), ...(guard ? [guard] : [])];
      const ways = irrefutable(pattern)
        ? guard
          ? tested(guard, then, otherwise)
          : [then]
        : [then, otherwise];
      otherwise = this.#atom(head, ways, [exits.raise()], exprs, s);
    }
    return this.#atom(s.head, [otherwise], [exits.raise()], [s.subject], s);
  }
}

function awaits(e: Expr): boolean {
  return e.type === 'await' || parts(e).some(awaits);
}

/** What a definition's header evaluates besides its decorators. */
function headerOf(s: Extract<Stmt, { type: 'def' | 'class' }>): readonly Expr[] {
  if (s.type === 'class') return [...s.bases, ...s.keywords];
  const params = s.params.flatMap((p) => [p.default, p.annotation]);
  return [...params, s.returns].filter((e) => e !== null);
}

/** Both ways, or the one that a constant test leaves. */
function tested(test: Expr, then: number, otherwise: number): readonly number[] {
  const truth = truthOf(test);
  return truth === null ? [then, otherwise] : [truth ? then : otherwise];
}

function truthOf(e: Expr): boolean | null {
  if (e.type === 'const') return e.truth;
  if (e.type === 'name' && e.id === '__debug__') return true;
  if (e.type !== 'not') return null;
  const inner = truthOf(e.kids[0] as Expr);
  return inner === null ? null : !inner;
}
