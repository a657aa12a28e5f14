import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Connected,
  connected,
  Driver,
  discount,
  fixtureHost,
  programFile,
  work,
} from './client.testing.ts';

const program = programFile(discount, 'discount.py');

describe.each(['recorded', 'neural', 'compared'] as const)('moving, %s', (engine) => {
  let connection: Connected;
  let driver: Driver;

  beforeEach(async () => {
    connection = await connected(fixtureHost(discount));
    driver = new Driver(connection.client);
    await driver.launch({ program: program.path, call: program.call, engine, stopOnEntry: true });
    expect(await driver.where()).toBe('total:7');
  });
  afterEach(() => connection.close());

  /** The same motion several times. */
  async function times(n: number, command: string): Promise<string[]> {
    const seen = [];
    for (let i = 0; i < n; i += 1) seen.push(await driver.go(command));
    return seen;
  }

  it('steps over the lines of the function to its return, then to the end', async () => {
    expect(await times(4, 'next')).toEqual(['step total:8', 'step total:9', 'step total:10', 'step total:9']);
    expect(await times(6, 'next')).toEqual([
      'step total:10',
      'step total:9',
      'step total:10',
      'step total:9',
      'step total:11',
      'step total:11',
    ]);
    const rows = await driver.variables('Return value');
    expect(rows[0]!.value).toMatch(/^8/);
    expect(await driver.go('next')).toBe('terminated');
  });

  it('steps into a call, at its first line, and out to its return', async () => {
    await times(3, 'next');
    expect(await driver.go('stepIn')).toBe('step cut:2');
    expect((await driver.frames()).map((f) => f.name.split('  #')[0])).toEqual(['cut', 'total']);
    expect(await driver.go('stepOut')).toBe('step cut:3');
    expect(await driver.go('next')).toBe('step total:9');
  });

  it('stops at every state with the granularity of instructions', async () => {
    await times(3, 'next');
    expect(await driver.go('stepIn', { threadId: 1, granularity: 'instruction' })).toBe('step cut:1');
  });

  it('steps into the function that was chosen', async () => {
    await times(3, 'next');
    const { targets } = await driver.ask<{ targets: { id: number; label: string }[] }>('stepInTargets', {
      frameId: await driver.frameId(),
    });
    expect(targets.map((t) => t.label)).toEqual(['cut (line 1)']);
    expect(await driver.go('stepIn', { threadId: 1, targetId: targets[0]!.id })).toBe('step cut:2');
  });

  it('steps back over calls, and back into them', async () => {
    await times(4, 'next');
    expect(await times(2, 'stepBack')).toEqual(['step total:10', 'step total:9']);
    await times(2, 'next');
    expect(await driver.go('npdb/reverseStepIn', {})).toBe('step cut:3');
    expect(await driver.go('npdb/reverseStepOut', {})).toBe('step cut:1');
  });

  it('goes back to the entry, and says that nothing lies before it', async () => {
    await times(3, 'next');
    expect(await driver.go('reverseContinue')).toBe('entry total:7');
    expect(await driver.go('stepBack')).toBe('entry total:7');
    expect(await driver.go('next')).toBe('step total:8');
  });

  it('continues to the end: the value the call returns, the exit status, terminated', async () => {
    expect(await driver.go('continue')).toBe('terminated');
    expect(driver.output('console')).toContain('total([5, 2, 9], 3) returns 8');
    expect(driver.events.find((e) => e.event === 'exited')?.body).toEqual({ exitCode: 0 });
  });

  it('restarts a frame', async () => {
    await times(3, 'next');
    await driver.go('stepIn');
    await driver.go('next');
    expect(await driver.go('restartFrame', { frameId: await driver.frameId() })).toBe('restart cut:1');
    expect(await driver.go('next')).toBe('step cut:2');
    expect(await driver.go('restartFrame', { frameId: await driver.frameId(1) })).toBe('restart total:7');
  });

  it('restarts the program', async () => {
    await times(4, 'next');
    const stopped = driver.settled();
    await driver.ask('restart');
    expect(await stopped).toBe('entry total:7');
    expect(await driver.go('next')).toBe('step total:8');
  });

  it('travels to a state of a line', async () => {
    await times(4, 'next');
    const { targets } = await driver.ask<{ targets: { id: number; label: string }[] }>('gotoTargets', {
      source: { path: program.path },
      line: 10,
    });
    if (engine === 'neural') {
      expect(targets[0]!.label).toMatch(/^line 10, position \d+ \(predicted, 75 %\)$/);
    } else expect(targets.filter((t) => /visit \d of 3/.test(t.label))).toHaveLength(3);
    expect(await driver.go('goto', { threadId: 1, targetId: targets[0]!.id })).toBe('goto total:10');
    const before = await driver.variables('Locals');
    expect(before.find((v) => v.name === 'price')?.value).toMatch(/^5/);
    if (engine === 'neural') return;
    expect(await driver.go('goto', { threadId: 1, targetId: targets[2]!.id })).toBe('goto total:10');
    expect((await driver.variables('Locals')).find((v) => v.name === 'price')?.value).toMatch(/^9/);
    expect(await driver.go('next')).toBe('step total:9');
  });

  it('goes to an earlier position by its number', async () => {
    await times(3, 'next');
    expect(await driver.go('npdb/goto', { position: 1 })).toBe('goto total:8');
    const { positions } = await driver.ask<{ positions: { id: number; current: boolean }[] }>(
      'npdb/positions',
    );
    expect(positions.find((p) => p.current)?.id).toBe(1);
    expect(positions.length).toBeGreaterThanOrEqual(4);
  });

  it('answers a pause while nothing runs', async () => {
    await driver.ask('pause', { threadId: 1 });
    expect(await driver.go('next')).toBe('step total:8');
  });

  it('runs to a line', async () => {
    expect(await driver.go('npdb/runTo', { source: { path: program.path }, line: 11 })).toBe('goto total:11');
  });
});

describe('a motion that takes long', () => {
  let connection: Connected;
  let driver: Driver;

  beforeEach(async () => {
    connection = await connected(fixtureHost({ ...discount, delayMs: 700 }));
    driver = new Driver(connection.client);
    await driver.launch({ program: program.path, call: program.call, stopOnEntry: true });
  });
  afterEach(() => connection.close());

  it('is alone: others are refused, and so is looking, until it ends', async () => {
    const stopped = driver.settled();
    await driver.ask('next', { threadId: 1 });
    expect(await driver.fails('next', { threadId: 1 })).toEqual({ id: 1004, code: 'E_RUNNING' });
    expect(await driver.fails('stackTrace', { threadId: 1 })).toEqual({ id: 1004, code: 'E_RUNNING' });
    expect(await driver.ask('threads')).toEqual({ threads: [{ id: 1, name: 'MainThread' }] });
    expect(await stopped).toBe('step total:8');
  });

  it('is paused where it stands, and goes on from there', async () => {
    await driver.ask('setBreakpoints', { source: { path: program.path }, breakpoints: [{ line: 11 }] });
    const stopped = driver.settled();
    await driver.ask('continue', { threadId: 1 });
    await driver.ask('pause', { threadId: 1 });
    expect(await stopped).toMatch(/^pause total:/);
    expect(await driver.go('next')).toMatch(/^step total:/);
  });

  it('shows its progress, and can be cancelled by it', async () => {
    await driver.ask('setBreakpoints', { source: { path: program.path }, breakpoints: [{ line: 11 }] });
    const begun = driver.event<DebugProtocol.ProgressStartEvent>('progressStart');
    const stopped = driver.settled();
    await driver.ask('continue', { threadId: 1 });
    const { progressId, title, cancellable } = (await begun).body;
    expect({ title, cancellable }).toEqual({ title: 'npdb: Continue', cancellable: true });
    const over = driver.event<DebugProtocol.ProgressEndEvent>('progressEnd');
    await driver.ask('cancel', { progressId });
    expect((await over).body.progressId).toBe(progressId);
    expect(await stopped).toMatch(/^pause /);
  });

  it('ends with the session', async () => {
    await driver.ask('continue', { threadId: 1 });
    await driver.ask('disconnect');
    expect(driver.events.filter((e) => e.event === 'stopped')).toHaveLength(1);
  });
});

describe('the end of a program', () => {
  let connection: Connected;
  let driver: Driver;
  const { path, call } = programFile(work, 'work.py');

  afterEach(() => connection.close());

  async function launched(args: object): Promise<string> {
    connection = await connected(fixtureHost(work));
    driver = new Driver(connection.client);
    const stopped = driver.settled();
    await driver.launch({ program: path, call, engine: 'recorded', ...args });
    return stopped;
  }

  it('can be stood at, to go back from', async () => {
    expect(await launched({ stopOnExit: true })).toBe('exit (the program ended: normal):0');
    expect(driver.output('stdout')).toBe('i 0 3\ni 1 8\ni 2 115\n');
    expect(await driver.fails('scopes', { frameId: await driver.frameId() })).toEqual({
      id: 3004,
      code: 'E_ENDED',
    });
    expect(await driver.go('stepBack')).toBe('step safe:41');
  });

  it('runs without stopping where no debugging is wanted', async () => {
    expect(await launched({ noDebug: true, stopOnEntry: true })).toBe('terminated');
    expect(driver.output('console')).toContain('safe(300) returns -1');
  });

  it('shows the stack of the real run beside the predicted one', async () => {
    await launched({ engine: 'compared', stopOnEntry: true });
    const { threads } = await driver.ask<{ threads: { id: number; name: string }[] }>('threads');
    expect(threads.map((t) => t.name)).toEqual(['MainThread', 'MainThread (real run)']);
    await driver.go('next');
    expect((await driver.frames(threads[1]!.id))[0]).toMatchObject({ name: 'safe', line: 38 });
  });
});
