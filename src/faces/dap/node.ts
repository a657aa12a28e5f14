/** @file The adapter on Node: files from the disk, engines in this process, a session over stdio or a local port. */
import { realpathSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join, normalize, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { NpdbError } from '../../common/errors.ts';
import { openSession } from '../session.ts';
import type { Launch } from './launchArguments.ts';
import { NpdbSession } from './session.ts';
import type { Found, Host } from './types.ts';
import { frame, WireReader } from './wire.ts';

/** `open` is replaced in tests. */
export function nodeHost(open: Host['open'] = async (options) => openSession(options)): Host {
  return { find, open, same };
}

/** One session over a pair of streams; resolves when it has ended. */
export function connect(host: Host, input: Readable, output: Writable): Promise<void> {
  return new Promise((done) => {
    let over = false;
    const finish = () => {
      if (over) return;
      over = true;
      void session.end().then(done);
    };
    const session = new NpdbSession(host, finish);
    session.onDidSendMessage((message: unknown) => {
      if (output.writable) output.write(frame(message));
    });
    const reader = new WireReader({
      message: (message) => session.handleMessage(message),
      problem: (what) => session.problem(what),
      foreign: () => {
        input.destroy();
        finish();
      },
    });
    input.on('data', (chunk: Buffer) => reader.feed(chunk));
    for (const event of ['end', 'close', 'error']) input.on(event, finish);
    // A client that is gone reads nothing any more.
    output.on('error', finish);
  });
}

/** A session for each connection, on this machine only. Throws `E_PORT`. */
export function listen(
  host: Host,
  port: number,
): Promise<{ readonly port: number; readonly server: Server }> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => {
      void connect(host, socket, socket).then(() => socket.end());
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      const what = error.code === 'EADDRINUSE' ? 'it is in use' : error.message;
      fail(
        new NpdbError(
          'E_PORT',
          `Cannot listen on port ${port}: ${what}.`,
          'Choose another, or 0 for any.',
          3,
        ),
      );
    });
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      done({ port: typeof address === 'object' && address ? address.port : port, server });
    });
  });
}

// --- internal ---

async function find(launch: Launch): Promise<Found> {
  if (launch.program !== undefined)
    return read(resolve(launch.cwd ?? '.', plainPath(launch.program)), launch.program);
  if (launch.module !== undefined)
    return read(await moduleFile(launch.module, launch.cwd ?? '.'), launch.module);
  if (launch.code !== undefined) {
    return { path: '', text: Array.isArray(launch.code) ? launch.code.join('\n') : launch.code };
  }
  throw new NpdbError(
    'E_FILE',
    'The launch configuration names no program.',
    'Set `program`, `module` or `code`.',
  );
}

async function read(path: string, name: string): Promise<Found> {
  try {
    const text = await readFile(path, 'utf8');
    return { path, text: text.replace(/^\uFEFF/, '') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : String(error);
    throw new NpdbError('E_FILE', `The program ${name} ${why}.`, 'Check `program` and `cwd`.', 3);
  }
}

/** `a.b` is `a/b.py`, or `a/b/__main__.py`, as `python -m` has it. */
async function moduleFile(module: string, cwd: string): Promise<string> {
  const valid = /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(module);
  const base = join(resolve(cwd), ...module.split('.'));
  for (const path of valid ? [`${base}.py`, join(base, '__main__.py')] : []) {
    if (
      await stat(path).then(
        (s) => s.isFile(),
        () => false,
      )
    )
      return path;
  }
  throw new NpdbError(
    'E_MODULE',
    `There is no module ${module} below ${resolve(cwd)}.`,
    'Check `module` and `cwd`.',
    3,
  );
}

const plainPath = (path: string): string => (path.startsWith('file:') ? fileURLToPath(path) : path);

/** Clients write one path in several ways: as a URI, through a link, with another drive letter. */
function same(a: string, b: string): boolean {
  return canonical(a) === canonical(b);
}

function canonical(path: string): string {
  let plain = path;
  try {
    plain = normalize(plainPath(path));
    plain = realpathSync(plain);
  } catch {
    // A path that does not exist is compared as it is written.
  }
  return process.platform === 'win32' ? plain.toLowerCase() : plain;
}

/** For a client whose paths are URIs. */
export const uriOf = (path: string): string => pathToFileURL(path).href;
