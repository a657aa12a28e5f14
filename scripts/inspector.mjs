// The official MCP inspector's command line against `npdb mcp`, over stdio and HTTP. It is installed into `.cache` at a
// fixed version: it is large and only this check needs it. A step of `npm run verify`.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuild, ensurePackages, root, run } from './bootstrap.mjs';

const VERSION = '2.12.0';
const folder = join(root, '.cache', 'inspector');
const inspector = join(folder, 'node_modules', '@modelcontextprotocol', 'inspector');
const execute = promisify(execFile);

await ensurePackages();
await ensureBuild();
await install();
const { bin } = JSON.parse(readFileSync(join(inspector, 'package.json'), 'utf8'));
const program = join(inspector, bin['mcp-inspector']);

/** Runs the inspector; its answer as JSON. */
async function ask(target, ...args) {
  const { stdout } = await execute(process.execPath, [program, '--cli', ...target, ...args], { cwd: root });
  return JSON.parse(stdout);
}

let failed = 0;
function check(what, holds) {
  process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${what}\n`);
  if (!holds) failed += 1;
}

async function checkServer(name, target) {
  // `--strict` fails on schemas that some client cannot read.
  const { tools } = await ask(target, '--method', 'tools/list', '--strict');
  check(`${name}: tools/list --strict gives ${tools.length} tools`, tools.length >= 30);
  const tool = (toolName, ...pairs) =>
    ask(
      target,
      '--method',
      'tools/call',
      '--tool-name',
      toolName,
      ...pairs.flatMap((p) => ['--tool-arg', p]),
    );
  const made = await tool('create_debug_session', 'name=inspected');
  check(`${name}: tools/call create_debug_session`, made.structuredContent?.success === true);
  const { resourceTemplates } = await ask(target, '--method', 'resources/templates/list');
  check(`${name}: resources/templates/list`, resourceTemplates?.length === 3);
  const args = ['file=a.py', 'call=f(1)', 'symptom=wrong'].flatMap((pair) => ['--prompt-args', pair]);
  const prompt = await ask(
    target,
    '--method',
    'prompts/get',
    '--prompt-name',
    'debug_code_that_cannot_run',
    ...args,
  );
  check(`${name}: prompts/get`, JSON.stringify(prompt).includes('a.py'));
}

await checkServer('stdio', ['node', 'bin/npdb.js', 'mcp']);

const token = 'inspector-check-token';
const server = spawn(process.execPath, ['bin/npdb.js', 'mcp', '--http'], {
  cwd: root,
  env: { ...process.env, NPDB_MCP_TOKEN: token },
  stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await new Promise((resolve, reject) => {
  server.stderr.on('data', (chunk) => {
    const [found] = /http:\S+/.exec(String(chunk)) ?? [];
    if (found) resolve(found);
  });
  server.on('exit', (code) => reject(new Error(`npdb mcp --http ended with ${code}`)));
});
try {
  await checkServer('http', [url, '--transport', 'http', '--header', `Authorization: Bearer ${token}`]);
  const refused = await ask([url, '--transport', 'http'], '--method', 'tools/list').then(
    () => false,
    () => true,
  );
  check('http: refused without the token', refused);
} finally {
  server.removeAllListeners('exit');
  server.kill('SIGINT');
}
process.exitCode = failed === 0 ? 0 : 1;

async function install() {
  const stamp = join(folder, 'version');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === VERSION) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private": true}\n');
  const wanted = `@modelcontextprotocol/inspector@${VERSION}`;
  const code = await run(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', wanted],
    {
      cwd: folder,
    },
  );
  if (code !== 0) throw new Error('E_SETUP: the inspector could not be installed.');
  writeFileSync(stamp, VERSION);
}
