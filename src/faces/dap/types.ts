/**
 * @file What the parts of the adapter share. The adapter is thin: a request becomes calls of a `Debugger`, a position
 * becomes frames, scopes and variables. It knows no engine, and no Node: reading files and opening engines is the
 * `Host`'s, so that the same code runs in a browser.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Program } from '../../source/types.ts';
import type { Session, SessionOptions } from '../session.ts';
import type { Adapter } from './adapter.ts';
import type { Launch } from './launchArguments.ts';

export type { Launch, Session };

/** A program as the host found it. */
export interface Found {
  /** As the client names it: an absolute path, or a URI. */
  readonly path: string;
  readonly text: string;
}

export type OpenOptions = Omit<SessionOptions, 'predictor' | 'runtime'>;

export interface Host {
  /** The file of `program`, `module` or `code`. Throws `E_FILE`, `E_MODULE`. */
  find(launch: Launch): Promise<Found>;
  open(options: OpenOptions, signal: AbortSignal): Promise<Session>;
  /** Whether two paths name the same file. */
  same(a: string, b: string): boolean;
}

/** A program that is being debugged. */
export interface Opened {
  readonly launch: Launch;
  readonly session: Session;
}

/** What launch knows before any engine is open: enough to bind breakpoints. */
export interface Known {
  readonly path: string;
  readonly programs: readonly Program[];
}

/** A response's body, and what follows once it was sent. */
export interface Answer {
  readonly body?: object;
  readonly after?: () => void;
}

export interface Call {
  readonly request: DebugProtocol.Request;
  /** Aborted by `cancel`, and at the end of the session. */
  readonly signal: AbortSignal;
}

/** `given`: the arguments as they were sent; each handler reads them with a schema. */
export type Handler = (adapter: Adapter, given: unknown, call: Call) => Answer | Promise<Answer>;

export type Handlers = Readonly<Record<string, Handler>>;

/** Which stack a frame belongs to: a thread of the state shown, or the real run beside a prediction. */
export type ThreadRef = { readonly type: 'shown'; readonly thread: number } | { readonly type: 'real' };

export interface FrameRef {
  readonly thread: ThreadRef;
  /** Frames up from the innermost. */
  readonly up: number;
}
