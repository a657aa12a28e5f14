/**
 * @file An agent that finds the bug in a program that cannot be run here: a fixed policy that sees the program only
 * through the answers of npdb's MCP tools. Spectrum-based fault localisation (Ochiai) over *predicted* walks: lines
 * that failing examples walk through and passing ones do not are suspected first; then "what if" tests the suspicion.
 *
 *   node examples/agent/localise.mjs              # the program beside this file, the bundled model
 *   node examples/agent/localise.mjs --model DIR  # another model
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

/** Steps of one walk: beyond them a model walks in circles. */
const MOST_STEPS = 30;

/** Calls a tool; an answer that says it failed is an error here. */
export const toolsOf = (client) => async (name, args) => {
  const { structuredContent: reply } = await client.callTool({ name, arguments: args });
  if (!reply?.success) throw new Error(`${name}: ${reply?.error?.code} ${reply?.error?.message}`);
  return reply;
};

/** Walks one example state by state: the lines it goes through, what each changed, what it returns. */
async function walk(tool, sessionId, program, { call, expected }) {
  let stop = await tool('start_debugging', { sessionId, ...program, call });
  const visited = [];
  let confidence = 1;
  for (let steps = 0; steps < MOST_STEPS && stop.state === 'paused'; steps += 1) {
    if (stop.event === 'return' && stop.location.depth === 0) break;
    const line = stop.event === 'line' ? stop.location.line : null;
    const next = await tool('step_into', { sessionId, from: stop.position }).catch(() => null);
    if (!next) break;
    confidence = Math.min(confidence, next.confidence ?? 1);
    if (line !== null) visited.push({ line, changed: next.changed ?? [], after: next.position });
    stop = next;
  }
  const value = stop.event === 'return' ? stop.returnValue : (stop.exception ?? 'no value');
  return { call, expected, value, failed: value !== expected, visited, confidence };
}

/** Ochiai: failing walks through the line / sqrt(failing walks * walks through the line), most suspicious first. */
export function ochiai(walks) {
  const failing = walks.filter((w) => w.failed).length;
  const lines = new Set(walks.flatMap((w) => w.visited.map((v) => v.line)));
  const scores = [...lines].map((line) => {
    const through = walks.filter((w) => w.visited.some((v) => v.line === line));
    const failed = through.filter((w) => w.failed).length;
    const score = failed === 0 ? 0 : failed / Math.sqrt(failing * through.length);
    return { line, score };
  });
  return scores.sort((a, b) => b.score - a.score || a.line - b.line);
}

/** What if the line had made the wanted value? Where the call then returns what it should, the line is the cause. */
async function whatIf(tool, sessionId, program, suspect, walks) {
  for (const { call, expected, visited, failed } of walks) {
    if (!failed) continue;
    const at = visited.findIndex(
      (v) => v.line === suspect.line && v.changed.some((c) => c.value !== undefined),
    );
    if (at < 0) continue;
    const { name } = visited[at].changed.find((c) => c.value !== undefined);
    try {
      let stop = await tool('start_debugging', { sessionId, ...program, call });
      // Positions are numbered anew at each start: the same steps lead to the same one.
      while (stop.position < visited[at].after) stop = await tool('step_into', { sessionId });
      const edit = await tool('set_variable', { sessionId, name, value: expected });
      const out = await tool('step_out', { sessionId, from: edit.position });
      if (out.location?.depth === 0 && out.returnValue === expected) return { call, name, value: expected };
    } catch {
      // This example cannot tell; another may.
    }
  }
  return null;
}

/** `program`: `{ scriptPath }` or `{ code }`, and the engine. Everything it knows comes from the tools. */
export async function localise(tool, program, examples) {
  const { sessionId } = await tool('create_debug_session', { name: 'localise' });
  const walks = [];
  for (const example of examples) walks.push(await walk(tool, sessionId, program, example));
  const ranking = ochiai(walks);
  const [suspect] = ranking;
  // Where several lines are as suspicious, the walks say nothing: a test of one would only seem to confirm it.
  const tied = ranking.filter((r) => r.score === suspect?.score).length;
  const sole = suspect?.score > 0 && tied === 1;
  const confirmed = sole ? await whatIf(tool, sessionId, program, suspect, walks) : null;
  const source = suspect ? await tool('get_source_context', { sessionId, line: suspect.line }) : null;
  await tool('close_debug_session', { sessionId });
  return { walks, ranking, suspect: suspect && { ...suspect, source: source.lineContent.trim() }, confirmed };
}

export function report({ walks, ranking, suspect, confirmed }) {
  const percent = (p) => `${(100 * p).toFixed(0)} %`;
  const lines = walks.map(
    (w) =>
      `${w.failed ? 'FAIL' : 'pass'}  ${w.call} -> ${w.value}, should be ${w.expected} (least sure step: ${percent(w.confidence)})`,
  );
  if (!suspect || suspect.score === 0)
    return [...lines, 'No example fails as predicted: nothing to suspect.'];
  const tied = ranking.filter((r) => r.score === suspect.score);
  if (tied.length > 1) {
    const list = tied.map((r) => r.line).join(', ');
    return [
      ...lines,
      `no single suspect: lines ${list} are as suspicious; look at the least sure steps, or ask a better model`,
    ];
  }
  lines.push(`suspect: line ${suspect.line}: ${suspect.source} (Ochiai ${suspect.score.toFixed(2)})`);
  lines.push(
    confirmed
      ? `confirmed: with ${confirmed.name} = ${confirmed.value} after it, ${confirmed.call} returns ${confirmed.value}`
      : 'not confirmed: no single value after it makes a failing example right',
  );
  return lines;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const root = here('../..');
  const client = new Client({ name: 'localise', version: '1' });
  // The server may run nothing: what follows is predicted, all of it.
  const args = [here('../../bin/npdb.js'), 'mcp', '--no-run', '--root', root, ...process.argv.slice(2)];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: root }));
  try {
    const examples = JSON.parse(readFileSync(here('shop.examples.json'), 'utf8'));
    const found = await localise(
      toolsOf(client),
      { scriptPath: here('shop.py'), engine: 'neural' },
      examples,
    );
    for (const line of report(found)) process.stdout.write(`${line}\n`);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  } finally {
    await client.close();
  }
}
