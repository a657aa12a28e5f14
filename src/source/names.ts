/** @file Which names are local, free or global in each block: the symbol table's second pass. */
import type { Block } from './block.ts';

export interface Names {
  /** Locals of a frame in order: parameters, bound, free. */
  readonly names: readonly string[];
  readonly globals: readonly string[];
  readonly free: readonly string[];
}

export function resolve(blocks: readonly Block[]): ReadonlyMap<Block, Names> {
  const free = new Map<Block, Set<string>>();
  const globals = new Map<Block, Set<string>>();
  for (const block of blocks) {
    free.set(block, new Set());
    globals.set(block, new Set());
  }
  const [module] = blocks;
  for (const block of blocks) {
    for (const name of block.declaredGlobal) {
      globals.get(block.owner)?.add(name);
      module?.bound.add(name);
      if (block.bound.has(name)) module?.rebound.add(name);
    }
    for (const name of new Set([...block.declaredNonlocal, ...block.used])) {
      if (block.isLocal(name) && block.kind !== 'module') continue;
      const between = definedOutside(block, name);
      if (between) {
        for (const b of between) free.get(b)?.add(name);
        if (block.bound.has(name)) (between.at(-1) as Block).parent?.rebound.add(name);
      } else if (name !== '__class__' || block.mangler === null) globals.get(block.owner)?.add(name);
    }
  }
  const classes = new Map(blocks.filter((b) => b.kind === 'class').map((b) => [b.name, b]));
  const out = new Map<Block, Names>();
  for (const block of blocks) {
    if (block.kind === 'hidden') continue;
    const bound = [...block.bound].filter((name) => block.kind === 'module' || block.isLocal(name));
    const own = [...(free.get(block) ?? [])];
    // A class body's frame shows its namespace only, not the cells it reads.
    const names = block.kind === 'class' ? [...bound, ...prepared(block, classes)] : [...bound, ...own];
    out.set(block, { names, globals: [...(globals.get(block) ?? [])], free: own });
  }
  return out;
}

/** What a metaclass puts into the namespace before the body runs: `enum` is the only one of the library that does. */
function prepared(block: Block, classes: ReadonlyMap<string, Block>): readonly string[] {
  const seen = new Set<Block>();
  const work = [block];
  for (let at = work.pop(); at; at = work.pop()) {
    if (seen.has(at) || !('bases' in at.node)) continue;
    seen.add(at);
    for (const base of [...at.node.bases, ...at.node.keywords]) {
      if (base.type !== 'name' && base.type !== 'attr') continue;
      const { id } = base;
      if (/(Enum|Flag|EnumType|EnumMeta)$/.test(id)) return block.bound.has(ENUM_HOOK) ? [] : [ENUM_HOOK];
      const own = classes.get(id);
      if (own) work.push(own);
    }
  }
  return [];
}

const ENUM_HOOK = '_generate_next_value_';

/** The blocks a free name passes through, from `block` up to below the one that binds it; null: global. */
function definedOutside(block: Block, name: string): readonly Block[] | null {
  if (block.declaredGlobal.has(name)) return null;
  const passed = [block];
  for (let p = block.parent; p && p.kind !== 'module'; p = p.parent) {
    if (p.kind !== 'class') {
      if (p.declaredGlobal.has(name)) return null;
      if (p.isLocal(name)) return passed;
    }
    passed.push(p);
  }
  return null;
}

/** The block whose local `name` is when used in `block`; the module for globals. */
export function home(block: Block, name: string): Block {
  let p: Block = block;
  if (!p.isLocal(name)) {
    const passed = definedOutside(block, name);
    p = passed ? ((passed.at(-1) as Block).parent as Block) : block;
    if (!passed) while (p.parent) p = p.parent;
  }
  return p;
}
