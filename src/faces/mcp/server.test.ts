import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, connect, predictor, type TestClient, text } from './client.testing.ts';

let agent: TestClient;
beforeEach(async () => {
  agent = await connect();
});
afterEach(() => agent.close());

const TOOLS = [
  'create_debug_session list_debug_sessions set_breakpoint list_breakpoints remove_breakpoint clear_breakpoints',
  'start_debugging restart_debugging get_stack_trace list_threads get_scopes get_variables get_local_variables',
  'step_over step_into step_out continue_execution pause_execution evaluate_expression get_source_context',
  'get_output close_debug_session step_back reverse_continue set_variable predict_output predict_input',
  'compare_with_real goto_position list_positions',
].flatMap((line) => line.split(' '));

describe('the server introduces itself', () => {
  it('with the tools agents know, each described, with closed argument lists', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map((tool) => tool.name).sort()).toEqual([...TOOLS].sort());
    for (const tool of tools) {
      expect(tool.description?.length, tool.name).toBeGreaterThan(10);
      expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(tool.annotations?.openWorldHint).toBe(false);
    }
    // All of it is read by the agent before its first call.
    expect(JSON.stringify(tools).length).toBeLessThan(25_000);
  });

  it('with instructions and prompts', async () => {
    expect(agent.client.getInstructions()).toContain('create_debug_session');
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map((p) => p.name)).toEqual(['debug_code_that_cannot_run', 'find_input']);
    const prompt = await agent.client.getPrompt({
      name: 'debug_code_that_cannot_run',
      arguments: { file: 'shop.py', call: 'f(1)', symptom: 'returns 3' },
    });
    expect(JSON.stringify(prompt.messages)).toContain('shop.py');
  });
});

describe('what is wrong is said, with a code and what to do', () => {
  it.each([
    ['no such session', 'step_over', { sessionId: 'x' }, 'E_SESSION'],
    ['a program that is not there', 'start_debugging', { scriptPath: 'no.py', call: 'f()' }, 'E_FILE'],
    ['a program outside the roots', 'start_debugging', { scriptPath: '/etc/passwd' }, 'E_OUTSIDE_ROOT'],
    ['a syntax error', 'start_debugging', { code: 'def f(:\n', call: 'f()' }, 'E_SYNTAX'],
    ['no such function', 'start_debugging', { code: text, call: 'f()' }, 'E_FUNCTION'],
    ['nothing started', 'step_into', {}, 'E_NOT_STARTED'],
    ['nothing to restart', 'restart_debugging', {}, 'E_NOT_STARTED'],
    ['no program at all', 'start_debugging', {}, 'E_ARGUMENT'],
    ['two programs', 'start_debugging', { code: text, scriptPath: 'a.py' }, 'E_ARGUMENT'],
  ] as const)('%s', async (_, tool, args, code) => {
    const { sessionId } = await agent.call('create_debug_session');
    const reply = await agent.call(tool, { sessionId, ...args });
    expect(reply).toMatchObject({ success: false, error: { code } });
    expect((reply.error as { hint: string }).hint).not.toBe('');
  });

  it('a position that is not there, leaving the session where it was', async () => {
    const sessionId = await agent.start();
    expect(await agent.call('step_into', { sessionId, from: 9 })).toMatchObject({
      error: { code: 'E_POSITION' },
      state: 'paused',
      position: 0,
    });
  });

  it('a misspelt argument', async () => {
    const result = await agent.client.callTool({ name: 'step_over', arguments: { sessionId: 'x', form: 1 } });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toContain('form');
  });
});

describe('a stop says it all in one answer', () => {
  it('location, source around it, what changed, why, how sure', async () => {
    const sessionId = await agent.start();
    const entry = await agent.call('goto_position', { sessionId, position: 0 });
    expect(entry).toMatchObject({ state: 'paused', reason: 'goto', event: 'call', origin: 'given' });
    await agent.call('step_into', { sessionId });
    const stop = await agent.call('step_into', { sessionId });
    expect(stop).toMatchObject({
      success: true,
      sessionId,
      state: 'paused',
      reason: 'step',
      event: 'line',
      position: 2,
      location: { file: 'main.py', line: 9, column: 1, function: 'total', depth: 0 },
      context: { lineContent: '    for price in prices:' },
      changed: [{ name: 'result', value: '0' }],
      origin: 'predicted',
      confidence: 0.75,
    });
    const { surrounding } = stop.context as { surrounding: { line: number }[] };
    expect(surrounding.map((s) => s.line)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(stop.message).toBe('STOP step: line at main.py:9 in total (predicted, 75 %)');
  });

  it('old values beside new ones, and none that stayed', async () => {
    const sessionId = await agent.start();
    await agent.call('set_breakpoint', { sessionId, statement: 'for price in prices:' });
    await agent.call('continue_execution', { sessionId });
    const again = await agent.call('continue_execution', { sessionId });
    expect(again).toMatchObject({ reason: 'breakpoint', breakpointId: 'bp-1' });
    expect(again.changed).toEqual([
      { name: 'result', value: '2', was: '0' },
      { name: 'price', value: '5' },
    ]);
  });

  it('the value at a return, and the end of the program', async () => {
    const sessionId = await agent.start();
    const out = await agent.call('step_out', { sessionId });
    expect(out).toMatchObject({ event: 'return', returnValue: '8', state: 'paused' });
    const end = await agent.call('continue_execution', { sessionId });
    expect(end).toMatchObject({ state: 'stopped', reason: 'end' });
    expect(end).not.toHaveProperty('location');
    const back = await agent.call('step_back', { sessionId, kind: 'into' });
    expect(back).toMatchObject({ state: 'paused', event: 'return' });
  });
});

describe('moving', () => {
  it('backwards over, into and out of calls, and to the breakpoint before', async () => {
    const sessionId = await agent.start({ engine: 'recorded' });
    await agent.call('set_breakpoint', { sessionId, function: 'cut' });
    await agent.call('continue_execution', { sessionId });
    await agent.call('step_out', { sessionId });
    const over = await agent.call('step_over', { sessionId });
    expect(over).toMatchObject({ location: { line: 9, function: 'total' } });
    expect(await agent.call('step_back', { sessionId })).toMatchObject({
      location: { line: 10, function: 'total' },
    });
    expect(await agent.call('step_over', { sessionId })).toMatchObject({ reason: 'breakpoint' });
    await agent.call('step_out', { sessionId });
    await agent.call('step_over', { sessionId });
    expect(await agent.call('reverse_continue', { sessionId })).toMatchObject({
      reason: 'breakpoint',
      location: { line: 2, function: 'cut' },
      origin: 'real',
    });
    expect(await agent.call('step_back', { sessionId, kind: 'out' })).toMatchObject({
      event: 'call',
      location: { function: 'cut' },
    });
  });

  it('from a position, so that a repeated call does the same again', async () => {
    const sessionId = await agent.start();
    const first = await agent.call('step_over', { sessionId, from: 0 });
    const second = await agent.call('step_over', { sessionId, from: 0 });
    expect(second.location).toEqual(first.location);
    expect(second.changed).toEqual(first.changed);
    const { positions } = await agent.call('list_positions', { sessionId });
    expect(positions).toMatchObject([{ by: 'entry' }, { by: 'step_over', from: 0 }, { from: 0 }]);
  });

  it('to the first breakpoint at once, without stopping on entry', async () => {
    const { sessionId } = await agent.call('create_debug_session');
    await agent.call('set_breakpoint', { sessionId, code: text, line: 3 });
    const stop = await agent.call('start_debugging', { sessionId, call, stopOnEntry: false });
    expect(stop).toMatchObject({
      reason: 'breakpoint',
      breakpointId: 'bp-1',
      location: { line: 3, function: 'cut' },
      engine: 'neural',
    });
  });
});

describe('breakpoints', () => {
  it('by text, asserted text, function; with their neighbourhood', async () => {
    const sessionId = await agent.start();
    const set = (args: Record<string, unknown>) => agent.call('set_breakpoint', { sessionId, ...args });
    expect(await set({ statement: 'return price - discount' })).toMatchObject({
      line: 3,
      verified: true,
      context: { lineContent: '        return price - discount' },
    });
    expect(await set({ statement: 'return' })).toMatchObject({
      success: false,
      error: { code: 'E_BREAKPOINT' },
    });
    expect(await set({ statement: 'return', nearLine: 11 })).toMatchObject({ line: 11 });
    expect(await set({ function: 'total' })).toMatchObject({ line: 8 });
    const wrong = await set({ line: 3, expectedContent: 'return 0' });
    expect(wrong.error).toMatchObject({ message: 'Line 3 is `return price - discount`, not `return 0`.' });
    expect(await set({ line: 5 })).toMatchObject({ success: false });
    expect(await set({})).toMatchObject({ success: false });
    expect(await agent.call('list_breakpoints', { sessionId })).toMatchObject({ count: 3 });
    await agent.call('remove_breakpoint', { sessionId, breakpointId: 'bp-2' });
    expect(await agent.call('clear_breakpoints', { sessionId })).toMatchObject({ removed: ['bp-1', 'bp-3'] });
  });

  it('with a condition and a count', async () => {
    const sessionId = await agent.start();
    await agent.call('set_breakpoint', { sessionId, line: 10, condition: 'price == 9' });
    expect(await agent.call('continue_execution', { sessionId })).toMatchObject({ reason: 'breakpoint' });
    const { variables } = await agent.call('get_local_variables', { sessionId, names: ['price'] });
    expect(variables).toMatchObject([{ name: 'price', value: '9', type: 'int' }]);
  });

  it('survive a restart by their text, and say so where they do not', async () => {
    const sessionId = await agent.start();
    await agent.call('set_breakpoint', { sessionId, statement: 'result = 0' });
    await agent.call('set_breakpoint', { sessionId, line: 11 });
    const moved = text.replace('    result = 0\n', '    # start\n    result = 0\n');
    const again = await agent.call('start_debugging', { sessionId, code: `${moved}`, call });
    expect(again).toMatchObject({ reason: 'entry', success: true });
    const { breakpoints } = await agent.call('list_breakpoints', { sessionId });
    expect(breakpoints).toMatchObject([{ line: 9, verified: true }, { line: 11 }]);
    const short = await agent.call('start_debugging', { sessionId, code: 'x = 1\n' });
    expect(short.note).toContain('bp-1 is not set: E_BREAKPOINT');
  });
});

describe('looking', () => {
  it('at the stack, its scopes and their variables', async () => {
    const sessionId = await agent.start();
    await agent.call('set_breakpoint', { sessionId, function: 'cut' });
    await agent.call('continue_execution', { sessionId });
    const { stackFrames } = await agent.call('get_stack_trace', { sessionId });
    expect(stackFrames).toMatchObject([
      { id: 0, name: 'cut', line: 2 },
      { id: 1, name: 'total', line: 10, source: 'result = result + cut(price, discount)' },
    ]);
    const { scopes } = await agent.call('get_scopes', { sessionId, frameId: 1 });
    const [{ variablesReference }] = scopes as [{ variablesReference: number }];
    const { variables } = await agent.call('get_variables', { sessionId, variablesReference });
    expect(variables).toMatchObject([
      { name: 'prices', value: '[5, 2, 9]', type: 'list', expandable: true },
      { name: 'discount', value: '3' },
      { name: 'result', value: '0' },
      { name: 'price', value: '5' },
    ]);
    const fields = await agent.call('get_variables', { sessionId, expression: 'prices', frameId: 1 });
    expect(fields.variables).toMatchObject([{ name: '[0]', value: '5' }, {}, { name: '[2]', value: '9' }]);
    expect(await agent.call('list_threads', { sessionId })).toMatchObject({ threads: [{ current: true }] });
  });

  it('at expressions, without guessing', async () => {
    const sessionId = await agent.start();
    const value = await agent.call('evaluate_expression', {
      sessionId,
      expression: 'sum(prices) - discount',
    });
    expect(value).toMatchObject({ result: '13', type: 'int' });
    const unknown = await agent.call('evaluate_expression', { sessionId, expression: 'cut(5, 3)' });
    expect(unknown).toMatchObject({ success: false, error: { code: 'E_UNKNOWN' } });
    const error = await agent.call('evaluate_expression', { sessionId, expression: 'nothing' });
    expect(error.error).toMatchObject({ message: "NameError: name 'nothing' is not defined" });
  });

  it('at the source', async () => {
    const sessionId = await agent.start();
    const source = await agent.call('get_source_context', { sessionId, line: 2, linesContext: 1 });
    expect(source.surrounding).toEqual([
      { line: 1, content: 'def cut(price, discount):' },
      { line: 2, content: '    if price > discount:' },
      { line: 3, content: '        return price - discount' },
    ]);
    expect(await agent.call('get_source_context', { sessionId, line: 99 })).toMatchObject({ success: false });
  });
});

describe('questions that only a model answers', () => {
  it('what a call returns, and whether that is what was expected', async () => {
    const reply = await agent.call('predict_output', { code: text, call, expected: '8' });
    expect(reply).toMatchObject({ returnValue: '8', agrees: true, origin: 'predicted', confidence: 0.75 });
    expect(await agent.call('predict_output', { code: text, call, expected: '9' })).toMatchObject({
      agrees: false,
    });
  });

  it('without moving the session', async () => {
    const sessionId = await agent.start();
    await agent.call('step_into', { sessionId });
    expect(await agent.call('predict_output', { sessionId })).toMatchObject({ returnValue: '8' });
    const { current } = await agent.call('list_positions', { sessionId });
    expect(current).toBe(1);
  });

  it('what if: the walk goes on from a changed value', async () => {
    const sessionId = await agent.start();
    const edit = await agent.call('set_variable', { sessionId, name: 'discount', value: '3 - 1' });
    expect(edit).toMatchObject({
      reason: 'edit',
      origin: 'edited',
      changed: [{ name: 'discount', value: '2', was: '3' }],
    });
    const bad = await agent.call('set_variable', { sessionId, name: 'discount', value: 'cut(1, 2)' });
    expect(bad).toMatchObject({ success: false, error: { code: 'E_UNKNOWN' } });
  });

  it('where prediction and real run part', async () => {
    const wrong = await connect(
      {},
      {
        predictor: predictor((outcome) => {
          if (outcome.type !== 'state' || outcome.state.stack.at(-1)!.line !== 9) return outcome;
          const { state } = outcome;
          const top = state.stack.at(-1)!;
          const locals = new Map(top.locals).set('result', '7');
          return {
            type: 'state',
            state: { ...state, stack: [...state.stack.slice(0, -1), { ...top, locals }] },
          };
        }),
      },
    );
    const sessionId = await wrong.start();
    await wrong.call('step_over', { sessionId });
    await wrong.call('step_over', { sessionId });
    expect(await wrong.call('compare_with_real', { sessionId })).toMatchObject({
      agrees: false,
      differences: [{ what: 'variable result', predicted: '7', real: '0' }],
      real: { line: 9 },
    });
    expect(await wrong.call('compare_with_real', { sessionId, position: 1 })).toMatchObject({ agrees: true });
    await wrong.close();
  });

  it('in a compared session at every step', async () => {
    const sessionId = await agent.start({ engine: 'compared' });
    expect(await agent.call('step_over', { sessionId })).toMatchObject({ differences: [] });
  });

  it('not of a real run', async () => {
    const sessionId = await agent.start({ engine: 'recorded' });
    expect(await agent.call('compare_with_real', { sessionId })).toMatchObject({
      error: { code: 'E_ALREADY_REAL' },
    });
  });
});

describe('resources', () => {
  it('are there while the session is: source, trace, report', async () => {
    expect((await agent.client.listResources()).resources).toEqual([]);
    const sessionId = await agent.start();
    await agent.call('step_over', { sessionId });
    const { resources } = await agent.client.listResources();
    expect(resources.map((r) => r.uri)).toEqual(
      ['source', 'trace', 'report'].map((kind) => `npdb://sessions/${sessionId}/${kind}`),
    );
    const read = async (kind: string) => {
      const { contents } = await agent.client.readResource({ uri: `npdb://sessions/${sessionId}/${kind}` });
      return (contents[0] as { text: string }).text;
    };
    expect(await read('source')).toBe(text);
    const lines = (await read('trace'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { id: 0, origin: 'given' },
      { id: 1, action: { type: 'step_over' } },
    ]);
    expect(await read('report')).toContain('| 1 | 0 | step_over | line | total:8 |');
    await agent.call('close_debug_session', { sessionId });
    await expect(read('source')).rejects.toThrow('no session');
  });
});
