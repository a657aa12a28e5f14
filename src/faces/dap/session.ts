/**
 * @file The session as `@vscode/debugadapter` wants it: each request goes to its handler, each is answered exactly
 * once, whatever it holds. Works over streams and inline (in a browser or an extension host) alike.
 */
import { DebugSession, Event, Response } from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { NpdbError } from '../../common/errors.ts';
import { Adapter } from './adapter.ts';
import { change } from './change.ts';
import { custom } from './custom.ts';
import { asError, cancelled, messageOf } from './errors.ts';
import { evaluation } from './evaluate.ts';
import { close, life } from './launch.ts';
import { motions } from './motion.ts';
import { points } from './points.ts';
import { cancelProgress } from './progress.ts';
import { stack } from './stack.ts';
import { targets } from './targets.ts';
import type { Answer, Handlers, Host } from './types.ts';
import { variables } from './variables.ts';

export const HANDLERS: Handlers = {
  ...life,
  ...motions,
  ...targets,
  ...stack,
  ...variables,
  ...change,
  ...evaluation,
  ...points,
  ...custom,
};

/** So many requests may wait at a time; more are refused, not kept. */
const MAX_WAITING = 1_000;

export class NpdbSession extends DebugSession {
  readonly #adapter: Adapter;
  /** Requests without an answer yet, by number. */
  readonly #waiting = new Map<number, AbortController>();

  /** `ended` is called once after `disconnect` was answered. */
  constructor(host: Host, ended: () => void = () => {}) {
    super();
    this.setDebuggerLinesStartAt1(true);
    this.setRunAsServer(true);
    const send = (event: string, body?: object) =>
      this.sendEvent(body ? new Event(event, body) : new Event(event));
    this.#adapter = new Adapter(host, send, ended);
  }

  /** Anything may come in: what is no request of DAP's shape is answered if it can be, and never throws. */
  override handleMessage(message: unknown): void {
    if (typeof message !== 'object' || message === null) return;
    const { type, seq, command } = message as Partial<DebugProtocol.Request>;
    if (type !== 'request') return;
    const request = {
      type: 'request',
      seq: typeof seq === 'number' && Number.isSafeInteger(seq) ? seq : 0,
      command: typeof command === 'string' ? command : '',
      arguments: (message as { arguments?: unknown }).arguments,
    } as DebugProtocol.Request;
    this.dispatchRequest(request);
  }

  /** Bytes or messages that could not be read. */
  problem(what: string): void {
    this.#adapter.output('console', `npdb: ${what}\n`);
  }

  protected override dispatchRequest(request: DebugProtocol.Request): void {
    void this.#answer(request);
  }

  /** Ends the session from outside: the connection is gone. */
  async end(): Promise<void> {
    for (const controller of this.#waiting.values()) controller.abort(cancelled());
    await close(this.#adapter);
  }

  async #answer(request: DebugProtocol.Request): Promise<void> {
    const response = new Response(request) as DebugProtocol.Response;
    const controller = new AbortController();
    let answer: Answer = {};
    let known = false;
    try {
      if (this.#waiting.size >= MAX_WAITING) {
        throw new NpdbError(
          'E_LARGE',
          `${MAX_WAITING} requests wait for an answer.`,
          'Wait for some of them.',
        );
      }
      known = !this.#waiting.has(request.seq);
      if (known) this.#waiting.set(request.seq, controller);
      answer = await cancellable(this.#handle(request, controller.signal), controller.signal);
      response.body = answer.body ?? {};
    } catch (error) {
      const message = messageOf(error);
      response.success = false;
      response.message = format(message);
      response.body = { error: message };
      if (controller.signal.aborted) response.message = 'cancelled';
    } finally {
      if (known) this.#waiting.delete(request.seq);
    }
    this.sendResponse(response);
    try {
      answer.after?.();
    } catch (error) {
      this.problem(asError(error).line());
    }
  }

  async #handle(request: DebugProtocol.Request, signal: AbortSignal): Promise<Answer> {
    const { command } = request;
    if (command === 'cancel') return this.#cancel(request.arguments);
    const handler = Object.hasOwn(HANDLERS, command) ? HANDLERS[command] : undefined;
    if (!handler) throw new NpdbError('E_REQUEST', `There is no request \`${command.slice(0, 80)}\`.`, '');
    if (this.#adapter.phase === 'ended') throw new NpdbError('E_ORDER', 'The session has ended.', '');
    return handler(this.#adapter, request.arguments, { request, signal });
  }

  /** Never an error: what is to be cancelled may be done already (specification: `cancel`). */
  #cancel(given: unknown): Answer {
    const { requestId, progressId } = (given ?? {}) as { requestId?: unknown; progressId?: unknown };
    if (typeof requestId === 'number') this.#waiting.get(requestId)?.abort(cancelled());
    if (typeof progressId === 'string') cancelProgress(this.#adapter, progressId, cancelled());
    return {};
  }
}

// --- internal ---

/** Work that cannot be interrupted goes on unseen; its request is answered now. */
function cancellable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function format(message: DebugProtocol.Message): string {
  return message.format.replace(/\{(\w+)\}/g, (_, name: string) => message.variables?.[name] ?? '');
}
