/** @file The VS Code extension's code against a small fake of the editor, and its manifest against VS Code's rules. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Api, vscode } from '../../editors/vscode/src/api.ts';
import { adapterCommand } from '../../editors/vscode/src/command.ts';
import { firstCall } from '../../editors/vscode/src/configuration.ts';
import { register } from '../../editors/vscode/src/register.ts';
import { webHost } from '../../editors/vscode/src/webHost.ts';
import { launchSchema } from '../../src/faces/dap/launchArguments.ts';
import { NpdbSession } from '../../src/faces/dap/session.ts';

const folder = fileURLToPath(new URL('../../editors/vscode/', import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const source = 'def total(prices, discount=3, *rest):\n    return prices\n';

/** An editor with one Python file, one session, and a person who answers as told. */
function editor() {
  const seen = {
    requests: [] as [string, unknown][],
    errors: [] as string[],
    said: [] as string[],
    started: [] as vscode.DebugConfiguration[],
    commands: new Map<string, (argument?: unknown) => Promise<void>>(),
  };
  const answers: {
    input?: string | undefined;
    pick: number;
    trusted: boolean;
    body: unknown;
    fails?: boolean;
  } = {
    input: undefined,
    pick: 0,
    trusted: true,
    body: {},
  };
  const kept: { configuration?: vscode.DebugConfigurationProvider; inline?: vscode.InlineValuesProvider } =
    {};
  const uri = { scheme: 'file', fsPath: '/w/shop.py', toString: () => 'file:///w/shop.py' } as vscode.Uri;
  const lines = source.split('\n');
  const document = {
    uri,
    languageId: 'python',
    lineCount: lines.length,
    getText: (range?: unknown) => (range ? 'prices' : source),
    lineAt: (line: number) => ({ range: { end: { line, character: lines[line]!.length } } }),
    getWordRangeAtPosition: () => ({}),
  } as unknown as vscode.TextDocument;
  const session = {
    type: 'npdb',
    workspaceFolder: undefined,
    configuration: { type: 'npdb', request: 'launch', name: 'x', program: '/w/shop.py', call: 'total([1])' },
    async customRequest(command: string, args: unknown) {
      seen.requests.push([command, args]);
      if (answers.fails) throw new Error('E_RUNNING: The program is running.');
      return answers.body;
    },
  };
  const nothing = { dispose() {} };
  const api = {
    commands: {
      registerCommand(name: string, run: (argument?: unknown) => Promise<void>) {
        seen.commands.set(name, run);
        return nothing;
      },
    },
    debug: {
      activeDebugSession: session as unknown,
      activeStackItem: { frameId: 7 },
      registerDebugConfigurationProvider(_: string, provider: vscode.DebugConfigurationProvider) {
        kept.configuration = provider;
        return nothing;
      },
      registerDebugAdapterDescriptorFactory: () => nothing,
      async startDebugging(_: unknown, configuration: vscode.DebugConfiguration) {
        seen.started.push(configuration);
        return true;
      },
    },
    window: {
      activeTextEditor: { document, selection: { active: { line: 1, character: 11 } } },
      showInputBox: async () => answers.input,
      showQuickPick: async (items: unknown[]) => items[answers.pick],
      showErrorMessage: async (text: string) => void seen.errors.push(text),
      showInformationMessage: async (text: string) => void seen.said.push(text),
    },
    workspace: {
      get isTrusted() {
        return answers.trusted;
      },
      getConfiguration: () => ({ get: (_: string, otherwise: unknown) => otherwise }),
    },
    languages: {
      registerInlineValuesProvider(_: unknown, provider: vscode.InlineValuesProvider) {
        kept.inline = provider;
        return nothing;
      },
    },
    Range: class {
      readonly start: unknown;
      readonly end: unknown;
      constructor(start: unknown, end: unknown) {
        this.start = start;
        this.end = end;
      }
    },
    InlineValueText: class {
      readonly range: unknown;
      readonly text: string;
      constructor(range: unknown, text: string) {
        this.range = range;
        this.text = text;
      }
    },
  };
  register(api as unknown as Api, { subscriptions: [] }, { createDebugAdapterDescriptor: () => undefined });
  const run = (name: string, argument?: unknown) => seen.commands.get(`npdb.${name}`)!(argument);
  return { api, seen, answers, kept, document, run };
}

describe('the commands of the VS Code extension', () => {
  let e: ReturnType<typeof editor>;
  beforeEach(() => {
    e = editor();
  });

  it('are all that the manifest lists', () => {
    const listed = manifest.contributes.commands.map((c: { command: string }) => c.command);
    expect([...e.seen.commands.keys()].sort()).toEqual([...listed].sort());
  });

  it('run to the line of the cursor', async () => {
    await e.run('runToHere');
    expect(e.seen.requests).toEqual([['npdb/runTo', { source: { path: '/w/shop.py' }, line: 2 }]]);
  });

  it('ask what input leads here, and debug the one that is chosen', async () => {
    e.answers.input = '8';
    e.answers.body = {
      candidates: [
        { call: 'total([8])', text: 'not checked  # predicted, 40 %' },
        { call: 'total([4, 4])', text: 'checked  # predicted, 12 %' },
      ],
    };
    e.answers.pick = 1;
    await e.run('whatLeadsHere');
    expect(e.seen.requests).toEqual([['npdb/inverse', { value: '8' }]]);
    expect(e.seen.started).toMatchObject([{ call: 'total([4, 4])', program: '/w/shop.py', type: 'npdb' }]);
  });

  it('say that no input was proposed; do nothing where nothing was typed', async () => {
    e.answers.body = { candidates: [] };
    await e.run('whatLeadsHere');
    expect(e.seen.requests).toEqual([]);
    e.answers.input = '8';
    await e.run('whatLeadsHere');
    expect(e.seen.said[0]).toContain('no input was proposed for 8');
  });

  it('ask who changed the variable under the cursor, or the one that was clicked', async () => {
    await e.run('whoChanged');
    await e.run('whoChanged', { variable: { name: '0', evaluateName: 'xs[0]' } });
    expect(e.seen.requests).toEqual([
      ['npdb/whoChanged', { name: 'prices', frameId: 7 }],
      ['npdb/whoChanged', { name: 'xs[0]', frameId: 7 }],
    ]);
  });

  it('step back into and out, and compare', async () => {
    e.answers.body = { place: 'really at total, line 2', differences: ['result: real 0, predicted 5'] };
    for (const name of ['stepBackInto', 'stepBackOut', 'compare']) await e.run(name);
    expect(e.seen.requests.map(([r]) => r)).toEqual([
      'npdb/reverseStepIn',
      'npdb/reverseStepOut',
      'npdb/compare',
    ]);
    expect(e.seen.said).toEqual(['npdb: really at total, line 2; result: real 0, predicted 5']);
  });

  it('show what failed', async () => {
    e.answers.fails = true;
    await e.run('runToHere');
    e.api.debug.activeDebugSession = undefined;
    await e.run('runToHere');
    expect(e.seen.errors).toEqual(['E_RUNNING: The program is running.', 'Start npdb first.']);
  });

  it('debug a call without any configuration', async () => {
    e.answers.input = 'total([1, 2])';
    await e.run('debugCall');
    expect(e.seen.started).toMatchObject([{ type: 'npdb', program: '/w/shop.py', call: 'total([1, 2])' }]);
  });
});

describe('the launch configuration in VS Code', () => {
  const resolve = (e: ReturnType<typeof editor>, configuration: object) =>
    e.kept.configuration!.resolveDebugConfiguration!(undefined, configuration as vscode.DebugConfiguration);

  it('is made from the open file where there is none', async () => {
    const e = editor();
    e.answers.input = '';
    const made = await resolve(e, {});
    expect(made).toMatchObject({
      type: 'npdb',
      request: 'launch',
      program: 'file:///w/shop.py',
      engine: 'neural',
    });
    expect(made).not.toHaveProperty('call');
    e.answers.input = undefined;
    expect(await resolve(e, {})).toBeUndefined();
  });

  it('runs nothing in a folder that is not trusted', async () => {
    const e = editor();
    e.answers.trusted = false;
    const given = { type: 'npdb', request: 'launch', name: 'x', program: 'a.py' };
    expect(await resolve(e, { ...given, engine: 'recorded' })).toBeUndefined();
    expect(e.seen.errors[0]).toContain('trust this workspace');
    expect(await resolve(e, { ...given, verify: 'correct' })).toMatchObject({ verify: 'off' });
    expect(await resolve(e, given)).toEqual(given);
  });

  it.each([
    ['def f(a, b=2, *c, d: int = 3, **e): pass', 'f(a, b, d)'],
    ['async def g(): pass', 'g()'],
    ['x = 1', ''],
    ['def f(a): pass\ndef g(b): pass\n', 'g(b)'],
  ])('proposes a call for %j', (text, call) => {
    expect(firstCall(text)).toBe(call);
  });

  it('starts the adapter of a trusted workspace, of the path, or of the setting', () => {
    const root = mkdtempSync(join(tmpdir(), 'npdb-code-'));
    afterAll(() => rmSync(root, { recursive: true }));
    const name = process.platform === 'win32' ? 'npdb.cmd' : 'npdb';
    mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true });
    writeFileSync(join(root, 'node_modules', '.bin', name), '');
    expect(adapterCommand([], root, true)).toEqual({
      command: join(root, 'node_modules', '.bin', name),
      args: ['dap'],
    });
    expect(adapterCommand([], root, false)).toEqual({ command: name, args: ['dap'] });
    expect(adapterCommand(['node', 'x.js'], root, true)).toEqual({ command: 'node', args: ['x.js', 'dap'] });
  });
});

describe('inline values in VS Code', () => {
  const viewport = { start: { line: 0 }, end: { line: 1 } } as vscode.Range;
  const context = { frameId: 3 } as vscode.InlineValueContext;
  const ask = (e: ReturnType<typeof editor>) =>
    e.kept.inline!.provideInlineValues(e.document, viewport, context, {} as vscode.CancellationToken);

  it('stand at the ends of their lines, with the confidence', async () => {
    const e = editor();
    e.answers.body = {
      values: [
        { line: 1, text: 'prices = [1]  (predicted, 93 %)' },
        { line: 9, text: 'not in view' },
      ],
    };
    expect(await ask(e)).toMatchObject([
      { text: 'prices = [1]  (predicted, 93 %)', range: { start: { line: 0, character: 37 } } },
    ]);
    expect(e.seen.requests).toEqual([['npdb/inlineValues', { frameId: 3 }]]);
  });

  it('are none while the program runs, and for other debuggers', async () => {
    const e = editor();
    e.answers.fails = true;
    expect(await ask(e)).toEqual([]);
    e.api.debug.activeDebugSession = { type: 'debugpy' };
    expect(await ask(e)).toEqual([]);
  });
});

describe('the manifest of the VS Code extension', () => {
  const { contributes } = manifest;

  it('has what the marketplace asks for', () => {
    expect(manifest.name).toMatch(/^[a-z0-9][a-z0-9-]*$/);
    expect(manifest.publisher).toMatch(/^[a-z0-9][a-z0-9-]*$/i);
    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+$/);
    const types = JSON.parse(
      readFileSync(new URL('../../node_modules/@types/vscode/package.json', import.meta.url), 'utf8'),
    );
    // The API that was compiled against is the one that is asked for.
    expect(manifest.engines.vscode).toBe(`^${types.version}`);
    for (const file of ['README.md', 'LICENSE']) expect(existsSync(join(folder, file))).toBe(true);
  });

  it('has menus of commands that exist', () => {
    const commands = new Set(contributes.commands.map((c: { command: string }) => c.command));
    const items = Object.values(contributes.menus).flat() as { command: string; when: string }[];
    for (const { command, when } of items) {
      expect(commands.has(command), command).toBe(true);
      expect(when).toContain("debugType == 'npdb'");
    }
  });

  it('describes the fields that the adapter reads, with its defaults and choices', () => {
    const [debuggerType] = contributes.debuggers;
    const { properties } = debuggerType.configurationAttributes.launch;
    const shape = launchSchema.shape as Record<string, unknown>;
    for (const [name, schema] of Object.entries(properties) as [
      string,
      { enum?: string[]; default?: unknown },
    ][]) {
      expect(shape, name).toHaveProperty(name);
      for (const choice of schema.enum ?? [])
        expect(() => launchSchema.parse({ [name]: choice })).not.toThrow();
      // These two are on for people in an editor; `${...}` is the editor's to fill in.
      if (schema.default === undefined || ['stopOnEntry', 'call', 'program', 'cwd'].includes(name)) continue;
      expect(() => launchSchema.parse({ [name]: schema.default }), name).not.toThrow();
    }
    const snippets = debuggerType.configurationSnippets as { body: Record<string, string> }[];
    for (const { body } of [...snippets, { body: debuggerType.initialConfigurations[0] }]) {
      expect(body).toMatchObject({ type: 'npdb', request: 'launch' });
      for (const field of Object.keys(body).filter((f) => !['type', 'request', 'name'].includes(f)))
        expect(properties, field).toHaveProperty(field);
    }
  });
});

describe('the form for browsers', () => {
  const none = async (): Promise<never> => {
    throw new Error('no engine is needed to read a program');
  };
  const files: Record<string, string> = { 'vscode-vfs://github/a/b.py': '\uFEFFdef f():\n    return 1\n' };
  const host = webHost(
    async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error('no such file');
      return new TextEncoder().encode(text);
    },
    { predictor: none, runtime: none },
  );

  it('reads programs from the editor, not from a disk', async () => {
    const found = await host.find(launchSchema.parse({ program: 'vscode-vfs://github/a/b.py' }));
    expect(found.text).toBe('def f():\n    return 1\n');
    await expect(host.find(launchSchema.parse({ program: '/x.py' }))).rejects.toMatchObject({
      code: 'E_FILE',
    });
    await expect(host.find(launchSchema.parse({ module: 'x' }))).rejects.toMatchObject({ code: 'E_FILE' });
    expect(host.same('file:///w/a%20b.py', '/w/a b.py')).toBe(true);
  });

  it('is an inline adapter: messages in, messages out', async () => {
    const session = new NpdbSession(host);
    const answer = new Promise<{ success: boolean; body: object }>((done) =>
      session.onDidSendMessage((m: unknown) => done(m as { success: boolean; body: object })),
    );
    session.handleMessage({
      type: 'request',
      seq: 1,
      command: 'initialize',
      arguments: { pathFormat: 'uri' },
    });
    expect(await answer).toMatchObject({ success: true, body: { supportsStepBack: true } });
  });
});
