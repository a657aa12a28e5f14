/**
 * @file The debugging sessions of one connection: isolated from each other and from other connections, limited in
 * number, closed when nobody used them for a while. One call works on a session at a time. Knows no protocol.
 */
import { randomUUID } from 'node:crypto';
import { NpdbError } from '../../common/errors.ts';
import type { EngineName } from '../../debugger/types.ts';
import type { Strategy } from '../../predictor/types.ts';
import type { Session as Opened } from '../session.ts';
import { Points } from './points.ts';
import type { ProgramText } from './programs.ts';
import { sessionState } from './show.ts';
import type { SessionState } from './types.ts';

/** How a session was started: what a restart does again. */
export interface Launch {
  readonly engine: EngineName;
  readonly call?: string;
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly strategy: Strategy;
  readonly seed: number;
  readonly resync: boolean;
  readonly stopOnEntry: boolean;
}

export class DebugSession {
  readonly id = randomUUID();
  readonly name: string;
  readonly createdAt = new Date();
  usedAt = Date.now();
  readonly points = new Points();
  program: ProgramText | null = null;
  launch: Launch | null = null;
  opened: Opened | null = null;
  closed = false;
  /** The call in progress; pause_execution and closing abort it. */
  #working: AbortController | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(name: string) {
    this.name = name;
  }

  get state(): SessionState {
    if (this.#working) return 'running';
    return this.opened ? sessionState(this.opened.debug.current) : 'created';
  }

  get working(): boolean {
    return this.#working !== null;
  }

  /** Throws `E_NOT_STARTED`. */
  get started(): Opened {
    if (this.opened) return this.opened;
    throw new NpdbError('E_NOT_STARTED', 'This session has no program yet.', 'Call start_debugging first.');
  }

  /** Works on the session alone; calls that come meanwhile wait their turn. The signal ends with `pause` or closing. */
  exclusive<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const mine = this.#turn.then(async () => {
      if (this.closed) throw closedError(this.id);
      const controller = new AbortController();
      this.#working = controller;
      try {
        return await work(controller.signal);
      } finally {
        this.#working = null;
        this.usedAt = Date.now();
      }
    });
    this.#turn = mine.catch(() => {});
    return mine;
  }

  /** False where nothing was going on. */
  pause(): boolean {
    this.#working?.abort(new DOMException('paused', 'AbortError'));
    return this.#working !== null;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.pause();
    await this.#turn;
    await this.opened?.close();
    this.opened = null;
  }
}

export interface SessionLimits {
  /** Sessions of one connection. */
  readonly most: number;
  /** Closed after so long without a call, ms. */
  readonly idleMs: number;
}

export const SESSION_LIMITS: SessionLimits = { most: 8, idleMs: 30 * 60_000 };

/** Expired sessions whose ids still get an answer of their own. */
const REMEMBERED = 1_000;

export class Sessions {
  readonly #all = new Map<string, DebugSession>();
  readonly #expired = new Set<string>();
  readonly limits: SessionLimits;
  readonly #timer: NodeJS.Timeout;
  /** Called when a session comes or goes. */
  onChange: () => void = () => {};

  constructor(limits: Partial<SessionLimits> = {}) {
    this.limits = { ...SESSION_LIMITS, ...limits };
    this.#timer = setInterval(() => void this.expire(), Math.min(60_000, this.limits.idleMs));
    this.#timer.unref();
  }

  get all(): DebugSession[] {
    return [...this.#all.values()];
  }

  /** Throws `E_SESSION_LIMIT`. */
  create(name: string): DebugSession {
    if (this.#all.size >= this.limits.most) {
      throw new NpdbError(
        'E_SESSION_LIMIT',
        `There are ${this.#all.size} sessions, the most this server keeps.`,
        'Close one with close_debug_session.',
        4,
      );
    }
    const session = new DebugSession(name);
    this.#all.set(session.id, session);
    this.onChange();
    return session;
  }

  /** Throws `E_SESSION`, `E_SESSION_EXPIRED`. */
  get(id: string): DebugSession {
    const session = this.#all.get(id);
    if (!session) throw this.#expired.has(id) ? expiredError(id, this.limits.idleMs) : closedError(id);
    session.usedAt = Date.now();
    return session;
  }

  async close(id: string): Promise<DebugSession> {
    const session = this.get(id);
    this.#all.delete(id);
    this.onChange();
    await session.close();
    return session;
  }

  /** Closes what nobody used for too long; a session at work is in use. */
  async expire(now = Date.now()): Promise<void> {
    for (const session of this.all) {
      if (session.working || now - session.usedAt < this.limits.idleMs) continue;
      this.#expired.add(session.id);
      const [oldest] = this.#expired;
      if (this.#expired.size > REMEMBERED && oldest !== undefined) this.#expired.delete(oldest);
      this.#all.delete(session.id);
      this.onChange();
      await session.close();
    }
  }

  async closeAll(): Promise<void> {
    clearInterval(this.#timer);
    const all = this.all;
    this.#all.clear();
    await Promise.allSettled(all.map((session) => session.close()));
  }
}

function closedError(id: string): NpdbError {
  return new NpdbError('E_SESSION', `There is no session ${id}.`, 'See list_debug_sessions, or create one.');
}

function expiredError(id: string, ms: number): NpdbError {
  return new NpdbError(
    'E_SESSION_EXPIRED',
    `Session ${id} was closed after ${Math.round(ms / 60_000)} minutes without a call.`,
    'Create a new one.',
  );
}
