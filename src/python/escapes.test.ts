/** Ways out of the sandbox, each tried from within (`test/fixtures/escapes.py`); none may get hold of anything. */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPyodide, type PyodideRuntime } from './pyodide.ts';

const here = fileURLToPath(import.meta.url);
const text = readFileSync(new URL('../../test/fixtures/escapes.py', import.meta.url), 'utf8');
const listed = /^ATTEMPTS = \[([^\]]+)\]/m.exec(text)![1]!.replace(/#.*/g, '');
const attempts = listed.match(/\w+/g)!;

describe('out of the sandbox', { timeout: 180_000 }, () => {
  let runtime: PyodideRuntime;
  let server: Server;
  let reached = 0;
  /** What each attempt came to: with the tracer around the program, and with nothing. */
  const reports: Record<'traced' | 'read', Map<string, string>> = { traced: new Map(), read: new Map() };

  beforeAll(async () => {
    server = createServer((link) => {
      reached++;
      link.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    runtime = createPyodide({ workers: 2 });
    const report = async (call: string, probes: readonly { at: number; expressions: string[] }[]) => {
      const { trace } = await runtime.run({
        file: { name: 'main.py', text: `REAL_FILE, PORT = ${JSON.stringify(here)}, ${port}\n${text}` },
        call,
        record: false,
        probes,
        limits: { timeMs: 150_000 },
      });
      expect(trace.end).toMatchObject({ status: 'normal' });
      const found = (trace.end.value ?? '').matchAll(/'(\w+)': ('[^']*'|"[^"]*")/g);
      return new Map(Array.from(found, ([, name, what]) => [name!, what!.slice(1, -1)]));
    };
    [reports.traced, reports.read] = await Promise.all([
      // A probe that is never reached keeps the tracer there.
      report('report()', [{ at: 1e9, expressions: [] }]),
      report('report(ATTEMPTS + UNWATCHED)', []),
    ]);
  });
  afterAll(async () => {
    server.close();
    await runtime.close();
  });

  it.each(attempts)('no %s', (name) => {
    for (const report of [reports.traced, reports.read]) {
      expect(report.get(name)).toMatch(/^(stopped \w+|nothing)$/);
    }
  });

  it.each(['frames_below', 'all_frames'])('no %s where the host reads the value', (name) => {
    expect(reports.read.get(name)).toBe('nothing');
  });

  it('tries all of them', () => {
    expect(reports.traced.size).toBe(attempts.length);
    expect(attempts.length).toBeGreaterThan(35);
    expect(reports.traced.get('bridge_import')).toBe('stopped ModuleNotFoundError');
    expect(reports.traced.get('real_file')).toBe('stopped FileNotFoundError');
    expect(reached).toBe(0);
  });

  it('leaves the next program a whole interpreter', async () => {
    // The last attempt emptied `sys.meta_path`.
    const next = await runtime.run({ file: { name: 'main.py', text: 'import asyncio, fractions\n' } });
    expect(next.trace.end.status).toBe('normal');
  });
});
