/**
 * @file Which scopes a line may call. Over-approximate on purpose: a program's values are unknown, so a
 * callee that is not certain can be anything that was ever used as a value, and operations can be any
 * of the methods that Python runs for them.
 */
import { type Block, mangle } from './blocks.ts';
import { type Features, featuresOf, type Operation } from './features.ts';
import type { Atom } from './graph.ts';
import { home } from './names.ts';

export interface Part {
  readonly block: Block;
  readonly atoms: readonly Atom[];
}

/** Gives each atom of each part the indexes of the parts that it may call. */
export type Targets = (part: number, atom: Atom) => ReadonlySet<number>;

/** Special methods by the operation that runs them; all of them are run by some builtin call. */
const METHODS: Readonly<Record<Exclude<Operation, 'call'>, RegExp>> = {
  iterate: /^__(iter|next|len|length_hint|getitem|reversed|aiter|anext|bool|eq|hash|contains|await)__$/,
  subscript: /^__((get|set|del)item|missing|class_getitem|index|hash|eq|len|contains)__$/,
  arithmetic:
    /^__([ri]?(add|sub|mul|matmul|truediv|floordiv|mod|divmod|pow|lshift|rshift|and|or|xor)|neg|pos|abs|invert|index|int|float|iter|len|getitem|eq|hash|str|repr|format|next)__$/,
  compare: /^__(lt|le|gt|ge|eq|ne|hash|contains|iter|next|getitem|len|bool|instancecheck)__$/,
  test: /^__(bool|len)__$/,
  attribute: /^__(getattr|getattribute|setattr|delattr|get|set|delete)__$/,
  format: /^__(format|str|repr|len|bool)__$/,
  enter: /^__a?(enter|exit)__$/,
  await: /^__(await|iter|next|aiter|anext|aenter|aexit)__$/,
};
const SPECIAL = /^__\w+__$/;
/** Names with which a program reaches functions that it never names. */
const REFLECTION =
  /^(getattr|globals|locals|vars|eval|exec|dir|methodcaller|attrgetter|getmembers|__dict__|__getattribute__|__class__|modules)$/;
const LAZY: ReadonlySet<Operation> = new Set([
  'iterate',
  'await',
  'call',
  'enter',
  'subscript',
  'compare',
  'arithmetic',
]);

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
  readonly finalizers: readonly Block[];
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
  const lazy = new Set(all.flatMap((f) => [...f.lazyNames]));
  const called = new Set(all.flatMap((f) => [...f.calledNames, ...f.calledAttributes]));
  const reflects = [...values, ...called].some((name) => REFLECTION.test(name));
  const decorated = new Set(functions.filter((b) => 'decorators' in b.node && b.node.decorators.length > 0));
  const isLoose = (b: Block): boolean =>
    reflects || b.kind === 'lambda' || decorated.has(b) || values.has(b.name) || lazy.has(b.name);
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
    finalizers: functions.filter((b) => b.name === '__del__'),
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
  let opaque = f.operations.has('call') || f.calledAttributes.size > 0;
  for (const name of f.calledNames) {
    const certain = certainly(block, name, facts);
    if (certain) yield certain.filter((b) => !b.generator && !b.async);
    else opaque = true;
  }
  for (const name of f.calledAttributes) yield facts.byName.get(name) ?? [];
  for (const name of f.attributes) yield (facts.byName.get(name) ?? []).filter((b) => facts.decorated.has(b));
  if (opaque) {
    yield facts.special;
    yield facts.hooks;
    yield facts.loose;
  }
  for (const operation of f.operations) {
    if (operation === 'call') continue;
    yield facts.special.filter((b) => METHODS[operation].test(b.name));
    if (facts.aliases) yield facts.loose;
  }
  if (opaque || [...f.operations].some((operation) => LAZY.has(operation))) {
    yield facts.suspended;
    yield facts.loose;
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
