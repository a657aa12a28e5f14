/**
 * @file What docs/mcp.md, docs/env.md and docs/library.md say beyond their commands (those run in `docs.test.ts`):
 * configurations start a server, JavaScript prints what it says, tables are whole.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, it } from 'vitest';
import { ACTIONS } from '../src/faces/env/index.ts';
import { createMcpServer, Shared } from '../src/faces/mcp/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const PAGES = ['mcp', 'env', 'library'] as const;
const page = (name: string) => readFileSync(`${root}docs/${name}.md`, 'utf8');
const blocks = (name: string, language: string): string[] =>
  [...page(name).matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text!,
  );

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** In a shell; ended by us once it says where it listens. */
function run(command: string): Promise<Run> {
  const here = command
    .replaceAll('npx npdb', `"${process.execPath}" bin/npdb.js`)
    .replace(/--port \d+/, '--port 0');
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', here], { cwd: root, detached: true });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => {
      err += chunk;
      if (err.includes('npdb mcp: http://')) process.kill(-child.pid!, 'SIGINT');
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end();
  });
}

describe('what is to be copied', () => {
  it('that serves HTTP does', async () => {
    const command = blocks('mcp', 'text').find((text) => text.includes('--http'))!;
    const { code, out, err } = await run(command.trim());
    expect(err).toContain('npdb mcp: http://127.0.0.1:');
    // The token was chosen: it is not printed.
    expect(err).not.toContain('Bearer');
    expect({ code, out }).toEqual({ code: 0, out: '' });
  });

  it('of the configurations start the server', async () => {
    const configurations = blocks('mcp', 'json').map((text) => JSON.parse(text));
    const servers = configurations.flatMap((c) => Object.values(c.mcpServers ?? c.servers ?? {}));
    const started = servers.filter((server) => (server as { command?: string }).command) as {
      command: string;
      args: string[];
    }[];
    expect(started).toHaveLength(2);
    const [, toml = ''] = /command = "(\w+)"\nargs = \[.*\]/.exec(blocks('mcp', 'toml')[0]!) ?? [];
    expect(toml).toBe('npx');
    const lines = new Set(started.map(({ command, args }) => [command, ...args].join(' ')));
    for (const line of lines) expect(await run(line)).toMatchObject({ code: 0, out: '' });
  });

  it('in JavaScript print what they say', async () => {
    const [text = ''] = blocks('library', 'js');
    expect(text).toContain('// 6');
    const child = spawn(process.execPath, ['--input-type=module', '-e', text], {
      cwd: root,
      env: { ...process.env, NPDB_RUNTIME: 'python3' },
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    await new Promise((resolve) => child.on('close', resolve));
    expect(out).toBe('6\n');
  });
});

describe('the tables', () => {
  it('name every tool and every option of `npdb mcp`, and no other', async () => {
    const { server, close } = createMcpServer({ shared: new Shared() });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const { tools } = await client.listTools();
    const rows = [...page('mcp').matchAll(/^\| (.*?) \| (yes|part|no) \|/gm)];
    const named = (states: readonly string[]) =>
      rows
        .filter(([, , state]) => states.includes(state!))
        .flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!));
    expect(named(['yes', 'part']).sort()).toEqual(tools.map((tool) => tool.name).sort());
    const { prompts } = await client.listPrompts();
    for (const { name } of prompts) expect(page('mcp')).toContain(`\`${name}\``);
    await client.close();
    await close();
    const { out } = await run('npx npdb mcp --help');
    const options = [...out.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option!);
    for (const option of options) expect(page('mcp'), option).toContain(option);
  });

  it('name every action of an environment by its number', () => {
    const rows = [...page('env').matchAll(/^\| (\d) \| `(\w+)` \|/gm)].map(([, , name]) => name);
    expect(rows).toEqual([...ACTIONS]);
  });

  it('are linked from the list of features', () => {
    const features = readFileSync(`${root}FEATURES.md`, 'utf8');
    for (const name of PAGES) expect(features).toContain(`docs/${name}.md`);
  });
});
