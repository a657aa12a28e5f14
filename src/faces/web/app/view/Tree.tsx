/** @file The calls of the whole run, nested; each leads to where it began. */
import { useState } from 'preact/hooks';
import type { CallNode } from '../../session/types.ts';
import { goto, store, travel } from '../state/app.ts';
import { useSelect } from '../state/store.ts';

/** Children shown at once; more on request. */
const MANY = 60;
/** Levels open at first. */
const OPEN = 4;

export function Tree() {
  const calls = useSelect(store, (s) => s.calls);
  const view = useSelect(store, (s) => s.view);
  if (!view || !calls) return <p class="empty">The calls appear here.</p>;
  if (calls.length === 0) return <p class="empty">No calls yet.</p>;
  const here = view.hasRun ? view.at : view.position.id;
  return <Calls nodes={calls} here={here} real={view.hasRun} depth={0} />;
}

interface CallsProps {
  readonly nodes: readonly CallNode[];
  readonly here: number | null;
  readonly real: boolean;
  readonly depth: number;
}

function Calls({ nodes, here, real, depth }: CallsProps) {
  const [most, setMost] = useState(MANY);
  return (
    <ul class="calls" aria-label={depth === 0 ? 'Calls' : undefined}>
      {nodes.slice(0, most).map((node) => (
        <Call key={node.at} node={node} here={here} real={real} depth={depth} />
      ))}
      {nodes.length > most ? (
        <li>
          <button type="button" class="button" onClick={() => setMost(most * 4)}>
            {nodes.length - most} more calls
          </button>
        </li>
      ) : null}
    </ul>
  );
}

function Call({ node, here, real, depth }: { node: CallNode } & Omit<CallsProps, 'nodes'>) {
  const inside = here !== null && here >= node.at && here <= node.end;
  const [open, setOpen] = useState(depth < OPEN || inside);
  const go = (): void => void (real ? travel(node.at, false) : goto(node.at));
  const { fn, args, result, failed, children } = node;
  return (
    <li>
      <div class={`call-row ${inside ? 'inside' : ''}`}>
        {children.length > 0 ? (
          <button
            type="button"
            class="twist"
            aria-expanded={open}
            aria-label={`Calls made by ${fn}`}
            onClick={() => setOpen(!open)}
          >
            {open ? '▾' : '▸'}
          </button>
        ) : (
          <span class="twist" aria-hidden="true" />
        )}
        <button type="button" class="call-node" onClick={go} title={`Line ${node.line}`}>
          <span class="call-name">{fn}</span>
          <span class="call-args">({args})</span>
          {result === undefined ? null : (
            <span class={`call-result ${failed ? 'bad' : ''}`}>
              {failed ? ' raises ' : ' → '}
              {result}
            </span>
          )}
        </button>
      </div>
      {open && children.length > 0 ? (
        <Calls nodes={children} here={here} real={real} depth={depth + 1} />
      ) : null}
    </li>
  );
}
