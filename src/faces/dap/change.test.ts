import { afterEach, describe, expect, it } from 'vitest';
import {
  type Connected,
  connected,
  Driver,
  discount,
  fixtureHost,
  programFile,
  work,
} from './client.testing.ts';
import { readStatement } from './statement.ts';

const program = programFile(work, 'work.py');
let connection: Connected;
let driver: Driver;

describe('changing predicted values', () => {
  afterEach(() => connection.close());

  async function at(line: number): Promise<number> {
    connection = await connected(fixtureHost(work));
    driver = new Driver(connection.client);
    const stopped = driver.settled();
    await driver.launch({ program: program.path, call: program.call, engine: 'neural' }, () =>
      driver.ask('setBreakpoints', { source: { path: program.path }, breakpoints: [{ line }] }),
    );
    await stopped;
    const { scopes } = await driver.ask<{ scopes: { name: string; variablesReference: number }[] }>(
      'scopes',
      {
        frameId: await driver.frameId(),
      },
    );
    return scopes.find((s) => s.name.startsWith('Locals'))!.variablesReference;
  }
  const value = async (name: string) =>
    (await driver.variables('Locals')).find((v) => v.name === name)?.value;

  it('sets a variable to an expression of the frame; the mark of the old value is no part of it', async () => {
    const locals = await at(26);
    const set = await driver.ask('setVariable', {
      variablesReference: locals,
      name: 'total',
      value: 'len(d) + 5  # predicted, 75 %',
    });
    expect(set).toMatchObject({ value: '7  # edited', type: 'int', variablesReference: 0 });
    // The references of this stop still stand, and show the new value.
    const rows = await driver.children(locals);
    expect(rows.find((v) => v.name === 'total')?.value).toBe('7  # edited');
  });

  it('sets an item, an entry and a field', async () => {
    await at(26);
    const frameId = await driver.frameId();
    const set = (expression: string, text: string) =>
      driver.ask('setExpression', { expression, value: text, frameId });
    await set("d['k'][1]", "'new'");
    expect(await value('d')).toBe("{'k': [1, 'new'], 3: 'three'}  # edited");
    await set('p.y', '40');
    expect(await value('p')).toBe('Point(x=1, y=40)  # edited');
    const rows = await driver.variables('Locals');
    const d = rows.find((v) => v.name === 'd')!;
    await driver.ask('setVariable', { variablesReference: d.variablesReference, name: '3', value: 'None' });
    expect(await value('d')).toBe("{'k': [1, 'new'], 3: None}  # edited");
  });

  it('changes every name of the same object', async () => {
    await at(26);
    await driver.ask('setExpression', { expression: 'same[0]', value: '-1' });
    expect(await value('big')).toMatch(/^\[-1, 1, 2/);
    expect(await value('same')).toMatch(/^\[-1, 1, 2/);
  });

  it('sets a variable of a caller', async () => {
    await at(32);
    await driver.ask('setExpression', { expression: 'total', value: '9', frameId: await driver.frameId(1) });
    expect((await driver.variables('Locals', 1)).find((v) => v.name === 'total')?.value).toMatch(/^9/);
  });

  it('refuses what is no variable, no target, no value', async () => {
    const locals = await at(26);
    const fails = (name: string, text: string) =>
      driver.fails('setVariable', { variablesReference: locals, name, value: text });
    expect(await fails('nowhere', '1')).toEqual({ id: 4005, code: 'E_READ_ONLY' });
    expect(await fails('total', 'nowhere')).toEqual({ id: 4003, code: 'E_EVALUATION' });
    expect(await fails('total', 'helper(1)')).toEqual({ id: 4004, code: 'E_UNKNOWN' });
    const target = (expression: string) => driver.fails('setExpression', { expression, value: '1' });
    expect(await target('total + 1')).toEqual({ id: 4002, code: 'E_SET' });
    expect(await target('big[1000]')).toMatchObject({ code: 'E_SET' });
    expect(await target('p.z')).toMatchObject({ code: 'E_SET' });
    expect(await target('')).toMatchObject({ code: 'E_SET' });
  });
});

describe('a statement', () => {
  it.each([
    ['x = 3', 'x', '3'],
    ['x == 3', null, null],
    ['f(a=1)', null, null],
    ['x = f(a=1) == 2', 'x', 'f(a=1) == 2'],
    ['xs[0] = "a=b"', 'xs[0]', '"a=b"'],
    ["d['='] = 1", "d['=']", '1'],
    ['p.x *= 2 + 1', 'p.x', 'p.x * (2 + 1)'],
    ['x <<= 2', 'x', 'x << (2)'],
    ['x <= 2', null, null],
    ['x != 2', null, null],
    ['lambda a=1: a', null, null],
  ])('%s', (line, target, value) => {
    const read = readStatement(line);
    if (target === null) expect(read.type).toBe('expression');
    else expect(read).toEqual({ type: 'assign', target, value });
  });

  it.each(['import os', 'x, y = 1, 2', 'for x in y: pass', 'xs.append(1)', 'x = xs.pop()', 'x =', '= 1', ''])(
    '%j is refused',
    (line) => {
      expect(readStatement(line).type).toBe('other');
    },
  );
});

describe('verifying a prediction', () => {
  afterEach(() => connection.close());
  const small = programFile(discount, 'discount.py');
  const wrong: NonNullable<Parameters<typeof fixtureHost>[0]['wrong']> = (outcome) => {
    if (outcome.type !== 'state') return outcome;
    const { stack } = outcome.state;
    const top = stack.at(-1)!;
    if (top.line !== 9 || top.locals.get('result') !== '0' || top.locals.has('price')) return outcome;
    const locals = new Map(top.locals).set('result', '5');
    return { ...outcome, state: { ...outcome.state, stack: [...stack.slice(0, -1), { ...top, locals }] } };
  };

  it('corrects it by a real run, and tells the client that what it shows is void', async () => {
    connection = await connected(fixtureHost({ ...discount, wrong }));
    driver = new Driver(connection.client);
    await driver.launch({ program: small.path, call: small.call, stopOnEntry: true, verify: 'correct' });
    await driver.go('next');
    const corrected = driver.event('invalidated');
    await driver.go('next');
    expect((await corrected).body).toEqual({ areas: ['all'] });
    expect(driver.output('important')).toBe(
      'The prediction is corrected by the real run:\n  result: real 0, predicted 5\n',
    );
    expect((await driver.variables('Locals')).find((v) => v.name === 'result')?.value).toBe('0');
    expect(await driver.go('next')).toBe('step total:10');
  });

  it('only reports where that is asked for', async () => {
    connection = await connected(fixtureHost({ ...discount, wrong }));
    driver = new Driver(connection.client);
    await driver.launch({ program: small.path, call: small.call, stopOnEntry: true, verify: 'report' });
    await driver.go('next');
    const said = new Promise<void>((done) =>
      driver.client.on('output', (e) => (e.body.category === 'important' ? done() : undefined)),
    );
    await driver.go('next');
    await said;
    expect(driver.output('important')).toContain('parts from the real run');
    expect((await driver.variables('Locals')).find((v) => v.name === 'result')?.value).toMatch(/^5/);
  });

  it('is done step by step by the compared engine', async () => {
    connection = await connected(fixtureHost({ ...discount, wrong }));
    driver = new Driver(connection.client);
    await driver.launch({ program: small.path, call: small.call, engine: 'compared', stopOnEntry: true });
    await driver.go('next');
    await driver.go('next');
    expect(driver.output('important')).toBe(
      'The prediction parts from the real run:\n  result: real 0, predicted 5\n',
    );
  });
});
