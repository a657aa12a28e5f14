import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serveFolder } from './serve.ts';

let outside: string;
let served: Served;

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'npdb-serve-'));
  const folder = mkdtempSync(join(outside, 'page'));
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), '<p>page</p>');
  writeFileSync(join(folder, 'a-12345678.wasm'), 'wasm');
  served = await serveFolder(folder);
});

afterAll(async () => {
  await served.close();
  rmSync(outside, { recursive: true });
});

/** `fetch` would tidy the path and own the host's name. */
function raw(
  path: string,
  options: { method?: string; host?: string } = {},
): Promise<{ status: number; body: string }> {
  const { port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const headers = { host: options.host ?? `127.0.0.1:${port}` };
    request({ host: '127.0.0.1', port, path, method: options.method ?? 'GET', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
    })
      .on('error', reject)
      .end();
  });
}

describe('the server of the page', () => {
  it('serves the page and its files with their types', async () => {
    expect(await raw('/')).toEqual({ status: 200, body: '<p>page</p>' });
    const file = await fetch(`${served.url}a-12345678.wasm?x=1`);
    expect(file.headers.get('content-type')).toBe('application/wasm');
    expect(file.headers.get('cache-control')).toContain('immutable');
    expect(await file.text()).toBe('wasm');
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/%00',
    '/%zz',
    '//secret.txt',
    '/none',
  ])('gives nothing that is not below its folder: %s', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  it('answers this machine alone, and only reads', async () => {
    expect((await raw('/', { host: 'evil.example' })).status).toBe(403);
    expect((await raw('/', { method: 'POST' })).status).toBe(405);
    expect(new URL(served.url).hostname).toBe('127.0.0.1');
  });

  it('says which port is taken', async () => {
    const port = Number(new URL(served.url).port);
    await expect(serveFolder('/', port)).rejects.toMatchObject({ code: 'E_PORT' });
  });
});
