/** @file Puts the parts together: text in, `Program` out. Flow and call targets are made when first asked for. */
import type { Block } from './block.ts';
import { blocksOf } from './blocks.ts';
import { callTargets, type Part, type Targets } from './calls.ts';
import { featuresOf } from './features.ts';
import { type Flow, flowOf } from './flow.ts';
import { type Graph, graphOf } from './graph.ts';
import { type Names, resolve } from './names.ts';
import { misplaced } from './placement.ts';
import { parse } from './statements.ts';
import type { Program, Scope, Unit } from './types.ts';
import { type UnitTable, unitTable } from './units.ts';

/** Name of a call expression's own file; its module is called so too. */
const CALL = '<call>';

/** Reads any text; what is no Python is left out and reported in `errors`. Never throws. Linear in the text. */
export function parseProgram(text: string, name = 'main.py'): Program {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const { body, errors: unread } = parse(text);
  const errors = [...new Set([...unread, ...misplaced(body)])].sort((a, b) => a - b);
  const table = unitTable(body, lines.length);
  const blocks = blocksOf(body, name === CALL ? CALL : '<module>', lines.length);
  const names = resolve(blocks);
  const owners = blocks.filter((b) => b.kind !== 'hidden');
  const ids = new Map(owners.map((b, i) => [b, i]));
  const scopes = withSharedGlobals(owners.map((b, id) => scopeOf(b, id, ids, names.get(b) as Names, table)));
  return new Source(text, name, lines, scopes, errors, table, owners);
}

function scopeOf(
  b: Block,
  id: number,
  ids: ReadonlyMap<Block, number>,
  names: Names,
  table: UnitTable,
): Scope {
  return {
    id,
    kind: b.kind === 'hidden' ? 'function' : b.kind,
    name: b.name,
    qualname: b.qualname,
    line: b.kind === 'module' ? 1 : table.of(b.line),
    endLine: b.endLine,
    parent: b.parent ? (ids.get(b.parent.owner) as number) : null,
    params: b.params,
    ...names,
    generator: b.generator,
    async: b.async,
  };
}

/** Lambdas of one unit cannot always be told apart in a trace: each gets the global names of all. */
function withSharedGlobals(scopes: readonly Scope[]): readonly Scope[] {
  const shared = new Map<string, Set<string>>();
  const keyOf = (s: Scope): string => `${s.line} ${s.qualname}`;
  for (const s of scopes) {
    if (s.kind !== 'lambda') continue;
    const all = shared.get(keyOf(s));
    if (all) for (const name of s.globals) all.add(name);
    else shared.set(keyOf(s), new Set(s.globals));
  }
  return scopes.map((s) => (s.kind === 'lambda' ? { ...s, globals: [...(shared.get(keyOf(s)) ?? [])] } : s));
}

class Source implements Program {
  readonly text: string;
  readonly name: string;
  readonly lines: readonly string[];
  readonly scopes: readonly Scope[];
  readonly errors: readonly number[];
  readonly #table: UnitTable;
  readonly #blocks: readonly Block[];
  readonly #graphs: readonly Graph[];
  readonly #flows: (Flow | undefined)[] = [];
  readonly #byPlace = new Map<string, number[]>();
  #units: readonly Unit[] | undefined;
  #unitIndex: ReadonlyMap<number, readonly Unit[]> | undefined;
  #targets: Targets | undefined;

  constructor(
    text: string,
    name: string,
    lines: readonly string[],
    scopes: readonly Scope[],
    errors: readonly number[],
    table: UnitTable,
    blocks: readonly Block[],
  ) {
    this.text = text;
    this.name = name;
    this.lines = lines;
    this.scopes = scopes;
    this.errors = errors;
    this.#table = table;
    this.#blocks = blocks;
    this.#graphs = blocks.map(graphOf);
    for (const scope of scopes) {
      for (const key of [`${scope.line} ${scope.qualname}`, String(scope.line)]) {
        const list = this.#byPlace.get(key);
        if (list) list.push(scope.id);
        else this.#byPlace.set(key, [scope.id]);
      }
    }
  }

  get units(): readonly Unit[] {
    this.#units ??= [...this.#index().values()].flat();
    return this.#units;
  }

  linesOf(scope: number): readonly number[] {
    return this.#flow(scope)?.lines ?? [];
  }

  entriesOf(scope: number): readonly number[] {
    return this.#flow(scope)?.entries ?? [];
  }

  unitAt(line: number): Unit | null {
    const units = this.#index().get(this.#table.of(line)) ?? [];
    // A lambda's body belongs to its statement.
    const spoken = units.filter((u) => this.scopes[u.scope]?.kind !== 'lambda');
    return spoken.at(-1) ?? units.at(-1) ?? null;
  }

  unit(scope: number, line: number): Unit | null {
    return (
      this.#index()
        .get(line)
        ?.find((u) => u.scope === scope) ?? null
    );
  }

  successors(scope: number, line: number): ReturnType<Flow['successors']> {
    return (
      this.#flow(scope)?.successors(line) ?? {
        normal: [],
        exception: [],
        returns: false,
        escapes: false,
        yields: false,
      }
    );
  }

  predecessors(scope: number, line: number): readonly number[] {
    return this.#flow(scope)?.predecessors(line) ?? [];
  }

  callTargets(scope: number, line: number): readonly number[] {
    const graph = this.#graphs[scope];
    if (!graph) return [];
    this.#targets ??= callTargets(
      this.#blocks.map((block, i): Part => ({ block, atoms: this.#graphs[i]?.atoms ?? [] })),
    );
    const found = new Set<number>();
    for (const alike of this.#alike(this.scopes[scope] as Scope)) {
      for (const atom of this.#graphs[alike]?.atoms ?? []) {
        if (atom.line === 0 || this.#table.of(atom.line) !== line) continue;
        for (const target of this.#targets(alike, atom)) found.add(target);
      }
    }
    return [...found].sort((a, b) => a - b);
  }

  scopesAt(line: number): readonly number[] {
    return this.#byPlace.get(String(line)) ?? [];
  }

  scopeFor(qualname: string, line: number, locals?: Iterable<string>): number {
    const candidates = this.#byPlace.get(`${line} ${qualname}`) ?? [];
    if (!locals || candidates.length < 2) return candidates[0] ?? -1;
    const seen = new Set(locals);
    const fits = candidates.find((id) => {
      const { params, names } = this.scopes[id] as Scope;
      const known = new Set(names);
      return params.every((name) => seen.has(name)) && [...seen].every((name) => known.has(name));
    });
    return fits ?? (candidates[0] as number);
  }

  /** The scopes that a trace cannot tell from this one: lambdas of one unit in one function. */
  #alike({ line, qualname }: Scope): readonly number[] {
    return this.#byPlace.get(`${line} ${qualname}`) ?? [];
  }

  #flow(scope: number): Flow | undefined {
    const graph = this.#graphs[scope];
    const block = this.#blocks[scope];
    if (!graph || !block) return undefined;
    this.#flows[scope] ??= flowOf(
      graph,
      (line) => this.#table.of(line),
      block.kind === 'class' ? this.#table.of(block.line) : 0,
      (atom) => featuresOf(atom).suspends,
    );
    return this.#flows[scope];
  }

  /** Units by number, outer scopes first. */
  #index(): ReadonlyMap<number, readonly Unit[]> {
    if (this.#unitIndex) return this.#unitIndex;
    const found = new Map<string, Unit>();
    this.#graphs.forEach((graph, scope) => {
      for (const atom of graph.atoms) {
        const line = this.#table.of(atom.line);
        if (line === 0) continue;
        const key = `${line} ${scope}`;
        const known = found.get(key);
        const loop = atom.stmt?.type === 'for' || atom.stmt?.type === 'while' ? atom.stmt.bodyEnd : undefined;
        if (known && (known.loopEnd !== undefined || loop === undefined)) continue;
        const endLine = this.#table.end(line);
        const text = this.lines.slice(line - 1, endLine).join('\n');
        found.set(key, { line, endLine, scope, text, ...(loop === undefined ? {} : { loopEnd: loop }) });
      }
    });
    const index = new Map<number, Unit[]>();
    for (const unit of [...found.values()].sort((a, b) => a.line - b.line || a.scope - b.scope)) {
      const list = index.get(unit.line);
      if (list) list.push(unit);
      else index.set(unit.line, [unit]);
    }
    this.#unitIndex = index;
    return index;
  }
}
