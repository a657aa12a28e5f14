/** @file Questions: what an expression gives here, which inputs give a value; and the breakpoints. */
import { useState } from 'preact/hooks';
import { inverse, setPoints, start, store, togglePoint, unwatch, watch } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import { Icon } from './icons.tsx';
import { Value } from './Variables.tsx';
import { Confidence } from './Where.tsx';

const TABS = [
  ['watch', 'Watch'],
  ['inverse', 'Inputs for…'],
  ['points', 'Breakpoints'],
] as const;
type Tab = (typeof TABS)[number][0];

export function Ask() {
  const [tab, setTab] = useState<Tab>('watch');
  return (
    <section class="panel ask" aria-label="Questions">
      <div class="tabs" role="tablist" aria-label="Questions">
        {TABS.map(([name, title]) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-selected={tab === name}
            aria-controls="ask-body"
            onClick={() => setTab(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel-body" id="ask-body" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === 'watch' ? <Watches /> : tab === 'inverse' ? <Inverse /> : <Points />}
      </div>
    </section>
  );
}

function Watches() {
  const watches = useSelect(store, (s) => s.watches);
  const [text, setText] = useState('');
  return (
    <>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') void watch(text.trim());
          setText('');
        }}
      >
        <input
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          placeholder="an expression: len(prices) * 2"
          aria-label="Expression to watch"
          spellcheck={false}
          autocapitalize="off"
        />
        <button type="submit" class="button">
          Watch
        </button>
      </form>
      <ul class="watches">
        {watches.map(({ expression, answer }) => {
          const differs =
            answer?.predicted !== undefined && answer.real !== undefined && answer.predicted !== answer.real;
          return (
            <li key={expression} class={differs ? 'differs' : ''}>
              <code>{expression}</code>
              <span class="answer">
                {answer === null ? '…' : null}
                {differs ? (
                  <>
                    <span class="predicted">
                      <Value text={answer.predicted} />
                    </span>
                    {' ≠ '}
                    <span class="real">
                      <Value text={answer.real} />
                    </span>
                  </>
                ) : answer ? (
                  <Value text={answer.predicted ?? answer.real} />
                ) : null}
              </span>
              <button
                type="button"
                class="iconbutton small"
                aria-label={`Remove ${expression}`}
                onClick={() => unwatch(expression)}
              >
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Inverse() {
  const proposals = useSelect(store, (s) => s.proposals);
  const engine = useSelect(store, (s) => s.engine);
  const view = useSelect(store, (s) => s.view);
  const fn = view?.position.frames[0]?.fn;
  const [text, setText] = useState('');
  const [check, setCheck] = useState(true);
  if (engine === 'recorded')
    return <p class="empty">A real run proposes nothing: choose Predicted or Both.</p>;
  return (
    <>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') void inverse(text.trim(), check || engine === 'compared');
        }}
      >
        <label class="grow">
          <span class="hidden">Value that {fn ?? 'the function'} should return</span>
          <input
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            placeholder={`a value for ${fn ?? 'the function'} to return`}
            spellcheck={false}
            autocapitalize="off"
          />
        </label>
        <button type="submit" class="button">
          Which inputs?
        </button>
      </form>
      {engine === 'neural' ? (
        <label class="check">
          <input
            type="checkbox"
            checked={check}
            onChange={(event) => setCheck(event.currentTarget.checked)}
          />
          check each by running it in the sandbox
        </label>
      ) : null}
      {proposals ? <Proposals /> : <p class="empty">The model proposes calls that would return it.</p>}
    </>
  );
}

function Proposals() {
  const proposals = useSelect(store, (s) => s.proposals)!;
  if (proposals.list.length === 0) return <p class="empty">No proposal for {proposals.value}.</p>;
  const use = (call: string): void => {
    store.set({ call });
    void start();
  };
  return (
    <ol class="proposals" aria-label={`Calls for ${proposals.value}`}>
      {proposals.list.map(({ call, confidence, checked, gives }) => (
        <li key={call}>
          <button type="button" class="proposal" title="Debug this call" onClick={() => use(call)}>
            <code>{call}</code>
            <span class="proposal-about">
              <Confidence value={confidence} />
              {checked === undefined ? <span class="dim">not run</span> : null}
              {checked ? <span class="pill good">gives {proposals.value}</span> : null}
              {checked === false ? <span class="pill bad">gives {gives}</span> : null}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Points() {
  const points = useSelect(store, (s) => s.points);
  const text = useSelect(store, (s) => s.text);
  const lines = text.split('\n');
  const change = (line: number, part: { enabled?: boolean; condition?: string | null }): void =>
    setPoints(points.map((point) => (point.line === line ? { ...point, ...part } : point)));
  if (points.length === 0) return <p class="empty">Press beside a line’s number, or b on a line.</p>;
  return (
    <ul class="points">
      {points.map(({ line, enabled, condition }) => (
        <li key={line}>
          <label class="check">
            <input
              type="checkbox"
              checked={enabled}
              onChange={(event) => change(line, { enabled: event.currentTarget.checked })}
            />
            <span class="point-line">{line}</span>
            <code class="point-text">{lines[line - 1]?.trim()}</code>
          </label>
          <input
            value={condition ?? ''}
            placeholder="only where…"
            aria-label={`Condition of the breakpoint on line ${line}`}
            spellcheck={false}
            autocapitalize="off"
            onChange={(event) => change(line, { condition: event.currentTarget.value.trim() || null })}
          />
          <button
            type="button"
            class="iconbutton small"
            aria-label={`Remove the breakpoint on line ${line}`}
            onClick={() => togglePoint(line)}
          >
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}
