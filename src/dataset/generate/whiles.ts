/** @file `while` loops: a counter, digits, two pointers, until empty, `while True` and `break`. The counter is frozen inside. */
import { accumulate, START } from './accumulate.ts';
import type { Env } from './env.ts';
import { condition } from './expressions.ts';
import { looseLoop, variable } from './loops.ts';
import { branch, indent, statement, type Written } from './statements.ts';
import { charValue, quote, type Ty } from './values.ts';

/** `while` with a counter, by digits, until empty, two pointers, or `while True` and `break`. */
export function whileLoop(env: Env): Written {
  const { r } = env;
  const options: [number, () => Written][] = [];
  const fresh = (names: readonly string[]) => env.fresh('int', names);
  const body = (inner: Env, keep: readonly string[]) => {
    const e = inner.freeze(...keep).looping();
    return r.chance(0.4) ? branch(e, (x) => statement(x, false)).lines : statement(e, false).lines;
  };
  const lists = env.of('ints', 'str', 'strs');
  if (lists.length) {
    options.push([
      8,
      () => {
        const x = env.recent(lists);
        const i = fresh(['i', 'j', 'idx', 'pos']);
        const type = env.variables.find((v) => v.name === x)!.type;
        const out = env.freshResult(type === 'ints' ? 'ints' : 'strs');
        const element = `${x}[${i}]`;
        const after = env.with(variable(out, type === 'ints' ? 'ints' : 'strs'));
        const test =
          type === 'ints'
            ? `${element} ${r.pick(['>', '<', '!='])} ${r.int(0, 9)}`
            : r.pick([
                `${element} != ${quote(charValue(r))}`,
                `${element}.isalpha()`,
                `${element} not in ${out}`,
              ]);
        return {
          lines: [
            `${out} = []`,
            `${i} = 0`,
            `while ${i} < len(${x}):`,
            ...indent([
              ...(r.chance(0.6)
                ? [`if ${test}:`, `    ${out}.append(${element})`]
                : [`${out}.append(${element}${type === 'ints' ? r.pick([' * 2', ' + 1', '']) : ''})`]),
              `${i} += ${r.pick([1, 1, 1, 2])}`,
            ]),
          ],
          env: after,
        };
      },
    ]);
    options.push([
      3,
      () => {
        const x = env.recent(lists);
        const i = fresh(['left', 'i', 'lo']);
        const j = fresh(['right', 'j', 'hi']);
        const n = env.freshResult('int');
        return {
          lines: [
            `${i}, ${j} = 0, len(${x}) - 1`,
            `${n} = 0`,
            `while ${i} < ${j}:`,
            ...indent([
              `if ${x}[${i}] ${r.pick(['==', '!=', '<'])} ${x}[${j}]:`,
              `    ${n} += ${r.int(1, 2)}`,
              `${i} += 1`,
              `${j} -= 1`,
            ]),
          ],
          env: env.with(variable(n, 'int')),
        };
      },
    ]);
  }
  const ints = env.mutable('int');
  if (ints.length) {
    options.push([
      5,
      () => {
        const n = env.recent(ints);
        const out = env.freshResult('int');
        const base = r.weighted([
          [7, 10],
          [3, 2],
          [1, 3],
        ]);
        const digit = `${n} % ${base}`;
        return {
          lines: [
            `${out} = ${r.pick(['0', '0', '1'])}`,
            `while ${n} > 0:`,
            ...indent([
              r.pick([
                `${out} += ${digit}`,
                `${out} = ${out} * 10 + ${digit}`,
                `${out} += 1`,
                `${out} = max(${out}, ${digit})`,
              ]),
              `${n} //= ${base}`,
            ]),
          ],
          env: env.with(variable(out, 'int')),
        };
      },
    ]);
    options.push([
      4,
      () => {
        const n = env.recent(ints);
        const i = fresh(['i', 'k', 'step', 'j']);
        const inner = env.freeze(n).with(variable(i, 'int', true));
        return {
          lines: [
            `${i} = ${r.int(0, 1)}`,
            `while ${i} < ${r.chance(0.5) ? `${n} % ${r.int(4, 9)}` : r.int(3, 6)}:`,
            ...indent([...body(inner, [n, i]), `${i} += ${r.int(1, 2)}`]),
          ],
          env: env.with(variable(i, 'int')),
        };
      },
    ]);
    options.push([
      3,
      () => {
        const n = env.recent(ints);
        const i = fresh(['count', 'steps', 'tries', 'k']);
        return {
          lines: [
            `${i} = 0`,
            'while True:',
            ...indent([
              `${n} ${r.pick([`-= ${r.int(3, 9)}`, `//= ${r.int(2, 4)}`, `= ${n} * ${r.int(3, 7)} % ${r.int(11, 37)}`])}`,
              `${i} += 1`,
              `if ${n} ${r.pick(['<= 1', '< 5', '% 3 == 0'])} or ${i} >= ${r.int(4, 9)}:`,
              '    break',
            ]),
          ],
          env: env.with(variable(i, 'int')),
        };
      },
    ]);
  }
  const queues = env.mutable('ints', 'strs');
  if (queues.length) {
    options.push([
      4,
      () => {
        const q = env.recent(queues);
        const type = env.variables.find((v) => v.name === q)!.type === 'ints' ? 'int' : 'str';
        const item = env.fresh(
          type,
          type === 'int' ? ['x', 'top', 'cur', 'item'] : ['w', 'cur', 'top', 'item'],
        );
        const kind: Ty = r.chance(0.5) ? (type === 'int' ? 'ints' : 'strs') : type;
        const out = env.freshResult(kind);
        const after = env.with(variable(out, kind));
        return {
          lines: [
            `${out} = ${START[kind]![0]}`,
            `while ${q}${r.chance(0.2) ? ` and len(${out === q ? q : q}) > 1` : ''}:`,
            ...indent([
              `${item} = ${q}.pop(${r.pick(['', '0', ''])})`,
              ...(r.chance(0.4)
                ? [`if ${condition(after.freeze(q).with(variable(item, type)))}:`, '    continue']
                : []),
              ...accumulate(env.freeze(q).with(variable(item, type)), out, kind),
            ]),
          ],
          env: after,
        };
      },
    ]);
  }
  return options.length ? r.weighted(options)() : looseLoop(env);
}
