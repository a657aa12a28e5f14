/** @file The names of a frame, predicted beside real; a value can be changed where it stands. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { FrameView, Variable } from '../../session/types.ts';
import { setVariable, store } from '../state/app.ts';
import { useSelect } from '../state/store.ts';
import { classes } from './classes.ts';

export function Variables() {
  const view = useSelect(store, (s) => s.view);
  const up = useSelect(store, (s) => s.up);
  const frame = view?.position.frames[up];
  const depth = (view?.position.frames.length ?? 0) - up;
  const both = Boolean(view?.hasRun && view.spec.engine === 'compared' && !frame?.only);
  return (
    <section class="panel variables" aria-labelledby="variables-title">
      <h2 id="variables-title">
        Variables
        {frame ? <span class="panel-note">{frame.fn}</span> : null}
        {frame?.only ? (
          <span class={`panel-note ${frame.only}`}>
            only {frame.only === 'real' ? 'in the real run' : 'predicted'}
          </span>
        ) : frame?.differs ? (
          <span class="panel-note bad">the worlds stand elsewhere</span>
        ) : null}
      </h2>
      <div class="panel-body">
        {/* Another frame has rows of its own: one that is only moved keeps its old looks in Chromium (`moveBefore`). */}
        {frame ? (
          <Names key={`${depth} ${frame.fn}`} frame={frame} both={both} />
        ) : (
          <Nothing ended={view !== null} />
        )}
      </div>
    </section>
  );
}

function Nothing({ ended }: { ended: boolean }) {
  return <p class="empty">{ended ? 'No frame here.' : 'Start to see the program’s state.'}</p>;
}

function Names({ frame, both }: { frame: FrameView; both: boolean }) {
  const locals = frame.variables.filter((v) => v.scope === 'local');
  const globals = frame.variables.filter((v) => v.scope === 'global');
  return (
    <>
      {frame.known ? null : <p class="empty">The locals are not known here.</p>}
      <table>
        <colgroup>
          <col class="col-name" />
          <col />
          {both ? <col /> : null}
        </colgroup>
        <thead class={both ? '' : 'hidden'}>
          <tr>
            <th scope="col">name</th>
            <th scope="col" class="predicted">
              predicted
            </th>
            {both ? (
              <th scope="col" class="real">
                real
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {locals.map((variable) => (
            <Row key={variable.name} variable={variable} both={both} />
          ))}
        </tbody>
        {globals.length > 0 ? (
          <tbody class="globals" aria-label="Globals">
            {globals.map((variable) => (
              <Row key={variable.name} variable={variable} both={both} />
            ))}
          </tbody>
        ) : null}
      </table>
      {locals.length + globals.length === 0 && frame.known ? <p class="empty">No names yet.</p> : null}
      {frame.returned.length > 0 ? (
        <p class="returned">
          returned on this line: <code>{frame.returned.join(', ')}</code>
        </p>
      ) : null}
      {frame.pending ? (
        <p class="returned bad">
          pending: <code>{frame.pending}</code>
        </p>
      ) : null}
    </>
  );
}

function Row({ variable, both }: { variable: Variable; both: boolean }) {
  const [editing, setEditing] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  const finish = (stay: boolean): void => {
    setEditing(false);
    if (!stay) return;
    // Back to where one was, for those who came by keyboard.
    requestAnimationFrame(() => row.current?.querySelector('button')?.focus());
  };
  const { name, predicted, real, differs, changed, scope } = variable;
  const one = predicted ?? real ?? '';
  const cell = (text: string | undefined, kind: string, span: number) => (
    <td colSpan={span} class={classes(kind)}>
      {editing ? (
        <ValueInput name={name} text={text ?? ''} done={finish} />
      ) : (
        <button
          type="button"
          class="value"
          title={`${text ?? 'not there'}\nPress to change`}
          aria-label={`${name}, ${kind === '' ? '' : `${kind} `}${text ?? 'not there'}: change`}
          onClick={() => setEditing(true)}
        >
          <Value text={text} />
        </button>
      )}
    </td>
  );
  return (
    <tr ref={row} class={classes(differs && 'differs', changed && 'changed')} data-name={name}>
      <th scope="row">
        {name}
        {scope === 'global' ? <span class="scope">global</span> : null}
        {differs ? <span class="hidden">, differs</span> : null}
      </th>
      {editing || !both || !differs ? cell(one, '', both ? 2 : 1) : null}
      {!editing && both && differs ? cell(predicted, 'predicted', 1) : null}
      {!editing && both && differs ? cell(real, 'real', 1) : null}
    </tr>
  );
}

export function Value({ text }: { text: string | undefined }) {
  if (text === undefined) return <span class="absent">not there</span>;
  const kind =
    /^['"bfr]+['"]/.test(text) || /^['"]/.test(text) ? 'string' : /^-?[\d.]/.test(text) ? 'number' : '';
  return <code class={kind}>{text}</code>;
}

function ValueInput({ name, text, done }: { name: string; text: string; done: (stay: boolean) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  const commit = (): void => {
    const value = input.current!.value.trim();
    done(true);
    if (value !== '' && value !== text) void setVariable(name, value);
  };
  return (
    <input
      ref={input}
      class="value-input"
      defaultValue={text}
      aria-label={`New value of ${name}`}
      spellcheck={false}
      autocapitalize="off"
      onBlur={() => done(false)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
        if (event.key === 'Escape') done(true);
        event.stopPropagation();
      }}
    />
  );
}
