import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CAPABILITIES } from './capabilities.ts';
import { type Connected, connected, Driver, discount, fixtureHost, programFile } from './client.testing.ts';
import { errorCodes, errorId } from './errors.ts';
import { argumentsOf, interpreterOf, launchSchema, notices } from './launchArguments.ts';
import { HANDLERS } from './session.ts';

const program = programFile(discount, 'discount.py');
const folder = mkdtempSync(join(tmpdir(), 'npdb-launch-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a session', () => {
  let connection: Connected;
  let driver: Driver;
  beforeEach(async () => {
    connection = await connected(fixtureHost(discount));
    driver = new Driver(connection.client);
  });
  afterEach(() => connection.close());
  const launch = (args: object) => driver.launch({ call: program.call, stopOnEntry: true, ...args });
  const refused = async (args: object) => {
    await driver.ask('initialize', { adapterID: 'npdb' });
    return driver.fails('launch', args);
  };

  it('begins with what it can do', async () => {
    expect(await driver.ask('initialize', { adapterID: 'npdb' })).toEqual(CAPABILITIES);
    expect(await driver.fails('initialize', { adapterID: 'npdb' })).toEqual({ id: 1011, code: 'E_ORDER' });
  });

  it('knows paths and URIs only', async () => {
    expect(await driver.fails('initialize', { adapterID: 'npdb', pathFormat: 'url' })).toEqual({
      id: 1008,
      code: 'E_PATH_FORMAT',
    });
    await launch({ program: pathToFileURL(program.path).href });
    expect((await driver.frames())[0]!.source?.path).toBe(program.path);
  });

  it('counts lines as the client does', async () => {
    await driver.ask('initialize', { adapterID: 'npdb', linesStartAt1: false, columnsStartAt1: false });
    const ready = driver.event('initialized');
    const launched = driver.ask('launch', { program: program.path, call: program.call });
    await ready;
    const { breakpoints } = await driver.ask<{ breakpoints: { line: number }[] }>('setBreakpoints', {
      source: { path: program.path },
      breakpoints: [{ line: 8 }],
    });
    expect(breakpoints[0]!.line).toBe(8);
    const stopped = driver.settled();
    await Promise.all([driver.ask('configurationDone'), launched]);
    expect(await stopped).toBe('breakpoint total:8');
  });

  it('takes breakpoints before the launch, and binds them then', async () => {
    await driver.ask('initialize', { adapterID: 'npdb' });
    const early = await driver.ask<{ breakpoints: { verified: boolean; id: number }[] }>('setBreakpoints', {
      source: { path: program.path },
      breakpoints: [{ line: 9 }],
    });
    expect(early.breakpoints[0]).toMatchObject({ verified: false, reason: 'pending' });
    const bound = driver.event('breakpoint');
    const stopped = driver.settled();
    await Promise.all([
      driver.ask('launch', { program: program.path, call: program.call }),
      driver.ask('configurationDone'),
    ]);
    expect((await bound).body).toMatchObject({
      reason: 'changed',
      breakpoint: { id: early.breakpoints[0]!.id, verified: true, line: 9 },
    });
    expect(await stopped).toBe('breakpoint total:9');
  });

  it('finds a module below the working folder', async () => {
    mkdirSync(join(folder, 'shop', 'till'), { recursive: true });
    writeFileSync(join(folder, 'shop', 'till', '__main__.py'), discount.trace.header.files[0]!.text);
    await launch({ module: 'shop.till', cwd: folder });
    expect((await driver.frames())[0]!.source?.name).toBe('__main__.py');
  });

  it('takes the program itself, and shows its text', async () => {
    await launch({ code: discount.trace.header.files[0]!.text.split('\n') });
    const [top] = await driver.frames();
    expect(top!.source?.path).toBeUndefined();
    const { content } = await driver.ask<{ content: string }>('source', {
      sourceReference: top!.source?.sourceReference,
    });
    expect(content).toContain('def total');
  });

  it.each([
    ['a file that is not there', { program: '/nowhere/x.py' }, 2000, 'E_FILE'],
    ['a folder', { program: folder }, 2000, 'E_FILE'],
    ['no program at all', {}, 2000, 'E_FILE'],
    ['a module that is not there', { module: 'no.such', cwd: folder }, 2001, 'E_MODULE'],
    ['a module that is a way out', { module: '../etc', cwd: folder }, 2001, 'E_MODULE'],
    ['a program that is no Python', { code: 'def (' }, 2002, 'E_SYNTAX'],
    ['a function that is not there', { program: program.path, call: 'nothing(1)' }, 2004, 'E_FUNCTION'],
    ['an engine that is not known', { program: program.path, engine: 'magic' }, 1002, 'E_ARGUMENTS_SHAPE'],
    ['arguments of a wrong kind', { program: 7 }, 1002, 'E_ARGUMENTS_SHAPE'],
  ])('refuses to launch %s', async (_, args, id, code) => {
    expect(await refused(args)).toEqual({ id, code });
    // It can be tried again.
    await driver.ask('configurationDone');
    const stopped = driver.settled();
    await driver.ask('launch', { program: program.path, call: program.call, stopOnEntry: true });
    expect(await stopped).toBe('entry total:7');
  });

  it('keeps the order: nothing before initialize and launch, one launch', async () => {
    expect(await driver.fails('launch', { program: program.path })).toEqual({
      id: 1010,
      code: 'E_NOT_INITIALIZED',
    });
    for (const command of [
      'next',
      'stackTrace',
      'evaluate',
      'setVariable',
      'restart',
      'exceptionInfo',
      'pause',
    ]) {
      const args = { threadId: 1, expression: 'x', variablesReference: 1, name: 'x', value: '1' };
      expect(await driver.fails(command, args)).toMatchObject({
        code: expect.stringMatching(/E_NOT_LAUNCHED|E_REFERENCE/),
      });
    }
    await launch({ program: program.path });
    expect(await driver.fails('launch', { program: program.path })).toEqual({
      id: 1005,
      code: 'E_ALREADY_LAUNCHED',
    });
  });

  it('cannot attach, and knows no other requests', async () => {
    expect(await driver.fails('attach', { processId: 1 })).toEqual({ id: 1007, code: 'E_ATTACH' });
    expect(await driver.fails('makeCoffee')).toEqual({ id: 1001, code: 'E_REQUEST' });
    expect(await driver.fails('constructor')).toEqual({ id: 1001, code: 'E_REQUEST' });
  });

  it('says which fields of the configuration have no use here', async () => {
    await launch({ program: program.path, env: { A: '1' }, console: 'integratedTerminal', subProcess: true });
    const said = driver.output('console');
    expect(said).toMatch(/env is not used.*\n.*integratedTerminal.*\n.*subProcess/);
  });

  it('terminates when asked to, and disconnects', async () => {
    await launch({ program: program.path });
    const ended = driver.event('terminated');
    await driver.ask('terminate');
    await ended;
    await driver.ask('disconnect');
  });

  it('restarts with another configuration', async () => {
    await launch({ program: program.path });
    const stopped = driver.settled();
    await driver.ask('restart', {
      arguments: { program: program.path, call: program.call, engine: 'recorded', stopOnEntry: true },
    });
    expect(await stopped).toBe('entry total:7');
    expect(driver.output('console')).toContain('recorded with cpython');
  });
});

describe('the launch configuration', () => {
  const read = (given: object) => launchSchema.parse(given);

  it('has the defaults of debugpy, and the neural engine', () => {
    expect(read({})).toMatchObject({
      stopOnEntry: false,
      justMyCode: true,
      showReturnValue: true,
      engine: 'neural',
    });
  });

  it.each([
    ['-v --name "two words" \'three more words\'', ['-v', '--name', 'two words', 'three more words']],
    ['a"b c"d', ['ab cd']],
    ['', []],
  ])('splits the arguments %j as a shell would', (args, words) => {
    expect(argumentsOf(read({ args }))).toEqual(words);
  });

  it('takes an interpreter in each of the ways debugpy does', () => {
    expect(interpreterOf(read({ python: ['python3', '-X', 'dev'] }))).toBe('python3');
    expect(interpreterOf(read({ python: 'python3' }))).toBe('python3');
    expect(interpreterOf(read({ pythonPath: 'python3' }))).toBe('python3');
    expect(interpreterOf(read({}))).toBe('pyodide');
  });

  it('is quiet about fields of clients', () => {
    expect(
      notices(read({ name: 'x', type: 'npdb', request: 'launch', __sessionId: 'a', subProcess: false })),
    ).toEqual([]);
  });
});

it('promises no request that nobody answers', () => {
  const requests: Record<string, string> = {
    supportsRestartRequest: 'restart',
    supportsTerminateRequest: 'terminate',
    supportsStepBack: 'stepBack',
    supportsRestartFrame: 'restartFrame',
    supportsGotoTargetsRequest: 'gotoTargets',
    supportsStepInTargetsRequest: 'stepInTargets',
    supportsFunctionBreakpoints: 'setFunctionBreakpoints',
    supportsBreakpointLocationsRequest: 'breakpointLocations',
    supportsDataBreakpoints: 'dataBreakpointInfo',
    supportsExceptionInfoRequest: 'exceptionInfo',
    supportsSetVariable: 'setVariable',
    supportsSetExpression: 'setExpression',
    supportsCompletionsRequest: 'completions',
    supportsLoadedSourcesRequest: 'loadedSources',
    supportsModulesRequest: 'modules',
  };
  for (const [capability, request] of Object.entries(requests)) {
    expect(CAPABILITIES[capability as keyof typeof CAPABILITIES], capability).toBe(true);
    expect(HANDLERS[request], request).toBeTypeOf('function');
  }
});

it('gives each error code a number of its own', () => {
  const ids = errorCodes().map(errorId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(errorId('E_NOT_YET_NUMBERED')).toBe(1999);
});
