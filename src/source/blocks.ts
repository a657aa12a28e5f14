/**
 * @file The blocks of a program and the names each binds and uses: CPython's symbol table, first pass.
 * Comprehensions and type parameter lists are blocks of their own here, but no scopes of a trace.
 */
import { Block, type Fresh, mangle } from './block.ts';
import { captures, patternValues } from './patterns.ts';
import {
  type ClassDef,
  type Definition,
  type Expr,
  type FunctionDef,
  parts,
  type Stmt,
  type Suite,
} from './syntax.ts';

/** In the order of the text, parents first; the module is first. */
export function blocksOf(body: Suite, name: string, lines: number): readonly Block[] {
  return new Builder().module(body, name, lines);
}

class Builder {
  readonly #blocks: Block[] = [];

  module(body: Suite, name: string, lines: number): readonly Block[] {
    const block = this.#open(null, { kind: 'module', name, line: 1, endLine: lines, node: body });
    this.#suite(block, body);
    return this.#blocks;
  }

  #open(parent: Block | null, fresh: Fresh): Block {
    const block = new Block(parent, fresh);
    this.#blocks.push(block);
    return block;
  }

  #suite(block: Block, suite: Suite): void {
    for (const statement of suite) this.#statement(block, statement);
  }

  #statement(block: Block, s: Stmt): void {
    switch (s.type) {
      case 'simple':
        if (s.kind === 'global' || s.kind === 'nonlocal') {
          const declared = s.kind === 'global' ? block.declaredGlobal : block.declaredNonlocal;
          for (const name of s.names) declared.add(mangle(name, block.mangler));
          return;
        }
        this.#all(block, s.values);
        for (const target of s.targets) this.#target(block, target, s.kind === 'augment');
        if (s.annotation) this.#expr(block, s.annotation);
        for (const name of s.names) block.bind(name);
        return;
      case 'def':
        this.#function(block, s);
        return;
      case 'class':
        this.#class(block, s);
        return;
      case 'if':
        for (const branch of s.branches) {
          this.#expr(block, branch.test);
          this.#suite(block, branch.body);
        }
        this.#suite(block, s.orelse);
        return;
      case 'while':
        this.#expr(block, s.test);
        this.#suite(block, s.body);
        this.#suite(block, s.orelse);
        return;
      case 'for':
        this.#expr(block, s.iter);
        this.#target(block, s.target);
        this.#suite(block, s.body);
        this.#suite(block, s.orelse);
        return;
      case 'with':
        for (const item of s.items) {
          this.#expr(block, item.value);
          if (item.target) this.#target(block, item.target);
        }
        this.#suite(block, s.body);
        return;
      case 'try':
        this.#suite(block, s.body);
        for (const handler of s.handlers) {
          if (handler.kind) this.#expr(block, handler.kind);
          if (handler.name) block.bind(handler.name);
          this.#suite(block, handler.body);
        }
        this.#suite(block, s.orelse);
        this.#suite(block, s.final);
        return;
      case 'match':
        this.#expr(block, s.subject);
        for (const { pattern, guard, body } of s.cases) {
          this.#all(block, patternValues(pattern));
          for (const name of captures(pattern)) block.bind(name);
          if (guard) this.#expr(block, guard);
          this.#suite(block, body);
        }
    }
  }

  #function(block: Block, s: FunctionDef): void {
    this.#all(block, s.decorators);
    for (const p of s.params) if (p.default) this.#expr(block, p.default);
    const outer = this.#typeParams(block, s);
    for (const p of s.params) if (p.annotation) this.#expr(outer, p.annotation);
    if (s.returns) this.#expr(outer, s.returns);
    const inner = this.#open(outer, {
      kind: 'function',
      name: s.name,
      line: s.head.number,
      endLine: s.endLine,
      node: s,
      params: s.params.map((p) => p.name),
      async: s.async,
    });
    block.define(inner);
    this.#suite(inner, s.body);
  }

  #class(block: Block, s: ClassDef): void {
    this.#all(block, s.decorators);
    const outer = this.#typeParams(block, s);
    this.#all(outer, s.bases);
    this.#all(outer, s.keywords);
    const inner = this.#open(outer, {
      kind: 'class',
      name: s.name,
      line: s.head.number,
      endLine: s.endLine,
      node: s,
    });
    block.define(inner);
    this.#suite(inner, s.body);
  }

  #typeParams(block: Block, s: Definition): Block {
    if (s.typeParams.length === 0) return block;
    const { first, last } = s.head;
    const outer = this.#open(block, {
      kind: 'hidden',
      name: '',
      line: first,
      endLine: last,
      node: [],
      prefix: block.prefix,
    });
    for (const name of s.typeParams) outer.bind(name);
    this.#all(outer, s.bounds);
    return outer;
  }

  /** Bound names; the objects of `a.b` and `a[i]` are uses. */
  #target(block: Block, e: Expr, alsoUsed = false): void {
    if (e.type === 'name') {
      block.bind(e.id);
      if (alsoUsed) block.use(e.id);
    } else if (e.type === 'tuple' || e.type === 'list' || e.type === 'star') {
      for (const kid of e.kids) this.#target(block, kid);
    } else this.#expr(block, e);
  }

  #all(block: Block, list: readonly Expr[]): void {
    for (const e of list) this.#expr(block, e);
  }

  #expr(block: Block, e: Expr): void {
    switch (e.type) {
      case 'name':
        block.use(e.id);
        return;
      case 'walrus':
        block.owner.bind(e.id);
        if (block !== block.owner) block.use(e.id);
        this.#all(block, e.kids);
        return;
      case 'lambda': {
        this.#all(block, parts(e));
        const inner = this.#open(block, {
          kind: 'lambda',
          name: '<lambda>',
          line: e.line,
          endLine: e.end,
          node: e,
          params: e.params.map((p) => p.name),
        });
        this.#expr(inner, e.body);
        return;
      }
      case 'comp':
        this.#comprehension(block, e);
        return;
      case 'yield':
      case 'yieldfrom':
        block.owner.generator = true;
        this.#all(block, e.kids);
        return;
      default:
        this.#all(block, parts(e));
    }
  }

  #comprehension(block: Block, e: Extract<Expr, { type: 'comp' }>): void {
    const [first] = e.clauses;
    if (first) this.#expr(block, first.iter);
    // Qualified names in traces leave comprehensions out.
    const { prefix } = block;
    const inner = this.#open(block, {
      kind: 'hidden',
      name: '',
      line: e.line,
      endLine: e.end,
      node: e,
      prefix,
    });
    for (const clause of e.clauses) {
      if (clause !== first) this.#expr(inner, clause.iter);
      this.#target(inner, clause.target);
      this.#all(inner, clause.ifs);
    }
    this.#all(inner, e.kids);
  }
}
