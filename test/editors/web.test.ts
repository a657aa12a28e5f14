/**
 * @file The packed extension's browser form in a real Chromium: its bundle in a worker, as an extension host runs it,
 * with no Node and a small stand-in for `vscode`. `npm run verify` (NPDB_BROWSER=full) runs it.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledModelFits, CHROMIUM } from '../../src/faces/web/chromium.testing.ts';
import { type Served, serveFolder } from '../../src/faces/web/serve.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What an extension host gives: `require('vscode')`, files by fetch, the registered factory. */
const HOST = `
const nothing = { dispose() {} };
let factory;
const vscode = {
  commands: { registerCommand: () => nothing },
  debug: {
    registerDebugConfigurationProvider: () => nothing,
    registerDebugAdapterDescriptorFactory: (_, given) => { factory = given; return nothing; },
  },
  languages: { registerInlineValuesProvider: () => nothing },
  workspace: {
    fs: {
      async readFile(uri) {
        const answer = await fetch(uri);
        if (!answer.ok) throw new Error(String(answer.status));
        return new Uint8Array(await answer.arrayBuffer());
      },
    },
  },
  Uri: { joinPath: (base, ...parts) => [base, ...parts].join('/'), parse: (text) => text, file: (text) => text },
  DebugAdapterInlineImplementation: class { constructor(implementation) { this.implementation = implementation; } },
};
const module = { exports: {} };
const exports = module.exports;
const require = (name) => {
  if (name === 'vscode') return vscode;
  throw new Error('the bundle asks for ' + name);
};
`;
const START = `
module.exports.activate({ extensionUri: ORIGIN, subscriptions: [] });
const { implementation } = factory.createDebugAdapterDescriptor();
implementation.onDidSendMessage((message) => postMessage(JSON.parse(JSON.stringify(message))));
onmessage = ({ data }) => implementation.handleMessage(data);
`;

const full = CHROMIUM !== null && process.env.NPDB_BROWSER === 'full';

describe.runIf(full)('the extension in a browser (in `npm run verify`, with Chromium)', () => {
  let browser: Browser;
  let served: Served;
  const folder = mkdtempSync(join(tmpdir(), 'npdb-vsix-'));

  beforeAll(async () => {
    const vsix = join(folder, 'npdb.vsix');
    await promisify(execFile)(process.execPath, ['editors/vscode/scripts/package.mjs', vsix], { cwd: root });
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(vsix)))) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, bytes);
    }
    const extension = join(folder, 'extension');
    writeFileSync(join(extension, 'index.html'), '<!doctype html><title>host</title>');
    writeFileSync(join(extension, 'discount.py'), readFileSync(join(root, 'examples', 'discount.py')));
    served = await serveFolder(extension);
    browser = await chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });
  }, 400_000);

  afterAll(async () => {
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['recorded', 'neural'])(
    'debugs with the %s engine, without Node',
    async (engine) => {
      if (engine === 'neural' && !bundledModelFits()) return;
      const page = await browser.newPage();
      // The page's own policy is of no concern here: an extension host has another one.
      await page.route('**/index.html', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
      );
      const origin = new URL(served.url).origin;
      await page.goto(`${origin}/index.html`);
      const seen = await page.evaluate(
        async ({ host, begin, origin, engine }) => {
          const bundle = await (await fetch(`${origin}/dist/web.cjs`)).text();
          const source = `${host}\n(function (module, exports, require) {${bundle}\n})(module, exports, require);\n${begin.replace('ORIGIN', JSON.stringify(origin))}`;
          const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
          const waiting = new Map<number, (m: { success: boolean; message?: string; body: never }) => void>();
          const events: { name: string; take: () => void }[] = [];
          worker.onmessage = ({ data }) => {
            if (data.type === 'response') waiting.get(data.request_seq)?.(data);
            else events.filter((e) => e.name === data.event).forEach((e) => void e.take());
          };
          const broken = new Promise<never>((_, fail) => {
            worker.onerror = (e) => fail(new Error(e.message));
          });
          let seq = 1;
          const ask = async <T>(command: string, args: object = {}): Promise<T> => {
            const id = seq++;
            const answer = new Promise<{ success: boolean; message?: string; body: never }>((d) =>
              waiting.set(id, d),
            );
            worker.postMessage({ type: 'request', seq: id, command, arguments: args });
            const { success, message, body } = await Promise.race([answer, broken]);
            if (!success) throw new Error(`${command}: ${message}`);
            return body;
          };
          const event = (name: string) => new Promise<void>((take) => events.push({ name, take }));
          await ask('initialize', { pathFormat: 'uri' });
          const program = `${origin}/discount.py`;
          const stopped = event('stopped');
          await Promise.all([
            ask('launch', { program, call: 'total([5, 2, 9], 3)', engine, stopOnEntry: true }),
            ask('configurationDone'),
          ]);
          await stopped;
          const next = event('stopped');
          await ask('next', { threadId: 1 });
          await next;
          const { stackFrames } = await ask<{ stackFrames: { name: string; line: number }[] }>('stackTrace', {
            threadId: 1,
          });
          const { result } = await ask<{ result: string }>('evaluate', {
            expression: 'sum(prices)',
            context: 'watch',
          });
          return { top: stackFrames[0]!, result };
        },
        { host: HOST, begin: START, origin, engine },
      );
      if (engine === 'recorded')
        expect(seen).toMatchObject({ top: { name: 'total', line: 8 }, result: '16' });
      else expect(seen.top.name).toMatch(/# predicted, [\d.]+ %$/);
      await page.close();
    },
    400_000,
  );
});
