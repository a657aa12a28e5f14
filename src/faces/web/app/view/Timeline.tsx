/** @file The whole run as a skyline of call depth, and the walk that was made through it. Both can be scrubbed. */
import type { RunView, Step, Sweep } from '../../session/types.ts';
import { goto, runAhead, store, sweepRun, travel } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import { type Colours, middle, Track } from './Track.tsx';

const KINDS = ['call', 'line', 'return', 'exception', 'yield', 'resume'];

export function Timeline() {
  const view = useSelect(store, (s) => s.view);
  const run = useSelect(store, (s) => s.run);
  const sweep = useSelect(store, (s) => s.sweep);
  const engine = useSelect(store, (s) => s.engine);
  const busy = useSelect(store, (s) => s.busy);
  const theme = useSelect(store, (s) => s.theme);
  if (!view) return <p class="empty">The run appears here, state by state.</p>;
  const walking = view.walk.length > 0 && engine !== 'recorded';
  return (
    <div class="timeline">
      {run ? <Run run={run} at={view.at} sweep={sweep} engine={engine} theme={theme} /> : null}
      {walking ? <Walk walk={view.walk} current={view.position.id} theme={theme} /> : null}
      <div class="timeline-actions">
        {engine === 'compared' && run ? (
          <button type="button" class="button" disabled={busy !== null} onClick={() => void sweepRun()}>
            Check the model on every state
          </button>
        ) : null}
        {engine !== 'recorded' && !run ? (
          <button type="button" class="button" disabled={busy !== null} onClick={() => void runAhead()}>
            Predict to the end
          </button>
        ) : null}
        {sweep ? <Score sweep={sweep} /> : null}
      </div>
    </div>
  );
}

function Score({ sweep }: { sweep: Sweep }) {
  let right = 0;
  let asked = 0;
  for (const verdict of sweep.verdict) {
    if (verdict === 1) right += 1;
    if (verdict > 0) asked += 1;
  }
  return (
    <span class="score" role="status">
      {right} of {asked} next states right
    </span>
  );
}

function Run({
  run,
  at,
  sweep,
  engine,
  theme,
}: {
  run: RunView;
  at: number | null;
  sweep: Sweep | null;
  engine: string;
  theme: string;
}) {
  const count = run.depth.length;
  const index = at === null ? null : at - run.first;
  const line = index === null ? 0 : run.line[index];
  const kind = index === null ? 'the end' : KINDS[run.kind[index]!];
  const text = index === null ? 'the end' : `state ${index + 1} of ${count}: ${kind}, line ${line}`;
  return (
    <>
      <p class="track-title">
        <span class="real">real run</span>
        <span class="dim">
          {index === null ? `${count} states, at the end` : `state ${index + 1} of ${count}`}
          {run.cut ? `, cut by the limit on ${run.cut}` : ''}
        </span>
      </p>
      <Track
        name="run"
        label="The real run"
        count={count}
        index={index}
        valueText={text}
        version={[run, sweep, theme]}
        draw={(context, width, height, colours) => drawRun(context, width, height, colours, run, sweep)}
        onSeek={(to, settled) => {
          if (run.first + to !== store.value.view?.at || settled)
            void travel(run.first + to, settled && engine === 'compared');
        }}
      />
    </>
  );
}

function drawRun(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  colours: Colours,
  run: RunView,
  sweep: Sweep | null,
): void {
  const count = run.depth.length;
  const deepest = run.depth.reduce((a, b) => Math.max(a, b), 0) + 1;
  const strip = sweep ? 10 : 0;
  const room = height - 10 - strip;
  const step = width / count;
  const unit = Math.max(3, Math.min(22, room / deepest));
  for (let i = 0; i < count; i += 1) {
    const x = i * step;
    const tall = Math.min(room, unit * (run.depth[i]! + 1));
    const kind = run.kind[i];
    context.globalAlpha = kind === 1 ? 0.38 : 0.7;
    context.fillStyle = kind === 3 ? colours.bad : colours.real;
    // A hair between states, while there is room for it.
    context.fillRect(x, height - strip - tall, Math.max(0.6, step - (step > 5 ? 1 : 0)), tall);
  }
  context.globalAlpha = 1;
  if (!sweep) return;
  for (let i = 0; i < count; i += 1) {
    const verdict = sweep.verdict[i];
    if (!verdict) continue;
    context.globalAlpha = verdict === 1 ? 0.45 + 0.55 * sweep.confidence[i]! : 1;
    context.fillStyle = verdict === 1 ? colours.good : verdict === 2 ? colours.bad : colours.low;
    // Not by colour alone: what is wrong is taller.
    const tall = verdict === 1 ? 3 : 8;
    context.fillRect(i * step, height - tall, Math.max(0.8, step - (step > 5 ? 1 : 0)), tall);
  }
  context.globalAlpha = 1;
}

function Walk({ walk, current, theme }: { walk: readonly Step[]; current: number; theme: string }) {
  const index = walk.findIndex(({ id }) => id === current);
  const step = walk[index];
  const sure =
    step?.confidence === undefined ? '' : `, predicted with ${Math.round(step.confidence * 100)} %`;
  return (
    <>
      <p class="track-title">
        <span class="predicted">the walk</span>
        <span class="dim">
          {walk.length === 1 ? 'one state' : `stop ${index + 1} of ${walk.length}`}
          {step?.differs ? ', differs from the real run' : ''}
        </span>
      </p>
      <Track
        name="walk"
        label="The walk so far"
        count={walk.length}
        index={index < 0 ? null : index}
        valueText={
          step ? `stop ${index + 1} of ${walk.length}: ${step.kind} line ${step.line ?? ''}${sure}` : ''
        }
        version={[walk, theme]}
        draw={(context, width, height, colours) => drawWalk(context, width, height, colours, walk)}
        onSeek={(to) => void goto(walk[to]!.id)}
      />
    </>
  );
}

/** Height is the model's confidence; a state that differs from the real one is marked. */
function drawWalk(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  colours: Colours,
  walk: readonly Step[],
): void {
  const count = walk.length;
  const step = width / count;
  const room = height - 10;
  for (const [i, { confidence, differs, origin }] of walk.entries()) {
    const told = origin === 'predicted';
    const tall = told ? Math.max(3, room * (confidence ?? 0)) : room;
    const wide = Math.min(26, Math.max(0.8, step - (step > 4 ? 1 : 0)));
    const x = count < 40 ? middle(i, count, width) - wide / 2 : i * step;
    context.globalAlpha = told ? 0.75 : 0.3;
    context.fillStyle = differs ? colours.bad : told ? colours.predicted : colours.faint;
    context.fillRect(x, height - tall, wide, tall);
  }
  context.globalAlpha = 1;
}
