/** @file An operation as a statement of a longer program: on the variables at hand. */
import type { Env } from '../env.ts';
import type { Written } from '../statements.ts';
import { charValue, quote, type Ty, word } from '../values.ts';
import { drawOperationOn } from './index.ts';
import { loopNames } from './names.ts';
import { fill, isStatement, namesOnly, TYPES } from './operation.ts';

const TRIES = 4;
/** What grows when repeated, or empties what a loop runs over. */
const UNSAFE_IN_LOOP =
  /\*=|\*\*|<<|\.extend\(|\.update\(|\.clear\(|\+= \$|\* \$|\[:0\]|\$0\.insert|:=|next\(|\+ \$0|\$0 \+/;

/** A statement that applies a random operation; null where nothing at hand fits. */
export function applied(env: Env): Written | null {
  const { r } = env;
  for (let n = 0; n < TRIES; n++) {
    if (!env.variables.length) return null;
    const on = env.variables[Math.floor(env.variables.length * r.next() ** 0.5)]!;
    const operation = drawOperationOn(r, on.type);
    if (!operation) continue;
    if (env.inLoop && UNSAFE_IN_LOOP.test(operation.text)) continue;
    const changes =
      isStatement(operation) && (operation.result === null || /\$0\.(pop|sort)/.test(operation.text));
    if (changes && on.frozen) continue;
    const operands: string[] = [on.name];
    for (const letter of operation.operands.slice(1)) {
      const type = TYPES[letter]!;
      const names =
        letter === 'N'
          ? []
          : (operation.name === 'swap' ? env.mutable(type) : env.of(type)).filter((x) => x !== on.name);
      const made =
        names.length && r.chance(0.8)
          ? env.recent(names)
          : namesOnly(operation)
            ? null
            : constant(env, letter, type);
      if (made !== null) operands.push(made);
    }
    if (operands.length < operation.operands.length) continue;
    const type = operation.result === 'other' || operation.result === null ? 'int' : operation.result;
    const results = operation.text.includes('$r') ? [env.freshResult(type), env.fresh(type)] : [];
    const loop = loopNames(r, on.type, env.taken);
    const text = fill(r, operation.text, { operands, results, loop });
    const bind = (name: string) =>
      operation.result === 'other' || operation.result === null
        ? env
        : env.with({ name, type, frozen: false });
    if (isStatement(operation)) {
      return { lines: text.split('\n'), env: results.length ? bind(results[0]!) : env };
    }
    const name = env.fresh(type);
    return { lines: [`${name} = ${text}`], env: bind(name) };
  }
  return null;
}

function constant({ r }: Env, letter: string, type: Ty): string | null {
  if (letter === 'N') return String(r.int(1, 3));
  if (letter === 'j') return r.pick(['0', '-1', '1']);
  if (type === 'int') return String(r.int(0, 12));
  if (type === 'str' || type === 'ch') return quote(r.chance(0.6) ? charValue(r) : word(r));
  if (type === 'ints') return `[${Array.from({ length: r.int(1, 3) }, () => r.int(0, 9)).join(', ')}]`;
  return null;
}
