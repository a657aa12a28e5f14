/**
 * @file Which scopes a line may call. Over-approximate on purpose: a program's values are unknown, so a
 * callee that is not certain can be anything that was ever used as a value, and operations can be any
 * of the methods that Python runs for them.
 */
import { type Block, mangle } from './block.ts';
import { type Features, featuresOf, type Operation } from './features.ts';
import type { Atom } from './graph.ts';
import { home } from './names.ts';

export interface Part {
  readonly block: Block;
  readonly atoms: readonly Atom[];
}

/** Callbacks on the death of objects. */
const WATCHING = /^(ref|proxy|finalize|WeakMethod|gc)$/;
/** What `except*` runs, also where it ends. */
const GROUP = /^(derive|split|subgroup)$/;

const IMPORTING = /^(find_spec|find_module|create_module|exec_module|load_module|__import__)$/;

/** Gives each atom of each part the indexes of the parts that it may call. */
export type Targets = (part: number, atom: Atom) => ReadonlySet<number>;

/** Special methods of the operations that run nothing else; the others reach into iterators and callbacks. */
const METHODS: Readonly<Partial<Record<Operation, RegExp>>> = {
  test: /^__(bool|len)__$/,
  attribute: /^__(getattr|getattribute|setattr|delattr|get|set|delete)__$/,
  format: /^__(format|str|repr|len|bool)__$/,
};
const SPECIAL = /^__\w+__$/;
/** Names with which a program reaches functions that it never names. */
const REFLECTION =
  /^(getattr|globals|locals|vars|eval|exec|dir|methodcaller|attrgetter|getmembers|__dict__|__getattribute__|__class__|modules|main|testmod)$/;

export function callTargets(parts: readonly Part[]): Targets {
  const index = new Map<Block, number>(parts.map((p, i) => [p.block, i]));
  const features = new Map<Atom, Features>();
  for (const part of parts) for (const atom of part.atoms) features.set(atom, featuresOf(atom));
  const facts = gather(parts, [...features.values()]);
  const cache = new Map<Atom, ReadonlySet<number>>();
  return (at, atom) => {
    const known = cache.get(atom);
    if (known) return known;
    const found = new Set<number>();
    const add = (blocks: Iterable<Block>): void => {
      for (const block of blocks) found.add(index.get(block) as number);
    };
    const part = parts[at];
    const f = features.get(atom);
    if (part && f) for (const blocks of targetsOf(part.block, atom, f, facts)) add(blocks);
    cache.set(atom, found);
    return found;
  };
}

/** What is so everywhere in the program. */
interface Facts {
  readonly byName: ReadonlyMap<string, readonly Block[]>;
  readonly special: readonly Block[];
  /** Functions that are values somewhere: any uncertain call may be theirs. */
  readonly loose: readonly Block[];
  /** Bodies that run on iteration or await: generators, coroutines. */
  readonly suspended: readonly Block[];
  /** Methods that library code may call by name: their class has bases from elsewhere. */
  readonly hooks: readonly Block[];
  /** Run whenever an object dies, on any line. */
  readonly finalizers: readonly Block[];
  /** Run by `import`. */
  readonly importers: readonly Block[];
  readonly decorated: ReadonlySet<Block>;
  /** Special methods may be functions of another name, attributes may be properties. */
  readonly aliases: boolean;
}

function gather(parts: readonly Part[], all: readonly Features[]): Facts {
  const functions = parts.map((p) => p.block).filter((b) => b.kind === 'function' || b.kind === 'lambda');
  const byName = new Map<string, Block[]>();
  const put = (name: string, b: Block): void => {
    const list = byName.get(name);
    if (list) list.push(b);
    else byName.set(name, [b]);
  };
  for (const b of functions) {
    put(b.name, b);
    if (mangle(b.name, b.mangler) !== b.name) put(mangle(b.name, b.mangler), b);
  }
  const values = new Set(all.flatMap((f) => [...f.values, ...f.attributes]));
  const lazy = new Set(all.flatMap((f) => [...f.lazy]));
  const called = new Set(all.flatMap((f) => [...f.calledNames, ...f.calledAttributes]));
  const reflects = [...values, ...called].some((name) => REFLECTION.test(name));
  const decorated = new Set(functions.filter((b) => 'decorators' in b.node && b.node.decorators.length > 0));
  const isLoose = (b: Block): boolean =>
    reflects || b.kind === 'lambda' || decorated.has(b) || values.has(b.name) || lazy.has(b.name);
  const watches = [...values, ...called].some((name) => WATCHING.test(name));
  const groups = parts.some((p) => p.atoms.some((a) => a.stmt?.type === 'try' && a.stmt.star));
  const classes = parts.map((p) => p.block).filter((b) => b.kind === 'class');
  const own = new Set(classes.map((c) => c.name));
  const foreign = new Set(
    classes.filter(
      (c) =>
        'bases' in c.node &&
        (c.node.keywords.length > 0 ||
          c.node.bases.some((e) => e.type !== 'name' || (e.id !== 'object' && !own.has(e.id)))),
    ),
  );
  return {
    byName,
    special: functions.filter((b) => SPECIAL.test(b.name)),
    loose: functions.filter(isLoose),
    suspended: functions.filter((b) => b.generator || b.async),
    // A subclass of such a class is one too; telling them apart is not worth a second pass.
    hooks: foreign.size > 0 ? functions.filter((b) => b.parent?.owner.kind === 'class') : [],
    finalizers: functions.filter(
      (b) => b.name === '__del__' || (watches && isLoose(b)) || (groups && GROUP.test(b.name)),
    ),
    importers: functions.filter((b) => IMPORTING.test(b.name)),
    decorated,
    aliases:
      called.has('property') ||
      values.has('property') ||
      classes.some((c) => [...c.bound].some((name) => SPECIAL.test(name) && !c.definitions.has(name))),
  };
}

function* targetsOf(block: Block, atom: Atom, f: Features, facts: Facts): Generator<Iterable<Block>> {
  yield facts.finalizers;
  if (atom.stmt?.type === 'class')
    yield block.definitions.get(mangle(atom.stmt.name, block.mangler))?.filter((b) => b.node === atom.stmt) ??
      [];
  if (atom.stmt?.type === 'simple' && atom.stmt.kind === 'import') yield facts.importers;
  let uncertain = f.calledAttributes.size > 0;
  for (const name of f.calledNames) {
    const certain = certainly(block, name, facts);
    yield certain?.filter((b) => !b.generator && !b.async) ?? facts.byName.get(name) ?? [];
    if (!certain) uncertain = true;
  }
  for (const name of f.calledAttributes) yield facts.byName.get(name) ?? [];
  for (const name of f.attributes) yield (facts.byName.get(name) ?? []).filter((b) => facts.decorated.has(b));
  for (const operation of f.operations) {
    const methods = METHODS[operation];
    if (!methods) uncertain = true;
    else yield facts.special.filter((b) => methods.test(b.name));
    if (facts.aliases) yield facts.loose;
  }
  if (uncertain) {
    yield facts.special;
    yield facts.hooks;
    yield facts.loose;
    yield facts.suspended;
  }
}

/** The functions that a called name means for sure, or null. */
function certainly(block: Block, name: string, facts: Facts): readonly Block[] | null {
  const own = mangle(name, block.mangler);
  const where = home(block, own);
  const defined = where.definitions.get(own);
  if (!defined?.every((b) => b.kind === 'function' && !facts.decorated.has(b))) return null;
  // A second binding by other means hides what the name holds.
  return where.rebound.has(own) ? null : defined;
}
