/** @file `isinstance`, as far as texts tell: a text names an object's class, not the class's bases. */
import { hidden, type Item, isBuiltin, typeName, whole } from './items.ts';
import { NAMES } from './names.ts';
import { typeError, Unknown } from './run.ts';

const BUILTIN_CLASSES = new Set([
  'int',
  'float',
  'complex',
  'bool',
  'str',
  'bytes',
  'bytearray',
  'list',
  'tuple',
  'dict',
  'set',
  'frozenset',
  'range',
  'NoneType',
  'type',
  'object',
]);
const BASES: Readonly<Record<string, string>> = {
  bool: 'int',
  defaultdict: 'dict',
  OrderedDict: 'dict',
  Counter: 'dict',
};
/** Classes that claim objects by what these can do. */
const ABSTRACT =
  /^(Iterable|Iterator|Generator|Hashable|Sized|Container|Collection|Sequence|Mutable\w+|Mapping|Set|Callable|Awaitable|Coroutine|Reversible|ByteString|Buffer|Number|Complex|Real|Rational|Integral|Any|Protocol|\w*(View))$/;

export function isInstance(item: Item, classes: Item): boolean {
  if (classes.type === 'tuple') {
    let doubt: Unknown | undefined;
    for (const one of whole(classes).items) {
      try {
        if (isInstance(item, one)) return true;
      } catch (error) {
        if (!(error instanceof Unknown)) throw error;
        doubt ??= error;
      }
    }
    if (doubt) throw doubt;
    return false;
  }
  const wanted = classes.type === 'opaque' ? /^class '([\w.<>]+)'$/u.exec(classes.text)?.[1] : undefined;
  if (wanted === undefined) {
    if (!isBuiltin(classes) || classes.type === 'opaque') throw hidden(classes);
    throw typeError('isinstance() arg 2 must be a type, a tuple of types, or a union');
  }
  if (wanted === 'object') return true;
  if (item.type === 'function' || item.type === 'iterator') throw hidden(item);
  if (item.type === 'call' && item.name === wanted) return true;
  if (isBuiltin(item)) return builtinInstance(typeName(item).replace('collections.', ''), wanted);
  // A subclass of these shows the builtin value as an argument: `L([1, 2])`.
  const plain = item.type === 'call' && item.args.length === 0 && !NAMES.exceptions.has(item.name);
  if (plain && BUILTIN_CLASSES.has(wanted) && wanted !== 'tuple' && wanted !== 'type') return false;
  throw hidden(item);
}

function builtinInstance(type: string, wanted: string): boolean {
  if (type === wanted || BASES[type] === wanted) return true;
  if (BUILTIN_CLASSES.has(wanted) || NAMES.exceptions.has(wanted)) return false;
  // A class of the program: None is none of them, unless it claims objects by what they can do.
  if (type === 'NoneType' && !ABSTRACT.test(wanted)) return false;
  throw new Unknown(`whether ${wanted} claims this is its own code`);
}
