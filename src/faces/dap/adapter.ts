/**
 * @file One debug session as the protocol sees it: who the client is, what is being debugged, what runs just now.
 * Requests are answered elsewhere, by family; this is what they share.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { NpdbError } from '../../common/errors.ts';
import { StopRules } from '../../debugger/stops/index.ts';
import type { Debugger, Position } from '../../debugger/types.ts';
import type { Frame, State } from '../../state/types.ts';
import { Points } from './pointStore.ts';
import { Programs } from './programs.ts';
import { References } from './references.ts';
import { markOf } from './show.ts';
import type { FrameRef, Host, Known, Opened } from './types.ts';

/** What the client said of itself in `initialize`. */
export interface Client {
  readonly linesStartAt1: boolean;
  readonly columnsStartAt1: boolean;
  readonly progress: boolean;
  readonly invalidated: boolean;
  readonly variableType: boolean;
}

export type Phase = 'new' | 'initialized' | 'launching' | 'open' | 'ended';

export type Send = (event: string, body?: object) => void;

export class Adapter {
  readonly host: Host;
  readonly send: Send;
  /** After `disconnect` was answered. */
  readonly ended: () => void;
  readonly references = new References();
  readonly points = new Points();
  readonly programs: Programs;
  readonly rules: StopRules;
  client: Client = {
    linesStartAt1: true,
    columnsStartAt1: true,
    progress: false,
    invalidated: false,
    variableType: false,
  };
  phase: Phase = 'new';
  known: Known | null = null;
  opened: Opened | null = null;
  /** The motion under way; reserved from its request on, before it starts. */
  motion: AbortController | null = null;
  configured = false;
  /** The program has begun to run, or stands at its entry. */
  started = false;
  /** The last position whose output was shown. */
  visited = -1;
  /** Text of the last value the entry call returned, where the walk saw it. */
  returned: string | null = null;
  /** Calls that the last step passed over, with what they returned. */
  stepReturns: { readonly depth: number; readonly rows: { readonly fn: string; readonly value: string }[] } =
    {
      depth: 0,
      rows: [],
    };
  #lock: Promise<unknown> = Promise.resolve();

  constructor(host: Host, send: Send, ended: () => void) {
    this.host = host;
    this.send = send;
    this.ended = ended;
    this.programs = new Programs(this);
    this.rules = new StopRules({
      log: (text) => this.output('console', `${text}\n`),
      problem: (text) => this.output('important', `${text}\n`),
      visit: (position, state, before) => this.#visited(position, state, before),
    });
  }

  // --- what is being debugged ---

  /** Throws `E_NOT_LAUNCHED`. */
  get debug(): Debugger {
    return this.needOpened().session.debug;
  }

  needOpened(): Opened {
    if (this.opened && this.phase === 'open') return this.opened;
    throw new NpdbError('E_NOT_LAUNCHED', 'Nothing is being debugged.', 'Send launch first.');
  }

  /** The engine, while nothing moves it. Throws `E_RUNNING`. */
  still(): Debugger {
    const { debug } = this;
    if (this.motion) throw new NpdbError('E_RUNNING', 'The program is running.', 'Pause it first.');
    return debug;
  }

  /** The state a frame belongs to. Throws `E_ENDED`, `E_FRAME`. */
  stateOf(ref: FrameRef): State {
    const { current } = this.still();
    const outcome = ref.thread.type === 'real' ? current.real : current.outcome;
    if (outcome?.type !== 'state') {
      throw new NpdbError('E_ENDED', 'The program has ended here.', 'Step back, or restart.');
    }
    const { state } = outcome;
    if (ref.thread.type === 'real') return state;
    const { thread } = ref.thread;
    if (state.stack.at(-1)!.thread === thread) return state;
    const lane = state.beyond?.lanes.get(thread);
    if (!lane)
      throw new NpdbError('E_FRAME', `There is no thread ${thread + 1} here.`, 'Ask for the threads.');
    return { ...lane };
  }

  /** Throws `E_FRAME`. */
  frameOf(ref: FrameRef): Frame {
    const { stack } = this.stateOf(ref);
    const frame = stack[stack.length - 1 - ref.up];
    if (frame) return frame;
    throw new NpdbError('E_FRAME', `There is no frame ${ref.up} up here.`, 'Ask for the stack again.');
  }

  /** The innermost frame of the thread that stopped. */
  topFrame(): FrameRef {
    const { outcome } = this.still().current;
    const thread = outcome.type === 'state' ? outcome.state.stack.at(-1)!.thread : 0;
    return { thread: { type: 'shown', thread }, up: 0 };
  }

  frameFor(id: number | undefined): FrameRef {
    return id === undefined ? this.topFrame() : this.references.frame(id);
  }

  /** Whether the engine itself can be asked about this frame: it belongs to the stack it stands on. */
  isCurrent(ref: FrameRef): boolean {
    const top = this.topFrame().thread;
    return ref.thread.type === 'shown' && top.type === 'shown' && ref.thread.thread === top.thread;
  }

  /**
   * `  # predicted, 93 %` after a value; empty for what is real, or where the client does not want it. After an edit
   * only the edited name is `edited`: the others are what they were.
   */
  mark(ref: FrameRef, name = ''): string {
    const { debug } = this;
    if (ref.thread.type === 'real' || !this.needOpened().launch.markValues) return '';
    let position = debug.current;
    while (position.edit && position.edit.name !== name && position.from !== undefined) {
      position = debug.position(position.from);
    }
    return markOf(position);
  }

  // --- doing things in turn ---

  /** Work that changes where the engine stands, one after the other. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#lock.then(work);
    this.#lock = mine.catch(() => {});
    return mine;
  }

  // --- what the client is told ---

  output(category: string, output: string, more: Partial<DebugProtocol.OutputEvent['body']> = {}): void {
    if (output !== '') this.send('output', { category, output, ...more });
  }

  invalidate(areas: readonly string[]): void {
    if (this.client.invalidated) this.send('invalidated', { areas });
  }

  line(line: number): number {
    return this.client.linesStartAt1 ? line : line - 1;
  }

  column(column: number): number {
    return this.client.columnsStartAt1 ? column : column - 1;
  }

  fromClientLine(line: number): number {
    return this.client.linesStartAt1 ? line : line + 1;
  }

  fromClientColumn(column: number): number {
    return this.client.columnsStartAt1 ? column : column + 1;
  }

  /** What the program wrote on the way to a state. */
  written(position: Position): void {
    const { outcome } = position;
    if (outcome.type === 'entry') return;
    const { out, err } = outcome.type === 'state' ? outcome.state : { out: outcome.out, err: undefined };
    this.output('stdout', out ?? '');
    this.output('stderr', err ?? '');
  }

  #visited(position: Position, state: State, before: State | null): void {
    if (state.kind === 'return' && state.stack.length === 1) this.returned = state.value ?? null;
    if (state.kind === 'return' && before && state.stack.length === this.stepReturns.depth) {
      this.stepReturns.rows.push({ fn: state.stack.at(-1)!.fn, value: state.value ?? 'None' });
    }
    if (position.action?.type.startsWith('inv_')) return;
    this.visited = position.id;
    this.written(position);
  }
}
