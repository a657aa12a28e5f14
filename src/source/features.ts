/** @file What a line does that may open a frame, read off its expressions. Lambda bodies are not part of it. */
import type { Atom } from './graph.ts';
import { type Expr, parts } from './syntax.ts';

/** Operations that may run a method of the program without naming it. */
export type Operation =
  | 'call'
  | 'iterate'
  | 'subscript'
  | 'arithmetic'
  | 'compare'
  | 'test'
  | 'attribute'
  | 'format'
  | 'enter'
  | 'await';

export interface Features {
  readonly operations: Set<Operation>;
  /** Names and attribute names in the place of a callee. */
  readonly calledNames: Set<string>;
  readonly calledAttributes: Set<string>;
  /** Attribute names read, stored or deleted. */
  readonly attributes: Set<string>;
  /** Names used as values: what they hold may be called by anyone from then on. */
  readonly values: Set<string>;
  /** Names and attributes called inside generator expressions: their calls come when somebody iterates. */
  readonly lazy: Set<string>;
  suspends: boolean;
}

export function featuresOf(atom: Pick<Atom, 'exprs' | 'stmt'>): Features {
  const f: Features = {
    operations: new Set(),
    calledNames: new Set(),
    calledAttributes: new Set(),
    attributes: new Set(),
    values: new Set(),
    lazy: new Set(),
    suspends: false,
  };
  for (const e of atom.exprs) expr(e, f, false);
  const s = atom.stmt;
  if (s?.type === 'if' || s?.type === 'while') f.operations.add('test');
  if (s?.type === 'for') f.operations.add('iterate');
  if (s?.type === 'with') f.operations.add('enter').add('call');
  if (s?.type === 'match')
    for (const op of ['compare', 'attribute', 'subscript', 'test'] as const) f.operations.add(op);
  if ((s?.type === 'for' || s?.type === 'with') && s.async) {
    f.operations.add('await');
    f.suspends = true;
  }
  if (s?.type === 'def' && s.decorators.length > 0) f.operations.add('call');
  if (s?.type === 'class') f.operations.add('call');
  if (s?.type === 'def' || s?.type === 'class') {
    // `@property` itself runs nothing; `property(f)` elsewhere makes `f` one under another name.
    const decorators = s.decorators.filter((d) => d.type !== 'name' || d.id !== 'property');
    for (const d of decorators) called(d, f, false);
  }
  if (s?.type === 'simple') {
    if (s.kind === 'augment') f.operations.add('arithmetic');
    if (s.kind === 'assert') f.operations.add('test').add('call');
    if (s.kind === 'raise') f.operations.add('call');
    if (s.targets.some((t) => t.type === 'tuple' || t.type === 'list')) f.operations.add('iterate');
  }
  return f;
}

/** A callee is named, not used as a value: the object it is looked up on is. */
function called(e: Expr, f: Features, lazy: boolean): void {
  if (e.type === 'name') f.calledNames.add(e.id);
  else if (e.type === 'attr') {
    f.calledAttributes.add(e.id);
    f.operations.add('attribute');
    for (const kid of e.kids) expr(kid, f, lazy);
  } else {
    f.operations.add('call');
    expr(e, f, lazy);
  }
  if (lazy && (e.type === 'name' || e.type === 'attr')) f.lazy.add(e.id);
}

function expr(e: Expr, f: Features, lazy: boolean): void {
  switch (e.type) {
    case 'name':
      f.values.add(e.id);
      return;
    case 'attr':
      f.attributes.add(e.id);
      f.operations.add('attribute');
      break;
    case 'call':
      called(e.callee, f, lazy);
      for (const kid of e.kids) expr(kid, f, lazy);
      return;
    case 'comp':
      f.operations.add('iterate');
      if (e.clauses.some((c) => c.ifs.length > 0)) f.operations.add('test');
      if (e.clauses.some((c) => c.async)) f.suspends = true;
      lazy = lazy || e.kind === 'genexpr';
      // The elements of sets and dictionaries are hashed.
      if (e.kind !== 'listcomp') f.operations.add('subscript');
      break;
    case 'sub':
    case 'set':
    case 'dict':
      f.operations.add('subscript');
      break;
    case 'op':
      f.operations.add('arithmetic');
      break;
    case 'cmp':
      f.operations.add('compare');
      break;
    case 'bool':
    case 'not':
    case 'cond':
      f.operations.add('test');
      break;
    case 'fstring':
      f.operations.add('format');
      break;
    case 'star':
    case 'yieldfrom':
    case 'yield':
    case 'await':
      if (e.type !== 'star') f.suspends = true;
      f.operations.add('iterate').add('await');
      break;
    default:
  }
  for (const part of parts(e)) expr(part, f, lazy);
}
