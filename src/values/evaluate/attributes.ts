/** @file `x.name`: fields of instances, parts of numbers and ranges, bound methods of builtin types. */

import { resolve } from '../graph.ts';
import { parseValue } from '../parse.ts';
import { float, hidden, type Item, int, isBuiltin, isRange, NONE, str, tuple, typeName } from './items.ts';
import { methodOf } from './methods.ts';
import { NAMES } from './names.ts';
import { PythonError, type Run, Unknown } from './run.ts';

export function attribute(run: Run, of: Item, name: string): Item {
  run.tick();
  if (/^__\w+__$/.test(name)) return special(of, name);
  if (of.type === 'function' || of.type === 'iterator') throw new Unknown(`${name} is not evaluated here`);
  if (of.type === 'call') {
    const field = of.fields.find(([key]) => key === name);
    if (field && !isRange(of)) return field[1];
    if (name === 'args' && NAMES.exceptions.has(of.name)) return tuple(of.args);
    const at = ['start', 'stop', 'step'].indexOf(name);
    if (isRange(of) && at >= 0) return of.args[at] ?? int(1);
    if (of.name === 'deque' && name === 'maxlen' && isBuiltin(of)) return NONE;
  }
  if (of.type === 'opaque') return member(of.text, name) ?? fail(of, name);
  const number = /^(int|bool)$/.test(of.type) && numberPart(of, name);
  if (number) return number;
  if (of.type === 'float' && name === 'real') return of;
  if (of.type === 'float' && name === 'imag') return float(0);
  const method = isBuiltin(of) ? methodOf(of, name) : undefined;
  if (method === undefined) return fail(of, name);
  return {
    type: 'function',
    kind: 'builtin_function_or_method',
    call: (args, keywords) => method(run, { args, keywords }),
  };
}

function numberPart(of: Item, name: string): Item | undefined {
  const value = of.type === 'int' ? of.value : BigInt(of.type === 'bool' && of.value);
  if (name === 'real' || name === 'numerator') return int(value);
  if (name === 'imag') return int(0);
  return name === 'denominator' ? int(1) : undefined;
}

/** Name and value of an enum member, `<Color.RED: 1>`. */
function member(text: string, name: string): Item | undefined {
  const found = /^[\w.<>]+\.(\w+): (.*)$/su.exec(text);
  if (found === null || (name !== 'name' && name !== 'value' && name !== '_name_' && name !== '_value_'))
    return undefined;
  return name.includes('name') ? str(found[1] as string) : resolve(parseValue(found[2] as string));
}

function special(of: Item, name: string): Item {
  const text = of.type === 'opaque' ? /^(?:class '(.*)'|function (.*))$/.exec(of.text) : null;
  const qualified = text?.[1] ?? text?.[2];
  if (qualified !== undefined && name === '__name__') return str(qualified.split('.').at(-1) as string);
  if (qualified !== undefined && name === '__qualname__') return str(qualified);
  if (name === '__class__' && of.type !== 'function' && of.type !== 'iterator') return classOf(of);
  if (name === '__dict__' && of.type === 'call' && !isBuiltin(of)) throw hidden(of);
  throw new Unknown(`${name} is not evaluated here`);
}

export function classOf(item: Item): Item {
  if (item.type === 'call') {
    if (!/^[\w.<>]+$/u.test(item.name)) throw hidden(item);
    return { type: 'opaque', text: `class '${item.name}'` };
  }
  if (item.type === 'opaque' && /^[\w.<>]+\.\w+: /u.test(item.text))
    return {
      type: 'opaque',
      text: `class '${item.text.slice(0, item.text.indexOf(': ')).split('.').slice(0, -1).join('.')}'`,
    };
  return { type: 'opaque', text: `class '${typeName(item)}'` };
}

function fail(of: Item, name: string): never {
  if (!isBuiltin(of) || of.type === 'opaque' || of.type === 'call') throw hidden(of);
  const type = typeName(of);
  const known = NAMES.attributes.get(type === 'bool' ? 'int' : type);
  if (known !== undefined && !known.has(name))
    throw new PythonError('AttributeError', `'${type}' object has no attribute '${name}'`);
  if (NAMES.changing.has(name)) throw new Unknown(`${name} would change the object`);
  throw new Unknown(`${type}.${name} is not evaluated here`);
}
