/**
 * @file One block of a program: the names bound, used and declared in a module, function, class, lambda,
 * or in a comprehension or type parameter list (`hidden`: blocks to Python, no scopes of a trace).
 */
import type { ClassDef, Expr, FunctionDef, Suite } from './syntax.ts';
import type { ScopeKind } from './types.ts';

export interface Fresh {
  readonly kind: ScopeKind | 'hidden';
  readonly name: string;
  /** Physical lines; `line` is where its frames are called. */
  readonly line: number;
  readonly endLine: number;
  readonly node: Suite | FunctionDef | ClassDef | Expr;
  readonly params?: readonly string[];
  readonly async?: boolean;
  /** Of qualified names inside, where it does not follow from the kind. */
  readonly prefix?: string;
}

export class Block {
  readonly kind: ScopeKind | 'hidden';
  readonly name: string;
  readonly qualname: string;
  readonly parent: Block | null;
  /** The nearest block that is a scope: itself, unless hidden. */
  readonly owner: Block;
  readonly line: number;
  readonly endLine: number;
  readonly node: Fresh['node'];
  readonly params: readonly string[];
  /** Bound here, in order of first appearance. */
  readonly bound: Set<string>;
  readonly used = new Set<string>();
  readonly declaredGlobal = new Set<string>();
  readonly declaredNonlocal = new Set<string>();
  /** Blocks of the `def` and `class` statements here, by the name they bind. */
  readonly definitions = new Map<string, Block[]>();
  /** Names bound by anything else, from nested blocks that declare them too. */
  readonly rebound: Set<string>;
  generator = false;
  readonly async: boolean;
  /** Prefix of qualified names inside. */
  readonly prefix: string;
  /** Name of the innermost class around, which private names are mangled with. */
  readonly mangler: string | null;

  constructor(parent: Block | null, fresh: Fresh) {
    this.kind = fresh.kind;
    this.name = fresh.name;
    this.parent = parent;
    this.owner = parent && fresh.kind === 'hidden' ? parent.owner : this;
    this.line = fresh.line;
    this.endLine = fresh.endLine;
    this.node = fresh.node;
    this.qualname =
      parent && !parent.owner.declaredGlobal.has(fresh.name) ? parent.prefix + fresh.name : fresh.name;
    this.prefix = fresh.prefix ?? prefixOf(fresh.kind, this.qualname);
    this.mangler = fresh.kind === 'class' ? fresh.name : (parent?.mangler ?? null);
    this.async = fresh.async ?? false;
    this.params = (fresh.params ?? []).map((name) => mangle(name, this.mangler));
    this.bound = new Set(this.params);
    this.rebound = new Set(this.params);
  }

  bind(name: string): void {
    const own = mangle(name, this.mangler);
    this.bound.add(own);
    this.rebound.add(own);
  }

  define(inner: Block): void {
    const name = mangle(inner.name, this.mangler);
    this.bound.add(name);
    const known = this.definitions.get(name);
    if (known) known.push(inner);
    else this.definitions.set(name, [inner]);
  }

  use(name: string): void {
    this.used.add(mangle(name, this.mangler));
  }

  /** Bound here and nowhere else. */
  isLocal(name: string): boolean {
    return this.bound.has(name) && !this.declaredGlobal.has(name) && !this.declaredNonlocal.has(name);
  }
}

function prefixOf(kind: Fresh['kind'], qualname: string): string {
  if (kind === 'module' || kind === 'hidden') return '';
  return kind === 'class' ? `${qualname}.` : `${qualname}.<locals>.`;
}

/** `__x` inside class `C` is `_C__x`. */
export function mangle(name: string, mangler: string | null): string {
  if (mangler === null || !name.startsWith('__') || name.endsWith('__')) return name;
  const stripped = mangler.replace(/^_+/, '');
  return stripped === '' ? name : `_${stripped}${name}`;
}
