/** @file Tables for people, in Markdown: what the model card and the terminal show. */
import { shareText } from './interval.ts';
import type { ActionScore } from './nextState.ts';

export interface About {
  readonly model: string;
  readonly programs: number;
  readonly strategy: string;
  readonly seed: number;
}

export function nextStateTable(about: About, scores: Readonly<Record<string, ActionScore>>): string {
  const intro = `${about.model}; ${about.programs} programs, jumps ${about.strategy}, seed ${about.seed}`;
  return [intro, '', stateTable(scores), ''].join('\n');
}

/** A row an action: shares with 95 % intervals beside the baseline's. */
export function stateTable(scores: Readonly<Record<string, ActionScore>>): string {
  const head = [
    'action',
    'n',
    'exact match',
    'baseline',
    'changed states',
    'baseline',
    'event',
    'line',
    'locals',
    'value',
    'states only',
    'ends only',
    'malformed',
    'cut',
    'refused',
    'forbidden',
  ];
  const rows = Object.entries(scores).map(([action, s]) => [
    action,
    String(s.n),
    shareText(s.interval),
    short(s.baseline),
    `${shareText(s.changed)} of ${s.changed.n}`,
    short(s.baseline_changed),
    short(s.event),
    short(s.line),
    short(s.locals),
    short(s.value),
    short(s.states),
    short(s.exits),
    String(s.malformed),
    String(s.cut),
    String(s.refused),
    String(s.forbidden),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function short(s: ActionScore['event']): string {
  return s.n === 0 ? '-' : `${(100 * s.share).toFixed(1)} %`;
}
