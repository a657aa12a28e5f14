/** @file A Python expression as the literal reader and the evaluator see it. */
import type { Value } from '../types.ts';

export type Expr =
  | { readonly type: 'value'; readonly value: Value }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'fstring'; readonly parts: readonly (string | Replacement)[] }
  | { readonly type: 'unary'; readonly op: '-' | '+' | '~' | 'not'; readonly of: Expr }
  | { readonly type: 'binary'; readonly op: string; readonly left: Expr; readonly right: Expr }
  /** `a < b <= c`: each operand is evaluated once. */
  | {
      readonly type: 'compare';
      readonly first: Expr;
      readonly rest: readonly { readonly op: string; readonly right: Expr }[];
    }
  | { readonly type: 'logic'; readonly op: 'and' | 'or'; readonly left: Expr; readonly right: Expr }
  | { readonly type: 'if'; readonly test: Expr; readonly then: Expr; readonly otherwise: Expr }
  | { readonly type: 'index'; readonly of: Expr; readonly index: Expr }
  | {
      readonly type: 'slice';
      readonly from: Expr | null;
      readonly to: Expr | null;
      readonly step: Expr | null;
    }
  | { readonly type: 'attribute'; readonly of: Expr; readonly name: string }
  | {
      readonly type: 'call';
      readonly of: Expr;
      /** `star` items are spread. */
      readonly args: readonly Expr[];
      /** A null name: `**mapping`. */
      readonly keywords: readonly (readonly [string | null, Expr])[];
    }
  | { readonly type: 'star'; readonly of: Expr }
  | { readonly type: 'list' | 'tuple' | 'set'; readonly items: readonly Expr[] }
  /** A null key: `**mapping`. */
  | { readonly type: 'dict'; readonly entries: readonly (readonly [Expr | null, Expr])[] }
  | {
      readonly type: 'comprehension';
      readonly kind: 'list' | 'set' | 'dict' | 'generator';
      readonly element: Expr;
      /** Of a dict comprehension. */
      readonly value: Expr | null;
      readonly clauses: readonly Clause[];
    }
  | {
      readonly type: 'lambda';
      readonly params: readonly { readonly name: string; readonly default: Expr | null }[];
      readonly body: Expr;
    }
  /** Valid Python that neither reader handles; `what` names it for the user. */
  | { readonly type: 'other'; readonly what: string };

export interface Clause {
  readonly target: Expr;
  readonly iter: Expr;
  readonly ifs: readonly Expr[];
}

/** `{value!r:spec}`; `label` is the text before `=`. */
export interface Replacement {
  readonly value: Expr;
  readonly conversion: 'r' | 's' | 'a' | null;
  readonly spec: readonly (string | Replacement)[];
  readonly label: string;
}
