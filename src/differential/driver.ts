/** @file Asks `drive.py` for what `bdb` does. One process per interpreter; each request runs in a fork of it. */
import { fileURLToPath } from 'node:url';
import { start } from '../debugger/start.ts';
import { LineChild } from '../python/child.ts';
import { findInterpreter } from '../python/interpreter.ts';
import type { Case, Driven } from './types.ts';

/** From `src/differential/` and from `dist/differential/` alike. */
const DRIVER = fileURLToPath(new URL('../../src/differential/drive.py', import.meta.url));

export interface Driver {
  readonly version: string;
  drive(asked: Case): Promise<Driven>;
  close(): Promise<void>;
}

/** `maxEvents`: trace events of the program after which a run is given up. Throws `E_PYTHON_MISSING`. */
export async function startDriver(python: string, maxEvents = 200_000): Promise<Driver> {
  const { path, version } = await findInterpreter(python);
  const child = new LineChild({
    command: path,
    args: ['-s', '-B', '-X', 'utf8', DRIVER],
    env: { PYTHONHASHSEED: '0', HOME: '.', TMPDIR: '.' },
  });
  const waiting: ((line: string) => void)[] = [];
  child.onLine = (line) => waiting.shift()?.(line);
  void child.exited.then(({ code, signal }) => {
    const died = JSON.stringify({ broken: `the driver ended (${signal ?? code}): ${child.stderr}` });
    for (const answer of waiting.splice(0)) answer(died);
  });
  return {
    version,
    async drive({ text, call, commands }) {
      const { entry } = start(text, call);
      const line = await new Promise<string>((resolve) => {
        waiting.push(resolve);
        child.send(`${JSON.stringify({ text, call: call ?? null, entry, commands, maxEvents })}\n`);
      });
      const answer = JSON.parse(line) as Partial<Driven>;
      return { stops: [], rules: {}, points: [], end: { exit: 'unknown' }, ...answer };
    },
    async close() {
      child.kill();
      await child.exited;
    },
  };
}
