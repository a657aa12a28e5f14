/**
 * @file A plain web server for one folder on this machine's loopback: what `npdb web` opens. It reads files below its
 * folder and does nothing else; any other web host does as well.
 */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';
import { NpdbError } from '../../common/errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface Served {
  /** `http://127.0.0.1:8080/` */
  readonly url: string;
  close(): Promise<void>;
}

/** Port 0 takes a free one. Throws `E_PORT`. */
export async function serveFolder(folder: string, port = 0): Promise<Served> {
  const server = createServer((request, response) => {
    void answer(folder, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${cause.code})`;
      reject(new NpdbError('E_PORT', `Port ${port} ${why}.`, 'Choose another with --port.', 2, { cause }));
    });
    // Nobody but this machine.
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${given}/`, close: () => closed(server) };
}

// --- internal ---

async function answer(folder: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refuse = (status: number): void => {
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(`${status}\n`);
  };
  // A page of another name that leads here (DNS rebinding) is not ours to answer.
  if (!/^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')) return refuse(403);
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405);
  const path = fileOf(folder, request.url ?? '/');
  const found = path === null ? null : await stat(path).catch(() => null);
  if (path === null || !found?.isFile()) return refuse(404);
  response.writeHead(200, {
    'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
    'content-length': found.size,
    'cache-control': /-[\w-]{8}\.\w+$/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(path)
    .on('error', () => response.destroy())
    .pipe(response);
}

/** Null for what is not below the folder. */
function fileOf(folder: string, url: string): string | null {
  let name: string;
  try {
    name = decodeURIComponent(url.replace(/[?#].*$/s, ''));
  } catch {
    return null;
  }
  if (name.includes('\0')) return null;
  const path = normalize(join(folder, name.endsWith('/') ? `${name}index.html` : name));
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? path : null;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
