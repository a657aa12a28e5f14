import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type Connected,
  connected,
  Driver,
  discount,
  type Fixture,
  fixtureHost,
  programFile,
  texts,
  work,
} from './client.testing.ts';

const program = programFile(work, 'work.py');
const small = programFile(discount, 'discount.py');
type Evaluated = DebugProtocol.EvaluateResponse['body'];

let connection: Connected;
let driver: Driver;
afterEach(() => connection.close());

/** Stands at a line of the program. */
async function at(line: number, args: object = {}, fixture: Fixture = work, file = program): Promise<void> {
  connection = await connected(fixtureHost(fixture));
  driver = new Driver(connection.client);
  const stopped = driver.settled();
  await driver.launch({ program: file.path, call: file.call, engine: 'recorded', ...args }, () =>
    driver.ask('setBreakpoints', { source: { path: file.path }, breakpoints: [{ line }] }),
  );
  await stopped;
}
const evaluate = (expression: string, more: object = {}) =>
  driver.ask<Evaluated>('evaluate', { expression, ...more });

describe('the stack', () => {
  it('comes in parts, counts all frames, and names their sources', async () => {
    await at(32);
    const body = await driver.ask<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
      startFrame: 1,
      levels: 1,
    });
    expect(body).toMatchObject({ totalFrames: 3, stackFrames: [{ name: 'work', line: 26 }] });
    expect(body.stackFrames[0]!.source).toEqual({ name: 'work.py', path: program.path });
    const beyond = await driver.ask<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
      startFrame: 9,
    });
    expect(beyond.stackFrames).toEqual([]);
  });

  it('says of predicted frames that they are, and how sure', async () => {
    await at(32, { engine: 'neural' });
    const [top, caller] = await driver.frames();
    expect(top).toMatchObject({ name: 'helper  # predicted, 75 %', source: { origin: 'predicted, 75 %' } });
    expect(caller!.name).toBe('work');
    const stop = driver.events.find((e) => e.event === 'stopped');
    expect(stop?.body.description).toBe('Paused on breakpoint at helper, line 32 (predicted, 75 %)');
  });

  it('gives the sources and their text', async () => {
    await at(26);
    const { sources } = await driver.ask<DebugProtocol.LoadedSourcesResponse['body']>('loadedSources');
    expect(sources.map((s) => s.name)).toEqual(['work.py', '<call>']);
    const text = await driver.ask<{ content: string }>('source', {
      source: sources[1],
      sourceReference: sources[1]!.sourceReference,
    });
    expect(text.content).toBe('safe(300)');
    expect(await driver.fails('source', { sourceReference: 99 })).toEqual({ id: 4016, code: 'E_SOURCE' });
    expect(await driver.ask('modules')).toMatchObject({ totalModules: 1, modules: [{ name: 'work' }] });
  });
});

describe('variables', () => {
  it('have a type, a value, parts, and a way to be written', async () => {
    await at(26);
    const rows = await driver.variables('Locals');
    expect(rows.find((v) => v.name === 'p')).toMatchObject({
      value: 'Point(x=1, y=-2)',
      type: 'Point',
      evaluateName: 'p',
      namedVariables: 2,
    });
    const d = rows.find((v) => v.name === 'd')!;
    const parts = await driver.children(d.variablesReference);
    expect(parts.map((v) => [v.name, v.value, v.evaluateName])).toEqual([
      ["'k'", '[1, 2]', "d['k']"],
      ['3', "'three'", 'd[3]'],
    ]);
    const items = await driver.children(parts[0]!.variablesReference);
    expect(items.map((v) => v.evaluateName)).toEqual(["d['k'][0]", "d['k'][1]"]);
    expect(await evaluate(items[1]!.evaluateName!)).toMatchObject({ result: '2', type: 'int' });
  });

  it('come page by page', async () => {
    await at(26);
    const big = (await driver.variables('Locals')).find((v) => v.name === 'big')!;
    expect(big.indexedVariables).toBe(300);
    const page = await driver.children(big.variablesReference, { filter: 'indexed', start: 40, count: 3 });
    expect(texts(page)).toEqual(['40=40', '41=41', '42=42']);
    expect(await driver.children(big.variablesReference, { filter: 'named' })).toEqual([]);
    expect(
      await driver.children(big.variablesReference, { filter: 'indexed', start: 5_000, count: 3 }),
    ).toEqual([]);
  });

  it('of the module are apart, and what only a run can tell is lazy', async () => {
    await at(26);
    const rows = await driver.variables('Globals');
    expect(texts(rows)).toContain('LIMIT=3');
    expect(rows.find((v) => v.name === 'TABLE')).toMatchObject({ presentationHint: { lazy: true } });
  });

  it('that are predicted look so: the scope, the value, an attribute', async () => {
    await at(26, { engine: 'neural' });
    const { scopes } = await driver.ask<DebugProtocol.ScopesResponse['body']>('scopes', {
      frameId: await driver.frameId(),
    });
    expect(scopes.map((s) => [s.name, s.presentationHint ?? ''])).toEqual([
      ['Locals (predicted, 75 %)', 'locals'],
      ['Globals (predicted, 75 %)', ''],
      ['What really happens', ''],
    ]);
    const total = (await driver.variables('Locals')).find((v) => v.name === 'total');
    expect(total).toMatchObject({
      value: '0  # predicted, 75 %',
      presentationHint: { attributes: ['predicted'] },
    });
  });

  it('are bare where the launch says so', async () => {
    await at(26, { engine: 'neural', markValues: false });
    expect((await driver.variables('Locals')).find((v) => v.name === 'total')?.value).toBe('0');
  });

  it('show on request what really happens beside a prediction', async () => {
    const wrong: Fixture['wrong'] = (outcome) => {
      if (outcome.type !== 'state') return outcome;
      const top = outcome.state.stack.at(-1)!;
      if (top.line !== 9) return outcome;
      const locals = new Map(top.locals).set('result', '-7');
      const stack = [...outcome.state.stack.slice(0, -1), { ...top, locals }];
      return { ...outcome, state: { ...outcome.state, stack } };
    };
    connection = await connected(fixtureHost({ ...discount, wrong }));
    driver = new Driver(connection.client);
    await driver.launch({ program: small.path, call: small.call, stopOnEntry: true });
    await driver.go('next');
    await driver.go('next');
    expect(texts(await driver.variables('Locals'))).toContain('result=-7  # predicted, 75 %');
    const [real, ...more] = await driver.variables('What really happens');
    // A lazy variable gives one row.
    expect(more).toEqual([]);
    expect(real!.value).toBe('total, line 9; result: real 0, predicted -7');
    expect(texts(await driver.children(real!.variablesReference))).toEqual([
      'prices=[5, 2, 9]',
      'discount=3',
      'result=0',
    ]);
  });

  it('end when the program moves', async () => {
    await at(26);
    const frameId = await driver.frameId();
    await driver.go('next');
    expect(await driver.fails('scopes', { frameId })).toEqual({ id: 1009, code: 'E_REFERENCE' });
    expect(await driver.fails('variables', { variablesReference: 12_345 })).toMatchObject({
      code: 'E_REFERENCE',
    });
  });

  it('show what the calls of the last step returned', async () => {
    await at(26);
    await driver.go('next');
    expect(texts(await driver.variables('Locals'))).toContain('(return) helper=0');
    await connection.close();
    await at(26, { showReturnValue: false });
    await driver.go('next');
    expect(texts(await driver.variables('Locals')).join()).not.toContain('(return)');
  });

  it('are given for the ends of lines', async () => {
    await at(10, { engine: 'neural' }, discount, small);
    const { values } = await driver.ask<{ values: { line: number; text: string }[] }>('npdb/inlineValues');
    expect(values).toEqual([
      { line: 7, text: 'prices = [5, 2, 9], discount = 3  (predicted, 75 %)' },
      { line: 8, text: 'result = 0  (predicted, 75 %)' },
      { line: 9, text: 'price = 5, prices = [5, 2, 9]  (predicted, 75 %)' },
      { line: 10, text: 'result = 0, price = 5, discount = 3  (predicted, 75 %)' },
    ]);
  });
});

describe('expressions', () => {
  it('are worked out in any frame', async () => {
    await at(32);
    expect(
      await evaluate('len(big) + total', { frameId: await driver.frameId(1), context: 'watch' }),
    ).toMatchObject({ result: '300' });
    expect(await driver.fails('evaluate', { expression: 'big' })).toMatchObject({ code: 'E_UNKNOWN' });
  });

  it('open like variables', async () => {
    await at(26);
    const { variablesReference, indexedVariables } = await evaluate('[p, [d]]');
    expect(indexedVariables).toBe(2);
    const parts = await driver.children(variablesReference);
    expect(parts.map((v) => v.name)).toEqual(['0', '1']);
    expect((await driver.children(parts[1]!.variablesReference))[0]!.value).toBe("{'k': [1, 2], 3: 'three'}");
  });

  it('fail as Python does, with an id that stays', async () => {
    await at(26, { engine: 'neural' });
    expect(await driver.fails('evaluate', { expression: 'nowhere', context: 'watch' })).toEqual({
      id: 4003,
      code: 'E_EVALUATION',
    });
    expect(await driver.fails('evaluate', { expression: 'p.norm()', context: 'watch' })).toEqual({
      id: 4004,
      code: 'E_UNKNOWN',
    });
    expect(await driver.fails('evaluate', { expression: 'x'.repeat(200_000) })).toMatchObject({
      code: 'E_LARGE',
    });
  });

  it('under the mouse run nothing', async () => {
    await at(26);
    expect(await evaluate('p.x', { context: 'hover' })).toMatchObject({ result: '1' });
    // The engine would run the program again; the hover does not ask it.
    expect(await driver.fails('evaluate', { expression: 'p.norm()', context: 'hover' })).toMatchObject({
      code: 'E_UNKNOWN',
    });
  });

  it('are copied without a mark', async () => {
    await at(26, { engine: 'neural' });
    expect((await evaluate('total', { context: 'watch' })).result).toBe('0  # predicted, 75 %');
    expect((await evaluate('total', { context: 'clipboard' })).result).toBe('0');
  });

  it('are completed: names, attributes, commands', async () => {
    await at(26);
    const labels = async (text: string, column = text.length + 1) =>
      (
        await driver.ask<{ targets: DebugProtocol.CompletionItem[] }>('completions', { text, column })
      ).targets.map((t) => t.label);
    expect(await labels('to')).toEqual(['total']);
    expect(await labels('1 + help')).toEqual(['helper']);
    expect(await labels('p.')).toEqual(['x', 'y', '__init__', 'norm']);
    expect(await labels("d['k'].")).toContain('index');
    expect(await labels(':inv')).toEqual(['inverse']);
    expect(await labels('12')).toEqual([]);
    expect(await labels('total + LIM + 1', 12)).toEqual(['LIMIT']);
  });
});

describe('the debug console', () => {
  it('assigns, refuses statements, has commands', async () => {
    await at(10, { engine: 'neural' }, discount, small);
    expect(await evaluate('result = 40 + 1', { context: 'repl' })).toMatchObject({ result: '41  # edited' });
    expect(await evaluate('result += 1', { context: 'repl' })).toMatchObject({ result: '42  # edited' });
    expect(await driver.fails('evaluate', { expression: 'import os', context: 'repl' })).toEqual({
      id: 4006,
      code: 'E_STATEMENT',
    });
    expect(await driver.fails('evaluate', { expression: 'prices.pop()', context: 'repl' })).toMatchObject({
      code: 'E_STATEMENT',
    });
    expect((await evaluate(':help', { context: 'repl' })).result).toContain(':inverse VALUE');
    expect(await driver.fails('evaluate', { expression: ':jump', context: 'repl' })).toEqual({
      id: 4013,
      code: 'E_COMMAND',
    });
    expect((await evaluate(':positions', { context: 'repl' })).result).toContain('(edited)');
  });

  it('moves, with a colon', async () => {
    await at(10, { engine: 'neural' }, discount, small);
    expect(await driver.go('evaluate', { expression: ':rn', context: 'repl' })).toBe('step total:9');
    expect(await driver.go('evaluate', { expression: ':goto 0', context: 'repl' })).toBe('goto total:7');
  });

  it('says where a prediction parts from the real run', async () => {
    await at(10, { engine: 'neural' }, discount, small);
    expect((await evaluate(':real', { context: 'repl' })).result).toBe(
      'really at total, line 10\nThe prediction agrees.',
    );
    await connection.close();
    await at(10, {}, discount, small);
    expect(await driver.fails('evaluate', { expression: ':real', context: 'repl' })).toEqual({
      id: 4011,
      code: 'E_NO_RUNTIME',
    });
    expect(await driver.fails('npdb/inverse', { value: '8' })).toEqual({ id: 4008, code: 'E_NEEDS_MODEL' });
  });
});
