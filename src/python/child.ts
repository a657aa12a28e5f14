/**
 * @file One child process that takes requests and answers in lines: started, spoken to, stopped with all
 * its children. Knows nothing of what the lines mean.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { bound, LIFELINE, type Lifeline } from './lifeline.ts';
import { dieWithHost } from './survivors.ts';

const STDERR_KEPT = 4096;
/** A longer line is handed on unfinished: it must not fill the host's memory. */
const LINE_MAX = 1 << 26;

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Takes what the child writes to descriptor 3, which is closed if absent. */
  readonly onExtra?: (stream: Readable) => void;
  /** What ends if this process is killed outright; `process` if absent. */
  readonly lifeline?: Lifeline;
}

export class LineChild {
  /** Resolves when the process is gone and everything it wrote has been handed on. */
  readonly exited: Promise<ChildExit>;
  onLine: (line: string) => void = () => {};
  readonly #process: ChildProcess;
  #stderr = '';
  #killed = false;

  constructor(spec: ChildSpec) {
    const { command, args, pipe } = bound(spec, spec.lifeline ?? 'process');
    const extra = spec.onExtra ? 'pipe' : 'ignore';
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', extra, ...(pipe ? (['pipe'] as const) : [])];
    this.#process = spawn(command, args, {
      env: spec.env,
      cwd: spec.cwd,
      // Without one, descriptor 3 is the first that the program opens.
      stdio: pipe || spec.onExtra ? stdio : 'pipe',
      // Its own process group, so that `kill` reaches what the program started.
      detached: process.platform !== 'win32',
    });
    const gone = dieWithHost(() => this.#killGroup());
    const lines = this.#process.stdout!;
    const lifeline = pipe ? (this.#process.stdio[LIFELINE] as Socket) : null;
    spec.onExtra?.(this.#process.stdio[3] as Readable);
    const drained = splitLines(lines, (line) => this.onLine(line));
    this.#process.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
    });
    // A write to a process that is gone is told by `exited`.
    (this.#process.stdin as Writable).on('error', () => {});
    this.exited = new Promise((resolve) => {
      this.#process.on('error', (error) => {
        this.#stderr += error.message;
        gone();
        resolve({ code: null, signal: null });
      });
      this.#process.on('exit', (code, signal) => {
        // A grandchild can hold the pipe open for ever: what is there is read, no more is waited for.
        this.#killGroup();
        lifeline?.destroy();
        gone();
        const late = setTimeout(() => lines.destroy(), 1000);
        void drained.then(() => {
          clearTimeout(late);
          resolve({ code, signal });
        });
      });
    });
  }

  /** The last of what the process wrote to its standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  /** `kill` was called: whatever ended the process, we wanted it. */
  get killed(): boolean {
    return this.#killed;
  }

  send(text: string): void {
    this.#process.stdin!.write(text);
  }

  kill(): void {
    this.#killed = true;
    // Whoever waits for `exited` must live to see it.
    this.ref();
    this.#killGroup();
  }

  /** The host can end although this child is idle. */
  unref(): void {
    this.#setRef('unref');
  }

  ref(): void {
    this.#setRef('ref');
  }

  #setRef(how: 'ref' | 'unref'): void {
    this.#process[how]();
    for (const stream of this.#process.stdio) {
      // One that is closed would wait for a connection for ever.
      if (stream && !stream.destroyed) (stream as Socket)[how]();
    }
  }

  #killGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // Gone already.
    }
  }
}

// --- internal ---

function splitLines(stream: Readable, take: (line: string) => void): Promise<void> {
  let parts: string[] = [];
  let open = 0;
  stream.setEncoding('utf8').on('data', (text: string) => {
    let from = 0;
    for (;;) {
      const at = text.indexOf('\n', from);
      if (at < 0) break;
      parts.push(text.slice(from, at));
      take(parts.join(''));
      parts = [];
      open = 0;
      from = at + 1;
    }
    if (from < text.length) parts.push(text.slice(from));
    open += text.length - from;
    if (open > LINE_MAX) {
      take(parts.join(''));
      parts = [];
      open = 0;
    }
  });
  return new Promise((resolve) => stream.on('close', resolve).on('error', () => resolve()));
}
