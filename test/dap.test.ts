/** @file `npdb dap` as an editor starts it: a child process or a local port, real engines, nothing but messages on stdout. */
import { type ChildProcess, spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, describe, expect, it } from 'vitest';
import { frame, WireReader } from '../src/faces/dap/wire.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const program = `${root}test/fixtures/dap/work.py`;
const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

function npdb(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, ['bin/npdb.js', 'dap', ...args], { cwd: root });
  running.push(child);
  return child;
}

/** A client of forty lines, so that nothing of the adapter's own library is on this side. */
class Client {
  readonly problems: string[] = [];
  readonly #output: Writable;
  readonly #waiting = new Map<number, (r: DebugProtocol.Response) => void>();
  readonly #events: { name: string; resolve: (e: DebugProtocol.Event) => void }[] = [];
  #seq = 1;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    const reader = new WireReader({
      message: (m) => this.#take(m as DebugProtocol.Response | DebugProtocol.Event),
      problem: (p) => this.problems.push(p),
    });
    input.on('data', (chunk: Buffer) => reader.feed(chunk));
  }

  #take(message: DebugProtocol.Response | DebugProtocol.Event): void {
    if ('event' in message) {
      const at = this.#events.findIndex((e) => e.name === message.event);
      if (at >= 0) this.#events.splice(at, 1)[0]!.resolve(message);
    } else this.#waiting.get(message.request_seq)?.(message);
  }

  event(name: string): Promise<DebugProtocol.Event> {
    return new Promise((resolve) => this.#events.push({ name, resolve }));
  }

  async ask<T = Record<string, unknown>>(command: string, args: object = {}): Promise<T> {
    const seq = this.#seq++;
    const answer = new Promise<DebugProtocol.Response>((done) => this.#waiting.set(seq, done));
    this.#output.write(frame({ seq, type: 'request', command, arguments: args }));
    const { success, message, body } = await answer;
    if (!success) throw new Error(message);
    return body as T;
  }

  async launch(args: object, lines: number[] = []): Promise<void> {
    await this.ask('initialize', { adapterID: 'npdb' });
    const ready = this.event('initialized');
    const stopped = this.event('stopped');
    const launched = this.ask('launch', args);
    await ready;
    await this.ask('setBreakpoints', {
      source: { path: program },
      breakpoints: lines.map((line) => ({ line })),
    });
    await Promise.all([this.ask('configurationDone'), launched, stopped]);
  }

  async go(command: string): Promise<DebugProtocol.StackFrame> {
    const stopped = this.event('stopped');
    await this.ask(command, { threadId: 1 });
    await stopped;
    return this.top();
  }

  async top(): Promise<DebugProtocol.StackFrame> {
    const { stackFrames } = await this.ask<DebugProtocol.StackTraceResponse['body']>('stackTrace', {
      threadId: 1,
    });
    return stackFrames[0]!;
  }

  async locals(): Promise<DebugProtocol.Variable[]> {
    const { scopes } = await this.ask<DebugProtocol.ScopesResponse['body']>('scopes', {
      frameId: (await this.top()).id,
    });
    return this.children(scopes.find((s) => s.name.startsWith('Locals'))!.variablesReference);
  }

  async children(variablesReference: number, page: object = {}): Promise<DebugProtocol.Variable[]> {
    return (
      await this.ask<DebugProtocol.VariablesResponse['body']>('variables', { variablesReference, ...page })
    ).variables;
  }
}

const result = (client: Client, expression: string, context = 'watch') =>
  client.ask<{ result: string }>('evaluate', { expression, context }).then((r) => r.result);

describe('npdb dap', () => {
  it('records a real run over stdio: what was cut is fetched, code runs where it is asked for, edits stick', async () => {
    const child = npdb();
    const client = new Client(child.stdout!, child.stdin!);
    await client.launch({ program, call: 'safe(300)', engine: 'recorded', python: 'python3' }, [26]);
    expect(await client.top()).toMatchObject({ name: 'work', line: 26 });

    const big = (await client.locals()).find((v) => v.name === 'big')!;
    const page = await client.children(big.variablesReference, { filter: 'indexed', start: 198, count: 3 });
    expect(page.map((v) => `${v.name}=${v.value}`)).toEqual(['198=198', '199=199', '200=200']);
    expect(await result(client, 'p.norm()')).toBe('3');
    const whole = await result(client, 'big', 'clipboard');
    expect(JSON.parse(whole)).toHaveLength(300);
    expect(await result(client, 'big[0] = 40', 'repl')).toBe('40  # edited');
    // Both names of the list see the change, for the object itself was changed.
    expect(await result(client, 'same[0]')).toBe('40  # edited');
    await client.ask('setExpression', { expression: 'p.y', value: 'p.x * 7' });
    expect(await result(client, 'p.norm()')).toMatch(/^8/);
    expect(await client.go('next')).toMatchObject({ name: 'work', line: 27 });
    expect(await client.go('stepBack')).toMatchObject({ name: 'work', line: 26 });

    const exited = new Promise((done) => child.once('exit', done));
    await client.ask('disconnect');
    expect(await exited).toBe(0);
    expect(client.problems).toEqual([]);
  }, 300_000);

  it('predicts with the bundled model on a local port, for one client after the other', async () => {
    const child = npdb('--server=0');
    const port = await new Promise<number>((done) =>
      child.stderr!.on('data', (chunk: Buffer) => {
        const [, found] = /listening on 127\.0\.0\.1:(\d+)/.exec(chunk.toString()) ?? [];
        if (found) done(Number(found));
      }),
    );
    for (let i = 0; i < 2; i += 1) {
      const socket: Socket = connect(port, '127.0.0.1');
      const client = new Client(socket, socket);
      await client.launch({
        program: `${root}examples/discount.py`,
        call: 'total([5, 2, 9], 3)',
        stopOnEntry: true,
      });
      await client.go('next');
      const top = await client.top();
      expect(top.name).toMatch(/# predicted, [\d.]+ %$/);
      expect(top.source?.origin).toMatch(/^predicted/);
      const gone = new Promise((done) => socket.once('close', done));
      await client.ask('disconnect');
      await gone;
    }
  }, 300_000);
});
