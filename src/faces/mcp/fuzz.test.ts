import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type TestClient, text } from './client.testing.ts';

let agent: TestClient;
let sessionId: string;
let names: string[];
beforeAll(async () => {
  agent = await connect({ replyBytes: 2_000 });
  sessionId = await agent.start({ engine: 'compared' });
  names = (await agent.client.listTools()).tools.map((tool) => tool.name);
});
afterAll(() => agent.close());

const word = fc.oneof(
  fc.constantFrom('prices', 'discount', 'total', 'cut', 'result = 0', '[1, 2]', 'cut(1, 2)', '1 +', '', '8'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const number = fc.oneof(fc.integer({ min: -2, max: 20 }), fc.double(), fc.constant(2 ** 40));

/** Arguments that are sometimes right, often wrong. */
const args = fc.record(
  {
    sessionId: fc.oneof({ weight: 9, arbitrary: fc.constant('SESSION') }, { weight: 1, arbitrary: word }),
    from: number,
    position: number,
    line: number,
    frameId: number,
    variablesReference: number,
    maxBytes: number,
    timeoutMs: fc.constantFrom(1, 50, 'soon'),
    statement: word,
    function: word,
    condition: word,
    name: word,
    value: word,
    expression: word,
    call: word,
    code: fc.oneof(fc.constant(text), word),
    kind: fc.constantFrom('over', 'into', 'out', 'up'),
    breakpointId: fc.constantFrom('bp-1', 'bp-99'),
  },
  { requiredKeys: ['sessionId'] },
);

it('any call of any tool gets one answer within its budget, and the session lives on', async () => {
  // Only what a tool knows, or all of it: misspelt arguments are refused before anything happens.
  const { tools } = await agent.client.listTools();
  const known = new Map(tools.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties ?? {})]));
  const tool = fc.constantFrom(
    ...names.filter((name) => !name.startsWith('close') && !name.startsWith('create')),
  );
  await fc.assert(
    fc.asyncProperty(tool, args, fc.boolean(), async (name, given, strict) => {
      const entries = Object.entries(given).filter(([key]) => !strict || known.get(name)!.includes(key));
      const call = Object.fromEntries(entries) as Record<string, unknown>;
      if (call.sessionId === 'SESSION') call.sessionId = sessionId;
      const result = await agent.client.callTool({ name, arguments: call });
      const [{ text: answer }] = result.content as [{ text: string }];
      if (!result.structuredContent) {
        expect(result.isError).toBe(true);
        return;
      }
      const { success, error } = JSON.parse(answer);
      expect(success).toBe(!result.isError);
      if (!success) expect(error.code).toMatch(/^E_(?!INTERNAL)/);
      const whole = ['evaluate_expression', 'get_output'].includes(name) ? 65_536 : 2_000;
      const budget = typeof call.maxBytes === 'number' ? call.maxBytes : whole;
      expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(budget);
    }),
    { numRuns: 400 },
  );
  expect(await agent.call('goto_position', { sessionId, position: 0 })).toMatchObject({ success: true });
});
