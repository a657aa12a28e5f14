/** Walls around CPython: each way to the machine, tried from within (`test/fixtures/walls.py`). */
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createCpython } from './cpython.ts';
import type { PythonRuntime } from './types.ts';
import type { WallName } from './wall.ts';

const text = readFileSync(new URL('../../test/fixtures/walls.py', import.meta.url), 'utf8');
const attempts = /^ATTEMPTS = \[([^\]]+)\]/m.exec(text)![1]!.match(/\w+/g)!;

/** Containers without user namespaces have no wall; then there is none to test, and the runtime says so. */
async function works(wall: WallName): Promise<boolean> {
  const runtime = await createCpython({ wall }).catch(() => null);
  await runtime?.close();
  return runtime !== null;
}

/** Command lines of this machine's processes. */
async function commandLines(): Promise<string[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return names.map((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1');
    } catch {
      return '';
    }
  });
}

/** Waits until no process has this word in its command line; false if one stays. */
async function gone(word: string): Promise<boolean> {
  for (let i = 0; i < 600; i++) {
    if (!(await commandLines()).some((line) => line.includes(word))) return true;
    await pause(100);
  }
  return false;
}

const walls = ['bwrap', 'unshare'] as const;
const working = new Map<WallName, boolean>();
for (const wall of walls) working.set(wall, await works(wall));

describe.each(walls.filter((wall) => working.get(wall)))('the wall %s', { timeout: 120_000 }, (wall) => {
  let runtime: PythonRuntime;
  let folder: string;
  let servers: Server[];
  let reached = 0;
  let report = new Map<string, string>();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'npdb-wall-test-'));
    const file = join(folder, 'secret.txt');
    await writeFile(file, 'secret');
    const abstract = `npdb-test-${process.pid}`;
    servers = await Promise.all(
      [{ host: '127.0.0.1', port: 0 }, { path: `\0${abstract}` }].map((where) => {
        const server = createServer((link) => {
          reached++;
          link.destroy();
        });
        return new Promise<Server>((resolve) => server.listen(where, () => resolve(server)));
      }),
    );
    const { port } = servers[0]!.address() as { port: number };
    runtime = await createCpython({ wall, readable: [join(folder, 'seen')], workers: 1 });
    const names = `HOST_FILE, HOST_PID, PORT, ABSTRACT = ${JSON.stringify(file)}, ${process.pid}, ${port}, ${JSON.stringify(abstract)}`;
    const { trace } = await runtime.run({
      file: { name: 'main.py', text: `${names}\n${text}` },
      call: 'report()',
      record: false,
      limits: { timeMs: 100_000 },
    });
    expect(trace.end).toMatchObject({ status: 'normal' });
    const found = (trace.end.value ?? '').matchAll(/'(\w+)': ('[^']*'|"[^"]*")/g);
    report = new Map(Array.from(found, ([, name, what]) => [name!, what!.slice(1, -1)]));
  });
  afterAll(async () => {
    for (const server of servers) server.close();
    await runtime.close();
    await rm(folder, { recursive: true });
  });

  it('is what the runtime says', () => {
    expect(runtime.protection).toContain(wall === 'bwrap' ? 'bubblewrap' : 'namespaces');
  });

  it.each(attempts)('leaves no %s', (name) => {
    expect(report.get(name)).toMatch(/^(stopped \w+|nothing)$/);
    expect(reached).toBe(0);
  });

  it('ends with everything that the program started, wherever that went', async () => {
    const word = `${7_000_000 + process.pid}.5`;
    const daemon = `
import os, subprocess, sys
child = "import os, subprocess; os.setsid(); os.chdir('/'); subprocess.Popen(['sleep', '${word}'], env={}, start_new_session=True)"
subprocess.run([sys.executable, '-c', child])
`;
    const { trace } = await runtime.run({ file: { name: 'main.py', text: daemon } });
    expect(trace.end.status).toBe('normal');
    expect(await gone(word)).toBe(true);
  });

  it('leaves no folder, inside or out', async () => {
    // Where this project itself lies below /tmp, that folder is shown, for the tracer is in it.
    const [, top, here] = fileURLToPath(import.meta.url).split('/');
    const shown = top === 'tmp' ? [here] : [];
    const litter = `import os\nopen("x", "w").close()\nopen("/tmp/x", "w").close()\nx = os.listdir(), sorted({*os.listdir("/tmp")}.difference(${JSON.stringify(shown)}))\n`;
    const own = await mkdtemp(join(folder, 'tmp-'));
    vi.stubEnv('TMPDIR', own);
    try {
      for (const run of [1, 2]) {
        const { trace } = await runtime.run({ file: { name: 'main.py', text: litter } });
        expect([run, trace.events.at(-1)!.set?.x]).toEqual([run, "(['x'], ['x'])"]);
      }
      expect(await readdir(own)).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('shows the folders it is told to, read-only', async () => {
    const shown = await createCpython({ wall, readable: [folder], workers: 1 });
    const path = JSON.stringify(join(folder, 'secret.txt'));
    const program = `x = open(${path}).read()\ntry: open(${path}, 'w')\nexcept OSError as e: y = type(e)\n`;
    const { trace } = await shown.run({ file: { name: 'main.py', text: program } });
    await shown.close();
    const names = Object.assign({}, ...trace.events.map((event) => event.set ?? {}));
    expect(names).toMatchObject({ x: "'secret'", y: expect.stringMatching(/OSError|PermissionError/) });
  });
});

describe('without a wall', () => {
  it('the runtime says so', async () => {
    const runtime = await createCpython({ wall: 'none' }).catch(() => null);
    if (!runtime) return;
    expect(runtime.protection).toContain('no wall around your files or the network');
    await runtime.close();
  });

  it.skipIf(process.platform !== 'linux')('what a program moved out of its group still ends', async () => {
    const runtime = await createCpython({ wall: 'none' }).catch(() => null);
    if (!runtime) return;
    const word = `${8_000_000 + process.pid}.5`;
    const daemon = `import subprocess\nsubprocess.Popen(['sleep', '${word}'], start_new_session=True)\n`;
    await runtime.run({ file: { name: 'main.py', text: daemon } });
    await runtime.close();
    expect(await gone(word)).toBe(true);
  });

  it('a wall that does not work is an error', async () => {
    const none = walls.find((wall) => !working.get(wall));
    if (!none) return;
    await expect(createCpython({ wall: none })).rejects.toMatchObject({ exit: 3 });
  });
});
