/** @file Where both worlds stand, how sure the model is, and whether they agree. */
import type { PositionView, Spot } from '../../session/types.ts';
import { store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';

export function Where() {
  const view = useSelect(store, (s) => s.view);
  const mode = useSelect(store, (s) => s.mode);
  const busy = useSelect(store, (s) => s.busy);
  if (!view) {
    const words = busy ? 'On the way to the first state…' : 'Change the program or the call, then start.';
    return (
      <section class="where" aria-label="Where it stands">
        <p class="dim">{mode === 'edit' || busy ? words : 'Not started.'}</p>
      </section>
    );
  }
  const { position } = view;
  const { predicted, real } = position;
  return (
    <section class="where" aria-label="Where it stands" data-position={position.id}>
      <div class="where-worlds">
        {predicted ? <World name="predicted" spot={predicted} position={position} /> : null}
        {real ? <World name="real" spot={real} position={position} /> : null}
        {predicted && !real && view.hasRun ? (
          <p class="world real unknown">real: not known, the recording was cut</p>
        ) : null}
      </div>
      <p class="where-note" role="status" aria-live="polite">
        <Verdict position={position} />
        {view.note ? <span class="note">{view.note}</span> : null}
      </p>
    </section>
  );
}

function World({ name, spot, position }: { name: 'predicted' | 'real'; spot: Spot; position: PositionView }) {
  const told = position.origin === 'predicted';
  return (
    <p class={`world ${name}`}>
      <span class="world-name">{name === 'predicted' && !told ? originWord(position) : name}</span>
      <span class="world-spot">{spotText(spot)}</span>
      {spot.value === undefined ? null : <code class="world-value">{spot.value}</code>}
      {name === 'predicted' && told && position.confidence !== undefined ? (
        <Confidence value={position.confidence} strategy={position.strategy} />
      ) : null}
    </p>
  );
}

/** A state the model did not make. */
const originWord = ({ origin }: PositionView): string =>
  ({ given: 'given', edited: 'edited', real: 'set to real', predicted: 'predicted' })[origin];

export function spotText(spot: Spot): string {
  if (spot.type === 'entry') return 'before the entry';
  if (spot.type === 'exit') {
    return { normal: 'the end', error: 'ended by', never: 'never ends' }[spot.kind] ?? spot.kind;
  }
  const words: Record<string, string> = {
    call: 'is called',
    line: 'line',
    return: 'returns',
    exception: 'raises',
    yield: 'yields',
    resume: 'resumes',
    line_call: 'line, its calls behind',
  };
  const where = spot.line === null ? '' : ` ${spot.line}`;
  if (spot.kind === 'line') return `line${where} · ${spot.fn}`;
  return `${spot.fn} ${words[spot.kind] ?? spot.kind}${where === '' ? '' : ` · line${where}`}`;
}

export const percent = (value: number): string => {
  const shown = value * 100;
  return shown > 0 && shown < 1 ? '<1 %' : `${Math.round(shown)} %`;
};

export function Confidence({ value, strategy }: { value: number; strategy?: string | undefined }) {
  const how = strategy === 'rollout' ? ', over several silent steps' : '';
  return (
    <span class="confidence" title={`The probability that the model gave this answer${how}`}>
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${Math.max(3, value * 100)}%` }} class={value < 0.5 ? 'low' : ''} />
      </span>
      {percent(value)}
    </span>
  );
}

function Verdict({ position }: { position: PositionView }) {
  const { predicted, real, differences, unanswered } = position;
  if (unanswered) return <span class="pill bad">no answer: {unanswered}</span>;
  if (!predicted || !real) return null;
  if (differences.length === 0) return <span class="pill good">both agree</span>;
  const names = differences.map((text) => text.slice(0, text.indexOf(':')));
  return (
    <span class="pill bad" title={differences.join('\n')}>
      they differ: {names.slice(0, 4).join(', ')}
      {names.length > 4 ? ` and ${names.length - 4} more` : ''}
    </span>
  );
}
