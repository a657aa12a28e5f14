/** @file The session's worker: one session at a time, requests in order, each of which can be stopped. */
import { NpdbError } from '../../../../common/errors.ts';
import { Session } from '../../session/session.ts';
import { webEngines } from './engines.ts';
import type { Failure, FromWorker, ToWorker } from './protocol.ts';

interface WorkerScope {
  postMessage(message: FromWorker): void;
  addEventListener(type: 'message', take: (event: MessageEvent<ToWorker>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const engines = webEngines((loading) => scope.postMessage({ type: 'loading', loading }));
const running = new Map<number, AbortController>();
let session: Session | null = null;
let turn: Promise<void> = Promise.resolve();

scope.addEventListener('message', ({ data }) => {
  if (data.name === 'abort') {
    running.get(data.id)?.abort(new NpdbError('E_STOPPED', 'Stopped.', 'The position is as it was.'));
    return;
  }
  if (data.name === 'warm') {
    void warm(data.take.engine).catch(() => {});
    scope.postMessage({ type: 'done', id: data.id, give: null });
    return;
  }
  const controller = new AbortController();
  running.set(data.id, controller);
  turn = turn.then(async () => {
    try {
      controller.signal.throwIfAborted();
      scope.postMessage({ type: 'done', id: data.id, give: await answer(data, controller.signal) });
    } catch (error) {
      scope.postMessage({ type: 'failed', id: data.id, failure: failureOf(error) });
    } finally {
      running.delete(data.id);
    }
  });
});

async function answer(
  request: Exclude<ToWorker, { name: 'abort' | 'warm' }>,
  signal: AbortSignal,
): Promise<unknown> {
  if (request.name === 'open') {
    const { spec, path, points } = request.take;
    const next = await unless(signal, Session.open(spec, engines, path, signal));
    await session?.close();
    session = next;
    session.setPoints(points);
    return session.view();
  }
  const open = session;
  if (!open) throw new NpdbError('E_NO_SESSION', 'Nothing is being debugged yet.', 'Start it first.');
  switch (request.name) {
    case 'points':
      open.setPoints(request.take.points);
      return null;
    case 'move':
      return open.move(request.take.motion, request.take.line, signal);
    case 'goto':
      return open.goto(request.take.id);
    case 'travel':
      return open.travel(request.take.at, request.take.predict, signal);
    case 'set':
      return open.set(request.take.name, request.take.value, request.take.up);
    case 'evaluate':
      return open.evaluate(request.take.expression, request.take.up);
    case 'inverse':
      return open.inverse(request.take.value, request.take.check, signal);
    case 'calls':
      return open.calls();
    case 'runAhead':
      return open.runAhead((done) => scope.postMessage({ type: 'progress', id: request.id, done }), signal);
    case 'sweep':
      await open.sweep((sweep) => scope.postMessage({ type: 'sweep', id: request.id, sweep }), signal);
      return null;
  }
}

/** Loading the model and Python cannot be stopped, but need not be waited for. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

async function warm(engine: string): Promise<void> {
  await Promise.all([
    engine === 'recorded' ? null : engines.predictor(),
    engine === 'neural' ? null : engines.runtime(),
  ]);
}

function failureOf(error: unknown): Failure {
  if (error instanceof NpdbError) {
    const { code, message, hint } = error;
    return { code, message, hint };
  }
  console.error(error);
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'E_INTERNAL', message, hint: 'This is a fault of npdb; please report it.' };
}
