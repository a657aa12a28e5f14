/** @file docs/values.md: each row of its tables, on every CPython that is found and in Pyodide. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createCpython, createPyodide, type PythonRuntime } from '../src/python/index.ts';
import { formatValue, parseValue } from '../src/values/index.ts';

const doc = readFileSync(new URL('../docs/values.md', import.meta.url), 'utf8');
const preamble = /```python\n([\s\S]*?)```/.exec(doc)![1]!;

interface Row {
  readonly expression: string;
  readonly text: string;
}

/** Rows `| kind | \`object\` | \`text\` |`. */
const rows: readonly Row[] = [...doc.matchAll(/^\| ?[a-z]* ?\| `(.*)` \| `(.*)` \|$/gm)].map((match) => ({
  expression: match[1]!.replaceAll('\\|', '|'),
  text: match[2]!.replaceAll('\\|', '|'),
}));
const ofNumpy = rows.filter(({ expression }) => expression.includes('numpy'));
const plain = rows.filter((row) => !ofNumpy.includes(row));

const limits = { timeMs: 60_000, memoryMb: 2048 };

/** The text that each expression has in a trace. */
async function texts(runtime: PythonRuntime, before: string, asked: readonly Row[]): Promise<string[]> {
  const lines = asked.map(({ expression }, i) => `v${i} = ${expression}\n`);
  const { trace } = await runtime.run({
    file: { name: 'main.py', text: `${before}${lines.join('')}` },
    limits,
  });
  expect(trace.end).toMatchObject({ status: 'normal' });
  const seen = new Map<string, string>();
  for (const { f, set } of trace.events) {
    if (f === 0) for (const [name, text] of Object.entries(set ?? {})) seen.set(name, text);
  }
  return asked.map((_, i) => seen.get(`v${i}`) ?? '(not shown)');
}

/** `…` in the document stands for anything. */
const fits = (text: string, shown: string): boolean => {
  const [head = '', tail = ''] = shown.split('…');
  if (!shown.includes('…')) return text === shown;
  return text.length >= head.length + tail.length && text.startsWith(head) && text.endsWith(tail);
};

function check(found: readonly string[], asked: readonly Row[]): void {
  const wrong = asked.flatMap(({ expression, text }, i) =>
    fits(found[i]!, text) ? [] : [`${expression}: ${found[i]}, not ${text}`],
  );
  expect(wrong).toEqual([]);
  // The same text is what `src/values` reads and writes.
  for (const text of found) expect(formatValue(parseValue(text))).toBe(text);
}

/** One of each version: pyenv's, then those on the path. */
async function interpreters(): Promise<ReadonlyMap<string, string>> {
  const pyenv = join(homedir(), '.pyenv', 'versions');
  const kept = await Promise.resolve()
    .then(() => readdirSync(pyenv).map((name) => join(pyenv, name, 'bin', 'python')))
    .catch(() => []);
  const found = new Map<string, string>();
  for (const name of [...kept, ...['3.10', '3.11', '3.12', '3.13', '3.14', '3'].map((v) => `python${v}`)]) {
    try {
      const runtime = await createCpython({ python: name });
      const { trace } = await runtime.run({ file: { name: 'main.py', text: '' } });
      await runtime.close();
      const version = trace.header.python.replace(/\.\d+$/, '');
      if (!found.has(version)) found.set(version, name);
    } catch {
      // None of that name here.
    }
  }
  return found;
}

const found = await interpreters();

it('the document has its tables', () => {
  expect(plain.length).toBeGreaterThan(80);
  expect(ofNumpy.length).toBeGreaterThan(2);
});

describe('each kind of object', () => {
  it.each([...found])('in CPython %s', async (_, name) => {
    const runtime = await createCpython({ python: name });
    check(await texts(runtime, preamble, plain), plain);
    await runtime.close();
  });

  it('in Pyodide', async () => {
    const runtime = createPyodide();
    check(await texts(runtime, preamble, plain), plain);
    await runtime.close();
  });
});

describe('NumPy', () => {
  const venv = fileURLToPath(new URL('../.venv/bin/python', import.meta.url));
  it('where it is installed', async ({ skip }) => {
    const runtime = await createCpython({ python: venv }).catch(() => null);
    if (!runtime) return skip('no .venv here');
    const { trace } = await runtime.run({ file: { name: 'main.py', text: 'import numpy\n' }, limits });
    if (trace.end.status === 'normal') check(await texts(runtime, 'import numpy\n', ofNumpy), ofNumpy);
    await runtime.close();
    if (trace.end.status !== 'normal') skip('no NumPy here');
  });
});
