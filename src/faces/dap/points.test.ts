import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, describe, expect, it } from 'vitest';
import { type Connected, connected, Driver, fixtureHost, programFile, work } from './client.testing.ts';

const { path, call } = programFile(work, 'work.py');
type Set = DebugProtocol.SetBreakpointsResponse['body'];

describe.each(['recorded', 'neural'] as const)('breakpoints, %s', (engine) => {
  let connection: Connected;
  let driver: Driver;
  afterEach(() => connection.close());

  async function launched(
    prepare: () => Promise<unknown> = async () => {},
    args: object = {},
  ): Promise<string> {
    connection = await connected(fixtureHost(work));
    driver = new Driver(connection.client);
    const stopped = driver.settled();
    await driver.launch({ program: path, call, engine, ...args }, prepare);
    return stopped;
  }
  const lines = (...breakpoints: DebugProtocol.SourceBreakpoint[]) =>
    driver.ask<Set>('setBreakpoints', { source: { path }, breakpoints });

  it('bind to code: a comment or blank line to the next statement, another file not at all', async () => {
    let set: Set | undefined;
    expect(await launched(async () => (set = await lines({ line: 12 }, { line: 26 }, { line: 400 })))).toBe(
      'breakpoint work:26',
    );
    expect(set?.breakpoints.map((b) => [b.verified, b.line])).toEqual([
      [true, 14],
      [true, 26],
      [false, 400],
    ]);
    const other = await driver.ask<Set>('setBreakpoints', {
      source: { path: '/elsewhere/x.py' },
      breakpoints: [{ line: 1 }],
    });
    expect(other.breakpoints[0]).toMatchObject({ verified: false, reason: 'failed' });
  });

  it('say which of them was hit, forwards and backwards', async () => {
    let id: number | undefined;
    const stop = await launched(async () => {
      id = (await lines({ line: 20 })).breakpoints[0]!.id;
    });
    expect(stop).toBe('breakpoint work:20');
    await driver.go('continue');
    expect(await driver.go('reverseContinue')).toBe('breakpoint work:20');
    const last = driver.events.filter((e) => e.event === 'stopped').at(-1);
    expect(last?.body.hitBreakpointIds).toEqual([id]);
    const rows = await driver.variables('Locals');
    expect(rows.some((v) => v.name === 'i')).toBe(false);
  });

  it('keep their ids when they are sent again', async () => {
    await launched(undefined, { stopOnEntry: true });
    const first = await lines({ line: 20 }, { line: 26, condition: 'i == 1' });
    const second = await lines({ line: 26, condition: 'i == 1' }, { line: 27 });
    expect(second.breakpoints[0]!.id).toBe(first.breakpoints[1]!.id);
    expect(second.breakpoints[1]!.id).not.toBe(first.breakpoints[0]!.id);
  });

  it('with a condition stop where it holds', async () => {
    expect(await launched(() => lines({ line: 26, condition: 'total > 100' }))).toBe('breakpoint work:26');
    expect((await driver.variables('Locals')).find((v) => v.name === 'i')?.value).toMatch(/^2/);
  });

  it('with a condition that cannot be decided stop, and say why', async () => {
    expect(await launched(() => lines({ line: 26, condition: 'nowhere > 1' }))).toBe('breakpoint work:26');
    expect(driver.output('important')).toMatch(
      // The fixture's runtime cannot run again.
      engine === 'neural'
        ? /`nowhere > 1` was not decided: NameError/
        : /`nowhere > 1` was not decided: the run/,
    );
  });

  it.each([
    ['2', '1'],
    ['>= 3', '2'],
    ['% 3', '2'],
  ])('with the hit condition %s stop first at i = %s', async (hitCondition, i) => {
    expect(await launched(() => lines({ line: 26, hitCondition }))).toBe('breakpoint work:26');
    expect((await driver.variables('Locals')).find((v) => v.name === 'i')?.value.split(' ')[0]).toBe(i);
  });

  it('refuse a hit condition that is none', async () => {
    await launched(undefined, { stopOnEntry: true });
    const { breakpoints } = await lines({ line: 26, hitCondition: 'often' });
    expect(breakpoints[0]).toMatchObject({ verified: false });
    expect(breakpoints[0]!.message).toContain('E_HIT_CONDITION');
  });

  it('that log write their message and go on', async () => {
    expect(await launched(() => lines({ line: 27, logMessage: 'i={i} {{sum}} {total + 1}' }))).toBe(
      'terminated',
    );
    const predicted = engine === 'neural' ? '  # predicted 75 %' : '';
    const logged = driver
      .output('console')
      .split('\n')
      .filter((l) => l.startsWith('i='));
    expect(logged).toEqual([
      `i=0 {sum} 4${predicted}`,
      `i=1 {sum} 9${predicted}`,
      `i=2 {sum} 116${predicted}`,
    ]);
  });

  it('on functions stop at their call', async () => {
    let set: DebugProtocol.SetFunctionBreakpointsResponse['body'] | undefined;
    const stop = await launched(async () => {
      set = await driver.ask('setFunctionBreakpoints', {
        breakpoints: [{ name: 'helper', condition: 'i == 2' }, { name: 'nothing' }],
      });
    });
    expect(stop).toBe('function breakpoint helper:31');
    expect(set?.breakpoints.map((b) => b.verified)).toEqual([true, false]);
    expect((await driver.variables('Locals')).map((v) => v.value.split(' ')[0])).toEqual(['2']);
  });

  it('on data say who changed a variable, forwards and backwards', async () => {
    await launched(() => lines({ line: 20 }));
    const id = await driver.frameId();
    const { scopes } = await driver.ask<DebugProtocol.ScopesResponse['body']>('scopes', { frameId: id });
    const locals = scopes.find((s) => s.name.startsWith('Locals'))!.variablesReference;
    const info = await driver.ask<DebugProtocol.DataBreakpointInfoResponse['body']>('dataBreakpointInfo', {
      variablesReference: locals,
      name: 'total',
      frameId: id,
    });
    expect(info).toMatchObject({ description: 'total in work', accessTypes: ['write'] });
    await lines();
    const set = await driver.ask<Set>('setDataBreakpoints', { breakpoints: [{ dataId: info.dataId }] });
    expect(set.breakpoints[0]).toMatchObject({ verified: true });

    expect(await driver.go('continue')).toBe('data breakpoint work:27');
    const stops = () => driver.events.filter((e) => e.event === 'stopped').at(-1)!.body.text;
    expect(stops()).toBe('total: 0 -> 3');
    expect(await driver.go('continue')).toBe('data breakpoint work:27');
    expect(stops()).toBe('total: 3 -> 8');
    // Backwards the walk stops before the line that made the change.
    expect(await driver.go('reverseContinue')).toBe('data breakpoint work:26');
    expect(stops()).toBe('total: 3 -> 8');
    expect((await driver.variables('Locals')).find((v) => v.name === 'total')?.value).toMatch(/^3/);
  });

  it('on data watch items too, and not what cannot be told', async () => {
    await launched(() => lines({ line: 20 }));
    const info = (name: string) =>
      driver.ask<DebugProtocol.DataBreakpointInfoResponse['body']>('dataBreakpointInfo', { name });
    expect(await info("d['k']")).toMatchObject({ dataId: expect.stringContaining('expression') });
    expect(await info('p.norm()')).toMatchObject({ dataId: null });
    const { breakpoints } = await driver.ask<Set>('setDataBreakpoints', {
      breakpoints: [{ dataId: (await info('total')).dataId!, accessType: 'read' }, { dataId: 'rubbish' }],
    });
    expect(breakpoints.map((b) => b.verified)).toEqual([false, false]);
  });

  it('say where they can be', async () => {
    await launched(undefined, { stopOnEntry: true });
    const { breakpoints } = await driver.ask<{ breakpoints: { line: number }[] }>('breakpointLocations', {
      source: { path },
      line: 8,
      endLine: 14,
    });
    expect(breakpoints.map((b) => b.line)).toEqual([10, 11, 14]);
  });

  it('walk back to who changed a variable, on request', async () => {
    await launched(() => lines({ line: 27 }));
    expect(await driver.go('npdb/whoChanged', { name: 'total' })).toBe('data breakpoint work:26');
    expect(driver.output('console')).toContain('total: 0 -> 3');
    expect(await driver.fails('npdb/whoChanged', { name: 'p.norm()' })).toMatchObject({ code: 'E_NAME' });
  });
});

describe.each(['recorded', 'neural'] as const)('exceptions, %s', (engine) => {
  let connection: Connected;
  let driver: Driver;
  afterEach(() => connection.close());

  async function launched(body: object, args: object = {}): Promise<string> {
    connection = await connected(fixtureHost(work));
    driver = new Driver(connection.client);
    const stopped = driver.settled();
    const prepare = () => driver.ask('setExceptionBreakpoints', { filters: [], ...body });
    await driver.launch({ program: path, call, engine, ...args }, prepare);
    return stopped;
  }

  it('stop once where they are raised, not in each frame they leave', async () => {
    expect(await launched({ filters: ['raised'] })).toBe('exception work:23');
    const info = await driver.ask<DebugProtocol.ExceptionInfoResponse['body']>('exceptionInfo', {
      threadId: 1,
    });
    expect(info).toMatchObject({
      exceptionId: 'ValueError',
      breakMode: 'always',
      details: { message: 'two', typeName: 'ValueError' },
    });
    expect(info.description).toMatch(/^ValueError: two/);
    expect(info.details?.stackTrace).toMatch(
      /^Traceback \(most recent call last\):\n {2}File ".*work.py", line 39, in safe\n {4}return work\(n\)/,
    );
    expect(await driver.go('continue')).toBe('exception helper:33');
    expect(await driver.go('continue')).toBe('terminated');
  });

  it('stop backwards where they were raised', async () => {
    await launched({ filters: ['raised'] }, { stopOnExit: true });
    await driver.go('continue');
    await driver.go('continue');
    expect(await driver.go('reverseContinue')).toBe('exception helper:33');
    expect(await driver.go('reverseContinue')).toBe('exception work:23');
  });

  it('stop only for the types that were named, or where a condition holds', async () => {
    expect(
      await launched({ filterOptions: [{ filterId: 'raised', condition: 'TypeError, KeyError' }] }),
    ).toBe('exception helper:33');
    await connection.close();
    expect(await launched({ filterOptions: [{ filterId: 'raised', condition: 'i > 2' }] })).toBe(
      'exception helper:33',
    );
  });

  it('that are caught do not stop as uncaught ones', async () => {
    expect(await launched({ filters: ['uncaught'] })).toBe('terminated');
  });

  it('are not shown where there is none', async () => {
    await launched({}, { stopOnEntry: true });
    expect(await driver.fails('exceptionInfo', { threadId: 1 })).toEqual({
      id: 4007,
      code: 'E_NO_EXCEPTION',
    });
    const { breakpoints } = await driver.ask<Set>('setExceptionBreakpoints', {
      filters: ['raised', 'other'],
    });
    expect(breakpoints.map((b) => b.verified)).toEqual([true, false]);
  });
});
