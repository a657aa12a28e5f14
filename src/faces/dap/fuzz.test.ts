/**
 * @file Whatever a client sends, each request is answered exactly once, and the adapter goes on. The seeds are fixed,
 * so that a failure can be had again.
 */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { Random } from '../../common/random.ts';
import { discount, fixtureHost, programFile, work } from './client.testing.ts';
import { HANDLERS, NpdbSession } from './session.ts';

const program = programFile(work, 'work.py');
const small = programFile(discount, 'discount.py');
const COMMANDS = [...Object.keys(HANDLERS), 'cancel', 'nothing', '__proto__', 'toString', ''];
/** These end a session, or begin another: the sequences below place them by hand. */
const CALM = COMMANDS.filter(
  (c) => !['disconnect', 'terminate', 'restart', 'launch', 'initialize'].includes(c),
);

interface Message {
  readonly type: string;
  readonly request_seq?: number;
  readonly event?: string;
  readonly success?: boolean;
  readonly command?: string;
  readonly body?: {
    readonly error?: {
      readonly id: number;
      readonly format: string;
      readonly variables: Record<string, string>;
    };
  };
}

const sessions: NpdbSession[] = [];
afterAll(async () => {
  for (const session of sessions) await session.end();
});

function open(fixture = work) {
  const session = new NpdbSession(fixtureHost(fixture));
  sessions.push(session);
  const sent: Message[] = [];
  session.onDidSendMessage((message: unknown) => sent.push(message as Message));
  let seq = 1;
  const send = (command: unknown, args?: unknown): number => {
    const id = seq++;
    session.handleMessage({ type: 'request', seq: id, command, arguments: args });
    return id;
  };
  const responses = (id: number) => sent.filter((m) => m.type === 'response' && m.request_seq === id);
  const answered = async (id: number) => {
    for (let i = 0; i < 30_000 && responses(id).length === 0; i += 1)
      await new Promise((r) => setTimeout(r, 2));
    return responses(id)[0];
  };
  const launched = async (engine = 'recorded', file = program) => {
    await answered(send('initialize', {}));
    const launch = send('launch', { program: file.path, call: file.call, engine, stopOnEntry: true });
    send('configurationDone');
    expect((await answered(launch))?.success).toBe(true);
  };
  return { session, sent, send, responses, answered, launched };
}

/** An answer that our own fault made. */
const faults = (sent: readonly Message[]) =>
  sent.filter((m) => m.body?.error?.id === 1000).map((m) => `${m.command}: ${m.body?.error?.variables.what}`);

const junk = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(undefined, null, -1, 0, 1, 2, 3, 1e308, 2 ** 31, '', 'x', [], {}),
);
/** Arguments of the right names and any kinds of value. */
const argument = fc.record(
  {
    threadId: fc.oneof(fc.constant(1), junk),
    frameId: fc.oneof(fc.integer({ min: 0, max: 8 }), junk),
    variablesReference: fc.oneof(fc.integer({ min: 0, max: 12 }), junk),
    name: fc.oneof(fc.constantFrom('total', 'p', 'd', 'big', '0', 'x'), junk),
    value: fc.oneof(fc.constantFrom('1', 'x', '[', "'\\"), junk),
    expression: fc.oneof(
      fc.constantFrom('total', 'big[0]', 'total = 3', ':rs', ':real', '(((', 'd["k"]'),
      junk,
    ),
    context: fc.oneof(fc.constantFrom('hover', 'watch', 'repl', 'clipboard', 'variables'), junk),
    source: fc.oneof(fc.constantFrom({ path: program.path }, { sourceReference: 2 }, {}), junk),
    line: fc.oneof(fc.integer({ min: -3, max: 60 }), junk),
    endLine: fc.oneof(fc.integer({ min: -3, max: 60 }), junk),
    column: junk,
    text: junk,
    targetId: fc.oneof(fc.integer({ min: 0, max: 6 }), junk),
    breakpoints: fc.oneof(
      fc.array(
        fc.record(
          { line: junk, name: junk, dataId: junk, condition: junk, hitCondition: junk, logMessage: junk },
          { requiredKeys: [] },
        ),
        { maxLength: 3 },
      ),
      junk,
    ),
    filters: fc.oneof(fc.constantFrom(['raised'], ['uncaught'], ['x']), junk),
    filter: fc.oneof(fc.constantFrom('indexed', 'named'), junk),
    start: junk,
    count: junk,
    granularity: fc.oneof(fc.constantFrom('statement', 'instruction'), junk),
    position: fc.oneof(fc.integer({ min: 0, max: 5 }), junk),
    requestId: junk,
    progressId: junk,
  },
  { requiredKeys: [] },
);

describe('any message', () => {
  it('that is no request is passed over', () => {
    const { session, sent } = open();
    fc.assert(
      fc.property(junk, (message) => {
        session.handleMessage(message);
      }),
      { seed: 2, numRuns: 200 },
    );
    expect(sent.filter((m) => m.type === 'response')).toEqual([]);
  });

  it.each([
    ['before anything is launched', false],
    ['while a program is debugged', true],
  ])('%s is answered once, by whatever request and arguments', async (_, running) => {
    const { send, sent, answered, responses, launched } = open();
    if (running) await launched();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(running ? CALM : COMMANDS.filter((c) => c !== 'disconnect'))),
        fc.oneof(argument, junk),
        async (command, args) => {
          const id = send(command, args);
          expect(await answered(id), `${command} ${JSON.stringify(args)}`).toBeDefined();
          expect(responses(id)).toHaveLength(1);
        },
      ),
      { seed: 3, numRuns: 150 },
    );
    expect(faults(sent)).toEqual([]);
    const alive = await answered(send('threads'));
    expect(alive?.success).toBe(true);
  });
});

describe('many requests at once', () => {
  it.each(['recorded', 'neural', 'compared'] as const)(
    '%s: all are answered, once, and the session still works',
    async (engine) => {
      const { send, sent, answered, responses, launched } = open(discount);
      await launched(engine, small);
      const random = new Random('dap fuzz', engine);
      const ids: number[] = [];
      for (let i = 0; i < 200; i += 1) {
        const command = CALM[Math.floor(random.next() * CALM.length)]!;
        const some = {
          threadId: 1,
          frameId: 1,
          variablesReference: 1,
          name: 'result',
          value: '1',
          expression: 'result',
          text: 'r',
          column: 2,
          source: { path: small.path },
          line: 9,
          targetId: 1,
        };
        ids.push(send(command, random.next() < 0.8 ? some : {}));
        if (random.next() < 0.05) await new Promise((r) => setTimeout(r, 1));
      }
      for (const id of ids) {
        expect(await answered(id)).toBeDefined();
        expect(responses(id)).toHaveLength(1);
      }
      expect(faults(sent)).toEqual([]);
      await answered(send('pause', { threadId: 1 }));
      let stack: Message | undefined;
      for (let i = 0; i < 6_000 && !stack?.success; i += 1) {
        stack = await answered(send('stackTrace', { threadId: 1 }));
        await new Promise((r) => setTimeout(r, 5));
      }
      expect(stack?.success).toBe(true);
    },
  );

  it('with one number twice are both answered', async () => {
    const { session, responses, launched } = open();
    await launched();
    for (let i = 0; i < 2; i += 1) session.handleMessage({ type: 'request', seq: 5_000, command: 'threads' });
    await expect.poll(() => responses(5_000).length, { timeout: 60_000 }).toBe(2);
    await new Promise((r) => setTimeout(r, 20));
    expect(responses(5_000)).toHaveLength(2);
  });
});

describe('huge and odd arguments', () => {
  it('are answered, and not in minutes', async () => {
    const { send, sent, answered, launched } = open();
    await launched();
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const lines = Array.from({ length: 2_000 }, (_, line) => ({ line: line + 1, condition: 'x' }));
    for (const [command, args] of [
      ['setBreakpoints', { source: { path: program.path }, breakpoints: lines }],
      ['setBreakpoints', { source: { path: program.path }, breakpoints: [] }],
      ['evaluate', { expression: deep }],
      ['evaluate', { expression: `${'x.'.repeat(20_000)}y` }],
      ['evaluate', { expression: `total = ${'(1 + '.repeat(2_000)}1${')'.repeat(2_000)}`, context: 'repl' }],
      ['evaluate', { expression: '='.repeat(20_000), context: 'repl' }],
      ['evaluate', { expression: '9'.repeat(90_000), context: 'repl' }],
      ['setExpression', { expression: `total${'[0]'.repeat(3_000)}`, value: '1' }],
      ['completions', { text: 'x'.repeat(1_000_000), column: 1_000_001 }],
      ['completions', { text: '.'.repeat(100_000), column: 100_001 }],
      [
        'setFunctionBreakpoints',
        { breakpoints: Array.from({ length: 1_000 }, (_, i) => ({ name: `f${i}` })) },
      ],
      ['setExceptionBreakpoints', { filters: Array.from({ length: 1_000 }, () => 'raised') }],
      ['breakpointLocations', { source: { path: program.path }, line: 1, endLine: 1e9 }],
      ['gotoTargets', { source: { path: program.path }, line: 1e9 }],
    ] as const) {
      expect(await answered(send(command, args)), command).toBeDefined();
    }
    expect(faults(sent)).toEqual([]);
  });
});

describe('the end', () => {
  it('comes to each session once, whatever still waits', async () => {
    const { send, answered, launched } = open();
    await launched();
    const waiting = [send('continue', { threadId: 1 }), send('evaluate', { expression: 'p.norm()' })];
    const end = send('disconnect');
    expect((await answered(end))?.success).toBe(true);
    for (const id of waiting) expect(await answered(id)).toBeDefined();
    const late = await answered(send('threads'));
    expect(late?.body?.error?.variables.code).toBe('E_ORDER');
  });

  it('can come before the launch is done', async () => {
    const { send, answered } = open();
    await answered(send('initialize', {}));
    const launch = send('launch', { program: program.path, call: program.call, engine: 'recorded' });
    const end = send('disconnect');
    expect((await answered(end))?.success).toBe(true);
    expect((await answered(launch))?.success).toBe(false);
  });
});
