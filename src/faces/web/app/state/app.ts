/** @file The page's state and all that can be done to it. Views read the state and call these; they do nothing else. */
import { NpdbError } from '../../../../common/errors.ts';
import type { EngineName } from '../../../../debugger/types.ts';
import { readAddress } from '../../session/address.ts';
import { EXAMPLES, type Example } from '../../session/examples.ts';
import type {
  Answer,
  CallNode,
  Motion,
  Point,
  Proposal,
  RunView,
  Spec,
  Sweep,
  View,
} from '../../session/types.ts';
import type { Failure, Loading } from '../worker/protocol.ts';
import type { AskOptions, Client } from './client.ts';
import { createStore } from './store.ts';

export type Theme = 'auto' | 'light' | 'dark';
export type Panel = 'editor' | 'variables' | 'ask' | 'timeline';

export interface Watch {
  readonly expression: string;
  /** Null: being asked. */
  readonly answer: Answer | null;
}

export interface AppState {
  /** `edit`: the text can be changed and nothing is debugged. */
  readonly mode: 'edit' | 'debug';
  readonly text: string;
  readonly call: string;
  readonly engine: EngineName;
  readonly resync: boolean;
  readonly points: readonly Point[];
  readonly view: View | null;
  readonly run: RunView | null;
  readonly sweep: Sweep | null;
  readonly calls: readonly CallNode[] | null;
  /** Frames up from the current one. */
  readonly up: number;
  /** What is being waited for, for the status line. */
  readonly busy: string | null;
  readonly failure: Failure | null;
  readonly loading: Readonly<Record<string, Loading>>;
  readonly watches: readonly Watch[];
  readonly proposals: { readonly value: string; readonly list: readonly Proposal[] } | null;
  readonly theme: Theme;
  readonly help: boolean;
  /** Phone: the panel that is seen. */
  readonly panel: Panel;
  readonly offline: 'no' | 'keeping' | 'ready';
  /** Counts sessions, so that history entries know theirs. */
  readonly session: number;
}

const first = EXAMPLES[0]!;

export const store = createStore<AppState>({
  mode: 'edit',
  text: first.text,
  call: first.call,
  engine: 'compared',
  resync: false,
  points: [],
  view: null,
  run: null,
  sweep: null,
  calls: null,
  up: 0,
  busy: null,
  failure: null,
  loading: {},
  watches: [],
  proposals: null,
  theme: 'auto',
  help: false,
  panel: 'variables',
  offline: 'no',
  session: 0,
});

let client: Client;
let controller: AbortController | null = null;

export function connect(to: Client): void {
  client = to;
  client.onLoading = (loading) => store.set({ loading: { ...store.value.loading, [loading.what]: loading } });
}

// --- opening

export async function openAddress(hash: string): Promise<void> {
  try {
    const address = await readAddress(hash, EXAMPLES);
    if (address === null) return start();
    const { spec, points, path } = address;
    store.set({
      text: spec.text,
      call: spec.call ?? '',
      engine: spec.engine,
      resync: spec.resync,
      points,
    });
    await start(path);
  } catch (error) {
    fail(error);
  }
}

export function choose(example: Example): Promise<void> {
  store.set({ text: example.text, call: example.call, points: [], watches: [], proposals: null });
  return start();
}

/** Opens a session on what the page holds; `path` is the walk to begin with. */
export async function start(path = ''): Promise<void> {
  stop();
  const { text, call, engine, resync, points, session } = store.value;
  const spec: Spec = { text, engine, resync, ...(call.trim() === '' ? {} : { call: call.trim() }) };
  store.set({
    run: null,
    sweep: null,
    calls: null,
    view: null,
    proposals: null,
    up: 0,
    session: session + 1,
  });
  const view = await doing(path === '' ? 'Starting' : 'Walking there', (options) =>
    client.ask('open', { spec, path, points }, options),
  );
  if (view) {
    store.set({ mode: 'debug' });
    show(view);
  }
}

/** The text may be changed again; the session ends with the next start. */
export function edit(): void {
  stop();
  store.set({ mode: 'edit', view: null, run: null, sweep: null, calls: null, failure: null });
}

export function setEngine(engine: EngineName): void {
  if (engine === store.value.engine) return;
  store.set({ engine });
  if (store.value.mode === 'debug') void start();
}

export function setResync(resync: boolean): void {
  store.set({ resync });
  if (store.value.mode === 'debug') void start(store.value.view?.path ?? '');
}

// --- moving

const WORDS: Readonly<Record<Motion, string>> = {
  into: 'Stepping into',
  over: 'Stepping over',
  out: 'Stepping out',
  continue: 'Going on',
  cursor: 'Going to the line',
  backInto: 'Stepping back into',
  backOver: 'Stepping back over',
  backOut: 'Stepping back out',
  backContinue: 'Going back',
  backCursor: 'Going back to the line',
};

export async function move(motion: Motion, line?: number): Promise<void> {
  if (!ready()) return;
  const view = await doing(WORDS[motion], (options) =>
    client.ask('move', { motion, ...(line === undefined ? {} : { line }) }, options),
  );
  if (view) show(view);
}

export async function goto(id: number): Promise<void> {
  if (!ready() || id === store.value.view?.position.id) return;
  const view = await doing('Going there', (options) => client.ask('goto', { id }, options));
  if (view) show(view);
}

/** While a finger is on the timeline only its last place counts. */
let wanted: { at: number; predict: boolean } | null = null;
let travelling = false;

export async function travel(at: number, predict: boolean): Promise<void> {
  if (store.value.mode !== 'debug') return;
  wanted = { at, predict };
  if (travelling) return;
  travelling = true;
  try {
    while (wanted) {
      const next: { at: number; predict: boolean } = wanted;
      wanted = null;
      const view = await doing('Travelling', (options) => client.ask('travel', next, options));
      if (view && !wanted) show(view);
      else if (view) store.set({ view });
    }
  } finally {
    travelling = false;
  }
}

export async function setVariable(name: string, value: string): Promise<void> {
  const { up } = store.value;
  const view = await doing('Setting', (options) => client.ask('set', { name, value, up }, options));
  if (view) show(view, up);
}

// --- asking

export async function watch(expression: string): Promise<void> {
  const others = store.value.watches.filter((one) => one.expression !== expression);
  store.set({ watches: [...others, { expression, answer: null }] });
  await answerWatches();
}

export function unwatch(expression: string): void {
  store.set({ watches: store.value.watches.filter((one) => one.expression !== expression) });
}

async function answerWatches(): Promise<void> {
  const { up, view } = store.value;
  for (const { expression } of store.value.watches) {
    const answer = await client
      .ask('evaluate', { expression, up })
      .catch((error: unknown): Answer => ({ predicted: messageOf(error) }));
    if (store.value.view !== view) return;
    const watches = store.value.watches.map((one) =>
      one.expression === expression ? { expression, answer } : one,
    );
    store.set({ watches });
  }
}

export async function inverse(value: string, check: boolean): Promise<void> {
  if (!ready()) return;
  const list = await doing('Looking for inputs', (options) =>
    client.ask('inverse', { value, check }, options),
  );
  if (list) store.set({ proposals: { value, list } });
}

export async function showCalls(): Promise<void> {
  if (store.value.mode !== 'debug' || !store.value.view) return;
  store.set({ calls: await client.ask('calls', {}).catch(() => null) });
}

export async function runAhead(): Promise<void> {
  if (!ready()) return;
  const view = await doing('Predicting the run', (options, note) =>
    client.ask('runAhead', {}, { ...options, onProgress: (done) => note(`${done} states`) }),
  );
  if (view) show(view);
  await showCalls();
}

export async function sweepRun(): Promise<void> {
  if (!ready()) return;
  await doing('Asking the model at every state', (options) =>
    client.ask('sweep', {}, { ...options, onSweep: (sweep) => store.set({ sweep }) }),
  );
}

// --- breakpoints

export function togglePoint(line: number): void {
  const { points } = store.value;
  const without = points.filter((point) => point.line !== line);
  const made = { line, enabled: true, condition: null };
  setPoints(without.length < points.length ? without : [...points, made].sort((a, b) => a.line - b.line));
}

export function setPoints(points: readonly Point[]): void {
  store.set({ points });
  if (store.value.mode === 'debug') void client.ask('points', { points }).catch(fail);
}

// --- the rest

export function stop(): void {
  controller?.abort();
}

export function selectFrame(up: number): void {
  store.set({ up });
  void answerWatches();
}

export function dismiss(): void {
  store.set({ failure: null });
}

const ready = (): boolean =>
  store.value.mode === 'debug' && store.value.busy === null && store.value.view !== null;

function show(view: View, up = 0): void {
  const fresh = view.run !== undefined && view.run.number !== store.value.run?.number;
  const deepest = Math.max(0, view.position.frames.length - 1);
  store.set({
    view,
    up: Math.min(up, deepest),
    ...(view.run ? { run: view.run } : {}),
    ...(fresh ? { sweep: null, calls: null } : {}),
    ...(view.hasRun ? {} : { run: null, calls: null }),
  });
  if (store.value.calls === null) void showCalls();
  void answerWatches();
}

/** Runs one request; says that it is being done, and what went wrong. Undefined if it failed or was stopped. */
async function doing<T>(
  what: string,
  run: (options: AskOptions, note: (text: string) => void) => Promise<T>,
): Promise<T | undefined> {
  const mine = new AbortController();
  controller = mine;
  store.set({ busy: what, failure: null });
  try {
    return await run({ signal: mine.signal }, (text) => store.set({ busy: `${what}: ${text}` }));
  } catch (error) {
    if (!(error instanceof NpdbError && error.code === 'E_STOPPED')) fail(error);
    return undefined;
  } finally {
    if (controller === mine) {
      controller = null;
      store.set({ busy: null });
    }
  }
}

function fail(error: unknown): void {
  const failure =
    error instanceof NpdbError
      ? { code: error.code, message: error.message, hint: error.hint }
      : { code: 'E_INTERNAL', message: messageOf(error), hint: 'This is a fault of npdb; please report it.' };
  store.set({ failure });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
