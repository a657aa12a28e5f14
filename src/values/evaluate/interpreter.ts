/** @file Walks an expression. Evaluation order and short circuits are Python's, so that errors are too. */
import type { Clause, Expr, Replacement } from '../expression/ast.ts';
import type { Value } from '../types.ts';
import { attribute } from './attributes.ts';
import { builtin, type Caller } from './builtins.ts';
import { compare } from './comparison.ts';
import { formatItem } from './format-spec.ts';
import {
  asElement,
  bool,
  hidden,
  type Item,
  type Iter,
  isBuiltin,
  list,
  str,
  truthOf,
  tuple,
  typeName,
} from './items.ts';
import { each, entriesOf, iterate, makeDict, makeSet, toArray } from './iterate.ts';
import { NAMES } from './names.ts';
import { binary, unary } from './operators.ts';
import { PythonError, type Run, typeError, Unknown, valueError } from './run.ts';
import { slice, subscript } from './subscript.ts';
import { converted } from './template.ts';

const MAX_DEPTH = 60;
const TYPES = new Set(
  'bool bytearray bytes classmethod complex dict enumerate filter float frozenset int list map memoryview object property range reversed set slice staticmethod str super tuple type zip'.split(
    ' ',
  ),
);

/** Names bound by comprehensions and lambdas, innermost first. */
class Scope {
  readonly names = new Map<string, Item>();
  readonly outer: Scope | undefined;

  constructor(outer: Scope | undefined) {
    this.outer = outer;
  }

  find(name: string): Item | undefined {
    return this.names.get(name) ?? this.outer?.find(name);
  }
}

export function interpret(run: Run, expression: Expr): Item {
  return new Interpreter(run).evaluate(expression, new Scope(undefined));
}

class Interpreter {
  readonly #run: Run;
  #depth = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  evaluate(expression: Expr, scope: Scope): Item {
    this.#run.tick();
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH * 4) throw new Unknown('it is nested too deeply');
    const item = this.#evaluate(expression, scope);
    this.#depth -= 1;
    return item;
  }

  #evaluate(expression: Expr, scope: Scope): Item {
    const of = (part: Expr): Item => this.evaluate(part, scope);
    switch (expression.type) {
      case 'value':
        return expression.value;
      case 'name':
        return this.#name(expression.name, scope);
      case 'fstring':
        return str(this.#formatted(expression.parts, scope));
      case 'unary':
        return unary(expression.op, of(expression.of));
      case 'binary':
        return binary(this.#run, expression.op, of(expression.left), of(expression.right));
      case 'compare':
        return this.#comparison(expression, scope);
      case 'logic': {
        const left = of(expression.left);
        return truthOf(left) === (expression.op === 'or') ? left : of(expression.right);
      }
      case 'if':
        return of(truthOf(of(expression.test)) ? expression.then : expression.otherwise);
      case 'index':
        return this.#index(of(expression.of), expression.index, scope);
      case 'attribute':
        return attribute(this.#run, of(expression.of), expression.name);
      case 'call':
        return this.#call(expression, scope);
      case 'list':
        return list(this.#items(expression.items, scope).map(asElement));
      case 'tuple':
        return tuple(this.#items(expression.items, scope).map(asElement));
      case 'set':
        return makeSet(this.#items(expression.items, scope).map(asElement));
      case 'dict':
        return this.#dict(expression.entries, scope);
      case 'comprehension':
        return this.#comprehension(expression, scope);
      case 'lambda':
        return this.#lambda(expression, scope);
      case 'other':
        throw new Unknown(`${expression.what} is not evaluated here`);
      default:
        throw new PythonError('SyntaxError', 'invalid syntax');
    }
  }

  #name(name: string, scope: Scope): Item {
    const found = scope.find(name) ?? this.#run.value(name);
    if (found !== undefined) return found;
    if (TYPES.has(name) || NAMES.exceptions.has(name)) return { type: 'opaque', text: `class '${name}'` };
    if (name === 'Ellipsis') return { type: 'ellipsis' };
    if (name === 'NotImplemented') return { type: 'notimplemented' };
    if (NAMES.builtins.has(name)) return { type: 'opaque', text: `built-in function ${name}` };
    if (/^__\w+__$/.test(name)) throw new Unknown(`${name} is not known here`);
    throw new PythonError('NameError', `name '${name}' is not defined`);
  }

  #comparison(expression: Extract<Expr, { type: 'compare' }>, scope: Scope): Item {
    let left = this.evaluate(expression.first, scope);
    for (const { op, right: part } of expression.rest) {
      const right = this.evaluate(part, scope);
      if (!compare(this.#run, op, left, right)) return bool(false);
      left = right;
    }
    return bool(true);
  }

  #index(of: Item, index: Expr, scope: Scope): Item {
    if (index.type !== 'slice') return subscript(this.#run, of, this.evaluate(index, scope));
    const bound = (part: Expr | null): Item | null => (part === null ? null : this.evaluate(part, scope));
    return slice(this.#run, of, { from: bound(index.from), to: bound(index.to), step: bound(index.step) });
  }

  #items(expressions: readonly Expr[], scope: Scope): Item[] {
    return expressions.flatMap((item) =>
      item.type === 'star'
        ? toArray(this.#run, this.#spread(this.evaluate(item.of, scope)))
        : [this.evaluate(item, scope)],
    );
  }

  /** `*x` has its own message for what cannot be iterated. */
  #spread(item: Item): Item {
    const scalar = /^(none|bool|int|float|complex|ellipsis)$/.test(item.type);
    if (scalar) throw typeError(`Value after * must be an iterable, not ${typeName(item)}`);
    return item;
  }

  #dict(entries: readonly (readonly [Expr | null, Expr])[], scope: Scope): Item {
    return makeDict(
      entries.flatMap(([key, value]): (readonly [Value, Value])[] => {
        if (key !== null)
          return [[asElement(this.evaluate(key, scope)), asElement(this.evaluate(value, scope))]];
        const mapping = this.evaluate(value, scope);
        const spread = entriesOf(mapping);
        if (spread) return [...spread];
        if (!isBuiltin(mapping)) throw hidden(mapping);
        throw typeError(`'${typeName(mapping)}' object is not a mapping`);
      }),
    );
  }

  #call(expression: Extract<Expr, { type: 'call' }>, scope: Scope): Item {
    const of = this.evaluate(expression.of, scope);
    const args = this.#items(expression.args, scope);
    const keywords = new Map<string, Item>();
    for (const [name, value] of expression.keywords) {
      if (name === null) throw new Unknown('** in a call is not evaluated here');
      if (keywords.has(name)) throw new PythonError('SyntaxError', `keyword argument repeated: ${name}`);
      keywords.set(name, this.evaluate(value, scope));
    }
    return this.#apply(of, args, keywords);
  }

  #apply(of: Item, args: readonly Item[], keywords: ReadonlyMap<string, Item>): Item {
    this.#run.tick();
    if (of.type === 'function') return of.call(args, keywords);
    const name = of.type === 'opaque' ? /^(?:class '(\w+)'|built-in function (\w+))$/.exec(of.text) : null;
    const known = name?.[1] ?? name?.[2];
    if (known !== undefined && (NAMES.builtins.has(known) || TYPES.has(known))) {
      const caller: Caller = (callee, given) => this.#apply(callee, given, new Map());
      const found = builtin(known);
      if (found) return found(this.#run, { args, keywords }, caller);
    }
    if (of.type === 'opaque') throw new Unknown(`<${of.text}> is code that is not run here`);
    if (!isBuiltin(of) || of.type === 'iterator') throw hidden(of);
    throw typeError(`'${typeName(of)}' object is not callable`);
  }

  #comprehension(expression: Extract<Expr, { type: 'comprehension' }>, scope: Scope): Item {
    const inner = new Scope(scope);
    const state = { ordered: true };
    const [first] = expression.clauses;
    if (first === undefined) throw new PythonError('SyntaxError', 'invalid syntax');
    // The outermost iterable is evaluated at once, and outside.
    const source = iterate(this.#run, this.evaluate(first.iter, scope));
    const element = (): Item => this.evaluate(expression.element, inner);
    if (expression.kind === 'generator') {
      const iter: Iter = {
        type: 'iterator',
        kind: 'generator',
        source: [][Symbol.iterator](),
        ordered: true,
      };
      const generate = this.#loop(expression.clauses, source, inner, iter, element);
      return Object.assign(iter, { source: generate });
    }
    if (expression.kind === 'dict' && expression.value !== null) {
      const value = expression.value;
      const pair = (): Item => tuple([asElement(element()), asElement(this.evaluate(value, inner))]);
      const pairs = [...this.#loop(expression.clauses, source, inner, state, pair)];
      this.#checkOrder(state, pairs.length);
      return makeDict(
        pairs.map((item) => (item as Extract<Value, { type: 'tuple' }>).items as [Value, Value]),
      );
    }
    const items = Array.from(this.#loop(expression.clauses, source, inner, state, element), asElement);
    if (expression.kind === 'set') return makeSet(items);
    this.#checkOrder(state, items.length);
    return list(items);
  }

  #checkOrder(state: { ordered: boolean }, length: number): void {
    if (!state.ordered && length > 1) throw new Unknown('the order of a set is not known');
  }

  *#loop(
    clauses: readonly Clause[],
    source: Iter,
    scope: Scope,
    state: { ordered: boolean },
    result: () => Item,
  ): Generator<Item> {
    const [clause, ...rest] = clauses as [Clause, ...Clause[]];
    if (!source.ordered) state.ordered = false;
    try {
      for (const item of each(source)) {
        this.#run.tick();
        if (!source.ordered) state.ordered = false;
        this.#assign(clause.target, item, scope);
        if (!clause.ifs.every((test) => truthOf(this.evaluate(test, scope)))) continue;
        if (rest.length === 0) yield result();
        else
          yield* this.#loop(
            rest,
            iterate(this.#run, this.evaluate((rest[0] as Clause).iter, scope)),
            scope,
            state,
            result,
          );
      }
    } catch (error) {
      if (error instanceof PythonError && !state.ordered)
        throw new Unknown('the order of a set is not known');
      throw error;
    }
  }

  #assign(target: Expr, item: Item, scope: Scope): void {
    if (target.type === 'name') {
      scope.names.set(target.name, item);
      return;
    }
    if (target.type !== 'tuple' && target.type !== 'list')
      throw new Unknown('this target is not evaluated here');
    if (target.items.some((part) => part.type === 'star'))
      throw new Unknown('a starred target is not evaluated here');
    const scalar = /^(none|bool|int|float|complex|ellipsis)$/.test(item.type);
    if (scalar) throw typeError(`cannot unpack non-iterable ${typeName(item)} object`);
    const parts = toArray(this.#run, item);
    const wanted = target.items.length;
    if (parts.length < wanted)
      throw valueError(`not enough values to unpack (expected ${wanted}, got ${parts.length})`);
    if (parts.length > wanted) throw valueError(`too many values to unpack (expected ${wanted})`);
    for (const [i, part] of target.items.entries()) this.#assign(part, parts[i] as Value, scope);
  }

  #lambda(expression: Extract<Expr, { type: 'lambda' }>, scope: Scope): Item {
    const defaults = expression.params.map((param) => param.default && this.evaluate(param.default, scope));
    return {
      type: 'function',
      kind: 'function',
      call: (args, keywords) => {
        const inner = new Scope(scope);
        if (args.length > expression.params.length || keywords.size > 0)
          throw new Unknown('the call has other arguments');
        for (const [i, param] of expression.params.entries()) {
          const item = args[i] ?? defaults[i];
          if (!item) throw new Unknown(`the argument ${param.name} is missing`);
          inner.names.set(param.name, item);
        }
        return this.evaluate(expression.body, inner);
      },
    };
  }

  #formatted(parts: readonly (string | Replacement)[], scope: Scope): string {
    return parts
      .map((part) => {
        if (typeof part === 'string') return part;
        const value = this.evaluate(part.value, scope);
        return part.label + formatItem(converted(value, part.conversion), this.#formatted(part.spec, scope));
      })
      .join('');
  }
}
