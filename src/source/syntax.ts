/**
 * @file The syntax tree: Python's `ast` cut down to what control flow, names and calls need. Expressions
 * keep their operands and forget what is computed with them.
 */

interface Place {
  /** First and last physical line. */
  readonly line: number;
  readonly end: number;
}

export type Expr = Place &
  (
    | { readonly type: 'name'; readonly id: string }
    /** `truth`: what a test of it gives. */
    | { readonly type: 'const'; readonly truth: boolean; readonly text?: boolean }
    | { readonly type: 'attr'; readonly id: string; readonly kids: readonly Expr[] }
    | { readonly type: 'call'; readonly callee: Expr; readonly kids: readonly Expr[] }
    | { readonly type: 'walrus'; readonly id: string; readonly kids: readonly Expr[] }
    | { readonly type: 'lambda'; readonly params: readonly Param[]; readonly body: Expr }
    | {
        readonly type: 'comp';
        readonly kind: CompKind;
        readonly kids: readonly Expr[];
        readonly clauses: readonly Clause[];
      }
    | { readonly type: GroupType; readonly kids: readonly Expr[] }
  );

export type GroupType =
  | 'sub'
  | 'slice'
  | 'op'
  | 'cmp'
  | 'bool'
  | 'not'
  | 'cond'
  | 'fstring'
  | 'tuple'
  | 'list'
  | 'set'
  | 'dict'
  | 'star'
  | 'yield'
  | 'yieldfrom'
  | 'await';

export type CompKind = 'listcomp' | 'setcomp' | 'dictcomp' | 'genexpr';

export interface Clause {
  readonly target: Expr;
  readonly iter: Expr;
  readonly ifs: readonly Expr[];
  readonly async: boolean;
}

export interface Param {
  readonly name: string;
  readonly annotation: Expr | null;
  readonly default: Expr | null;
}

export type Pattern =
  /** `_` and `x`; `name` null for the wildcard. Matches everything. */
  | { readonly type: 'capture'; readonly name: string | null }
  /** Literals, dotted names. */
  | { readonly type: 'value'; readonly value: Expr }
  | { readonly type: 'as'; readonly pattern: Pattern; readonly name: string }
  | { readonly type: 'or'; readonly kids: readonly Pattern[] }
  | { readonly type: 'group'; readonly kids: readonly Pattern[] }
  | {
      readonly type: 'class';
      readonly value: Expr;
      readonly attributes: readonly string[];
      readonly kids: readonly Pattern[];
    };

/** A header: keyword to colon. `number` names its unit. */
export interface Head {
  readonly first: number;
  readonly last: number;
  readonly number: number;
}

export type SimpleKind =
  | 'expr'
  | 'assign'
  | 'augment'
  | 'annotate'
  | 'return'
  | 'raise'
  | 'delete'
  | 'pass'
  | 'break'
  | 'continue'
  | 'import'
  | 'global'
  | 'nonlocal'
  | 'assert'
  | 'type';

export interface Simple {
  readonly type: 'simple';
  readonly kind: SimpleKind;
  readonly head: Head;
  /** Bound or deleted. */
  readonly targets: readonly Expr[];
  readonly values: readonly Expr[];
  /** Evaluated by some versions only, but its names count. */
  readonly annotation: Expr | null;
  /** Names bound by `import` and `type`, declared by `global` and `nonlocal`. */
  readonly names: readonly string[];
}

export type Suite = readonly Stmt[];

export interface Handler {
  readonly head: Head;
  /** Null: catches everything. */
  readonly kind: Expr | null;
  readonly name: string | null;
  readonly body: Suite;
}

export interface Definition {
  readonly head: Head;
  readonly name: string;
  readonly decorators: readonly Expr[];
  readonly typeParams: readonly string[];
  readonly bounds: readonly Expr[];
  readonly body: Suite;
  /** Last physical line of the body. */
  readonly endLine: number;
}

export interface FunctionDef extends Definition {
  readonly type: 'def';
  readonly async: boolean;
  readonly params: readonly Param[];
  readonly returns: Expr | null;
}

export interface ClassDef extends Definition {
  readonly type: 'class';
  /** Bases; keyword values after them. */
  readonly bases: readonly Expr[];
  readonly keywords: readonly Expr[];
}

export type Stmt =
  | Simple
  | FunctionDef
  | ClassDef
  | {
      readonly type: 'if';
      readonly branches: readonly { readonly head: Head; readonly test: Expr; readonly body: Suite }[];
      readonly orelse: Suite;
    }
  | {
      readonly type: 'while';
      readonly head: Head;
      readonly test: Expr;
      readonly body: Suite;
      readonly orelse: Suite;
      readonly bodyEnd: number;
    }
  | {
      readonly type: 'for';
      readonly head: Head;
      readonly async: boolean;
      readonly target: Expr;
      readonly iter: Expr;
      readonly body: Suite;
      readonly orelse: Suite;
      readonly bodyEnd: number;
    }
  | {
      readonly type: 'with';
      readonly head: Head;
      readonly async: boolean;
      readonly items: readonly { readonly value: Expr; readonly target: Expr | null }[];
      readonly body: Suite;
    }
  | {
      readonly type: 'try';
      readonly head: Head;
      readonly body: Suite;
      readonly handlers: readonly Handler[];
      readonly star: boolean;
      readonly orelse: Suite;
      readonly final: Suite;
    }
  | {
      readonly type: 'match';
      readonly head: Head;
      readonly subject: Expr;
      readonly cases: readonly {
        readonly head: Head;
        readonly pattern: Pattern;
        readonly guard: Expr | null;
        readonly body: Suite;
      }[];
    };

/** The expressions directly inside one, lambda bodies excluded, comprehension parts included. */
export function parts(e: Expr): readonly Expr[] {
  if (e.type === 'name' || e.type === 'const') return [];
  if (e.type === 'call') return [e.callee, ...e.kids];
  if (e.type === 'lambda') return e.params.flatMap((p) => (p.default ? [p.default] : []));
  if (e.type === 'comp') return [...e.clauses.flatMap((c) => [c.iter, c.target, ...c.ifs]), ...e.kids];
  return e.kids;
}
