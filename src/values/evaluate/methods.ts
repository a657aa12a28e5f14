/** @file Methods of containers and numbers that only read. Those that change an object are never evaluated. */
import type { Value } from '../types.ts';
import { type Arguments, bind, countArgument } from './arguments.ts';
import { compare, findEntry } from './comparison.ts';
import { asIndex, asValue, bool, type Call, type Item, int, list, NONE, tuple, whole } from './items.ts';
import { entriesOf, hashKey, makeFrozen, makeSet, toBag } from './iterate.ts';
import { combine } from './operators.ts';
import { type Run, Unknown, valueError } from './run.ts';
import { sorted } from './sorting.ts';
import { stringMethod } from './strings.ts';
import { valueText } from './text.ts';

type Method = (run: Run, args: Arguments) => Item;

/** Undefined where the type has no such method here. */
export function methodOf(of: Value, name: string): Method | undefined {
  const entries = (): readonly (readonly [Value, Value])[] => entriesOf(of) ?? [];
  switch (of.type) {
    case 'str': {
      const method = stringMethod(name);
      return method && ((run, args) => method(whole(of).value, args, run));
    }
    case 'list':
    case 'tuple':
      return sequenceMethod(of, name);
    case 'dict':
      return mappingMethod(of, name);
    case 'set':
      return setMethod(of, of, name);
    case 'int':
    case 'bool':
      return numberMethod(asIndex(of) ?? 0n, name);
    case 'float':
      return name === 'is_integer'
        ? (_, args) => bool(bind(args).length === 0 && Number.isInteger(of.value))
        : undefined;
    case 'call':
      if (of.name === 'frozenset') {
        const set = of.args[0];
        return setMethod(set?.type === 'set' ? set : { type: 'set', items: [] }, of, name);
      }
      if (of.name === 'deque' && of.args[0]?.type === 'list' && (name === 'index' || name === 'count'))
        return sequenceMethod(of.args[0], name, 'deque');
      if (of.name === 'Counter' && name === 'most_common')
        return (run, args) => mostCommon(run, entries(), args);
      // An ordered dict's views are of types of their own, which a text does not show.
      if (of.name === 'OrderedDict' && name !== 'get') return undefined;
      if (/^(defaultdict|OrderedDict|Counter)$/.test(of.name) && name !== 'copy')
        return mappingMethod(of, name);
      return undefined;
    default:
      return undefined;
  }
}

function sequenceMethod(
  of: Extract<Value, { type: 'list' | 'tuple' }>,
  name: string,
  named = 'list',
): Method | undefined {
  switch (name) {
    case 'index':
      return (run, args) => {
        const [wanted, start] = bind(args, 'value', 'start?');
        if (start !== undefined) throw new Unknown('a search from an index is not evaluated here');
        const at = of.items.findIndex((item) => item === wanted || compare(run, '==', item, wanted as Item));
        if (at >= 0) return int(at);
        whole(of);
        if (of.type === 'tuple') throw valueError('tuple.index(x): x not in tuple');
        throw valueError(`${valueText(asValue(wanted as Item))} is not in ${named}`);
      };
    case 'count':
      return (run, args) => {
        const [wanted] = bind(args, 'value');
        return int(
          whole(of).items.filter((item) => item === wanted || compare(run, '==', item, wanted as Item))
            .length,
        );
      };
    case 'copy':
      return of.type === 'list' ? (_, args) => plain(args, list(whole(of).items)) : undefined;
    default:
      return undefined;
  }
}

function mappingMethod(of: Value, name: string): Method | undefined {
  const view = (kind: string, items: readonly Value[]): Call => ({
    type: 'call',
    name: `dict_${kind}`,
    args: [list(items)],
    fields: [],
  });
  const entries = (): readonly (readonly [Value, Value])[] => entriesOf(of) ?? [];
  switch (name) {
    case 'get':
      return (run, args) => {
        const [key, missing] = bind(args, 'key', 'default?');
        return findEntry(run, of, key as Item) ?? missing ?? NONE;
      };
    case 'keys':
      return (_, args) =>
        plain(
          args,
          view(
            'keys',
            entries().map(([key]) => key),
          ),
        );
    case 'values':
      return (_, args) =>
        plain(
          args,
          view(
            'values',
            entries().map(([, value]) => value),
          ),
        );
    case 'items':
      return (_, args) =>
        plain(
          args,
          view(
            'items',
            entries().map((entry) => tuple(entry)),
          ),
        );
    case 'copy':
      return (_, args) => plain(args, { type: 'dict', entries: entries() });
    default:
      return undefined;
  }
}

function setMethod(set: Extract<Value, { type: 'set' }>, of: Value, name: string): Method | undefined {
  const wrap = (value: Value): Value => (of.type === 'call' ? makeFrozen(value) : value);
  const operators: Readonly<Record<string, string>> = {
    union: '|',
    intersection: '&',
    difference: '-',
    symmetric_difference: '^',
  };
  const op = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (op !== undefined) {
    return (run, { args, keywords }) => {
      if (keywords.size > 0 || (op === '^' && args.length !== 1))
        throw new Unknown('the call has other arguments');
      return wrap(
        args.reduce<Value>(
          (sofar, arg) => combine(op, sofar.type === 'set' ? sofar.items : [], toBag(run, arg).items),
          whole(set),
        ),
      );
    };
  }
  const keys = (): ReadonlySet<string> => new Set(whole(set).items.map(hashKey));
  const others = (run: Run, args: Arguments): ReadonlySet<string> =>
    new Set(toBag(run, bind(args, 'other')[0] as Item).items.map(hashKey));
  switch (name) {
    case 'issubset':
      return (run, args) => {
        const other = others(run, args);
        return bool([...keys()].every((key) => other.has(key)));
      };
    case 'issuperset':
      return (run, args) => {
        const own = keys();
        return bool([...others(run, args)].every((key) => own.has(key)));
      };
    case 'isdisjoint':
      return (run, args) => {
        const own = keys();
        return bool(![...others(run, args)].some((key) => own.has(key)));
      };
    case 'copy':
      return (_, args) => plain(args, wrap(makeSet(whole(set).items)));
    default:
      return undefined;
  }
}

function numberMethod(value: bigint, name: string): Method | undefined {
  const binary = (value < 0n ? -value : value).toString(2);
  if (name === 'bit_length') return (_, args) => plain(args, int(value === 0n ? 0 : binary.length));
  if (name === 'bit_count') return (_, args) => plain(args, int(binary.replaceAll('0', '').length));
  return name === 'conjugate' ? (_, args) => plain(args, int(value)) : undefined;
}

/** The result of a method that takes no arguments. */
function plain(args: Arguments, result: Item): Item {
  bind(args);
  return result;
}

function mostCommon(run: Run, entries: readonly (readonly [Value, Value])[], args: Arguments): Item {
  const [count] = bind(args, 'n?');
  const ranked = sorted(
    run,
    entries.map(([, value], i) => ({ key: value, item: i })),
    true,
  );
  const pairs = ranked.map((i) => tuple(entries[i] ?? []));
  return list(count === undefined ? pairs : pairs.slice(0, Math.max(countArgument(count) ?? 0, 0)));
}
