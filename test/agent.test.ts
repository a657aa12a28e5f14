/**
 * @file The agent example: its policy on a real run (the missing import replaced), and on the program itself, which
 * cannot be run, with predictions of a stand-in that knows what would happen.
 */
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NpdbError } from '../src/common/errors.ts';
import { fakePredictor } from '../src/debugger/fake.ts';
import { type Recording, record } from '../src/debugger/recording.ts';
import { createMcpServer, Shared } from '../src/faces/mcp/index.ts';
import type { Predictor } from '../src/predictor/types.ts';
import { openRuntime } from '../src/python/index.ts';
import type { PythonRuntime } from '../src/python/types.ts';
import { sameState } from '../src/state/index.ts';

const folder = new URL('../examples/agent/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const program = read('shop.py');
const examples = JSON.parse(read('shop.examples.json')) as { call: string; expected: string }[];
/** What stands for the service that is not there; as many lines. */
const stubbed = program.replace(/^from stockroom.*$/m, 'read_orders = lambda: ([1], 1)');
const BUG = 7;

interface Found {
  readonly suspect: { readonly line: number; readonly source: string };
  readonly ranking: readonly { readonly line: number; readonly score: number }[];
  readonly confirmed: object | null;
  readonly walks: readonly { readonly failed: boolean; readonly value: string }[];
}
type Tool = (name: string, args: object) => Promise<Record<string, unknown>>;
interface Example {
  localise(tool: Tool, program: object, examples: object): Promise<Found>;
  report(found: Found): string[];
  toolsOf(client: Client): Tool;
}
const agent = (await import(new URL('localise.mjs', folder).href)) as Example;

let runtime: PythonRuntime;
beforeAll(async () => {
  runtime = await openRuntime('python3');
});
afterAll(() => runtime.close());

async function connect(shared: Shared) {
  const debug = createMcpServer({ shared });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'agent', version: '1' });
  await Promise.all([debug.server.connect(ours), client.connect(theirs)]);
  return { tool: agent.toolsOf(client), close: () => debug.close() };
}

async function recordings(code: string): Promise<Recording[]> {
  const set = { id: 'shop', code, calls: examples.map((e) => e.call) };
  const all = [];
  for (const i of examples.keys()) all.push((await record(set, i, runtime, {}))!);
  return all;
}

/** Right about every state of these runs; the run that began like the walk is asked first. */
function oracle(runs: readonly Recording[]): Predictor {
  const known = runs.map((run) => ({
    entry: run.state({ at: run.tree.first, call: false }),
    predictor: fakePredictor(run),
  }));
  return {
    name: 'a stand-in that knows',
    async predict(batch, options) {
      const [situation] = batch;
      const began = situation!.history?.[0]?.state ?? situation!.state;
      const ordered = [...known].sort(
        (a, b) => Number(sameState(b.entry, began)) - Number(sameState(a.entry, began)),
      );
      for (const { predictor } of ordered) {
        try {
          return await predictor.predict(batch, options);
        } catch (error) {
          if (!(error instanceof NpdbError) || error.code !== 'E_FAKE') throw error;
        }
      }
      throw new NpdbError('E_FAKE', 'No run holds this state.', 'Stay on their walks.');
    },
    async close() {},
  };
}

describe('the agent that localises a planted bug', () => {
  it('finds it on a real run, and confirms it', async () => {
    const { tool, close } = await connect(new Shared({ runtime }));
    const found = await agent.localise(tool, { code: stubbed, engine: 'recorded' }, examples);
    expect(found.walks.map((w) => w.failed)).toEqual([false, true, false, false, true]);
    expect(found.suspect).toMatchObject({ line: BUG, source: 'result = price + 2' });
    expect(found.ranking[1]!.score).toBeLessThan(found.ranking[0]!.score);
    expect(found.confirmed).toEqual({ call: 'unit_price(10, 5)', name: 'result', value: '8' });
    await close();
  });

  it('finds it in the program that cannot be run, from predictions alone', async () => {
    await expect(
      runtime.run({ file: { name: 'main.py', text: program }, call: examples[0]!.call }),
    ).resolves.toMatchObject({ trace: { end: { status: 'error' } } });
    // What the walk would be, with the bug and, for "what if", without it.
    const mended = stubbed.replace('price + 2', 'price - 2');
    const predictor = oracle([...(await recordings(stubbed)), ...(await recordings(mended))]);
    const { tool, close } = await connect(new Shared({ predictor, mayRun: false }));
    const found = await agent.localise(tool, { code: program, engine: 'neural' }, examples);
    expect(found.suspect.line).toBe(BUG);
    expect(found.confirmed).toMatchObject({ call: 'unit_price(10, 5)', value: '8' });
    expect(agent.report(found).at(-1)).toContain('confirmed');
    await close();
  });

  it('suspects nothing where nothing fails', async () => {
    const { tool, close } = await connect(new Shared({ runtime }));
    const mended = stubbed.replace('price + 2', 'price - 2');
    const found = await agent.localise(tool, { code: mended, engine: 'recorded' }, examples);
    expect(found.suspect.line).toBeGreaterThan(0);
    expect(found.ranking.every((r) => r.score === 0)).toBe(true);
    expect(agent.report(found).at(-1)).toContain('nothing to suspect');
    await close();
  });
});
