/**
 * @file How a call's arguments are bound to a signature: CPython's rules and messages (`initialize_locals` in
 * `Python/ceval.c`), in the order in which it finds fault.
 */
import type { Value } from '../values/types.ts';
import type { Parameter } from './signature.ts';

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: readonly (readonly [string, Value])[];
}

/** Values by parameter in the order of the signature; or the default that is no literal; or what Python would say. */
export type Binding =
  | { readonly type: 'bound'; readonly values: ReadonlyMap<string, Value> }
  | { readonly type: 'unknown'; readonly name: string }
  | { readonly type: 'error'; readonly message: string };

/** `name`: the function's qualified name, for messages. */
export function bind(name: string, parameters: readonly Parameter[], given: Arguments): Binding {
  const error = (message: string): Binding => ({ type: 'error', message: `${name}() ${message}` });
  const of = (...kinds: Parameter['kind'][]) => parameters.filter(({ kind }) => kinds.includes(kind));
  const places = of('positional-only', 'positional');
  const only = of('keyword-only');
  const [rest, keywords] = [of('rest')[0], of('keywords')[0]];
  const bound = new Map<string, Value>();
  const extra: (readonly [Value, Value])[] = [];

  for (const [i, parameter] of places.entries()) {
    const value = given.positional[i];
    if (value) bound.set(parameter.name, value);
  }
  for (const [key, value] of given.named) {
    if (of('positional', 'keyword-only').some((parameter) => parameter.name === key)) {
      if (bound.has(key)) return error(`got multiple values for argument '${key}'`);
      bound.set(key, value);
    } else if (keywords) extra.push([{ type: 'str', value: key }, value]);
    else {
      const misplaced = of('positional-only').filter((p) => given.named.some(([other]) => other === p.name));
      if (misplaced.length > 0) {
        const names = misplaced.map((parameter) => parameter.name).join(', ');
        return error(`got some positional-only arguments passed as keyword arguments: '${names}'`);
      }
      return error(`got an unexpected keyword argument '${key}'`);
    }
  }
  if (given.positional.length > places.length && !rest) {
    return error(tooMany(places, only, given.positional.length, bound));
  }
  const missing = (group: readonly Parameter[]) =>
    group.filter((parameter) => !bound.has(parameter.name) && parameter.default === undefined);
  if (missing(places).length > 0) return error(lacks('positional', missing(places)));
  if (missing(only).length > 0) return error(lacks('keyword-only', missing(only)));

  // In the order of the signature, as a trace shows them (`*args` before what can only be named).
  const values = new Map<string, Value>();
  for (const { name: own, kind, default: initial } of parameters) {
    const value: Value | null | undefined =
      kind === 'rest'
        ? { type: 'tuple', items: given.positional.slice(places.length) }
        : kind === 'keywords'
          ? { type: 'dict', entries: extra }
          : (bound.get(own) ?? initial);
    if (!value) return { type: 'unknown', name: own };
    values.set(own, value);
  }
  return { type: 'bound', values };
}

function lacks(kind: string, parameters: readonly Parameter[]): string {
  const names = parameters.map((parameter) => `'${parameter.name}'`);
  const last = names.pop()!;
  const list = names.length === 0 ? last : `${names.join(', ')}${names.length > 1 ? ',' : ''} and ${last}`;
  return `missing ${parameters.length} required ${kind} argument${parameters.length === 1 ? '' : 's'}: ${list}`;
}

function tooMany(
  places: readonly Parameter[],
  only: readonly Parameter[],
  count: number,
  bound: ReadonlyMap<string, Value>,
): string {
  const least = places.filter((parameter) => parameter.default === undefined).length;
  const takes = least < places.length ? `from ${least} to ${places.length}` : `${places.length}`;
  const plural = least < places.length || places.length !== 1 ? 's' : '';
  const named = only.filter((parameter) => bound.has(parameter.name)).length;
  const given =
    named > 0
      ? `${count} positional argument${count === 1 ? '' : 's'} (and ${named} keyword-only argument${named === 1 ? '' : 's'}) were`
      : `${count} ${count === 1 ? 'was' : 'were'}`;
  return `takes ${takes} positional argument${plural} but ${given} given`;
}
