/** @file Tables for people, in Markdown: what the model card and the terminal show. */
import { reliability } from './calibration.ts';
import { byConstruct, byLength, bySkipped, type Group, JUMPS } from './groups.ts';
import { shareText } from './interval.ts';
import { type ActionScore, scoreOf } from './nextState.ts';
import type { Records } from './recordFile.ts';

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

/** The tables behind a report's plots. */
export function reportMarkdown({ asked, records }: Records): string {
  const actions = [...new Set(records.map((r) => r.action))];
  const of = (action: string) => records.filter((r) => r.action === action);
  const scores = Object.fromEntries(actions.map((action) => [action, scoreOf(of(action))]));
  const groups = (title: string, found: readonly Group[]) => [
    `## ${title}`,
    '',
    line(['', 'n', 'exact match', 'baseline']),
    line(['---', '---', '---', '---']),
    ...found.map(({ name, right, baseline }) =>
      line([name, String(right.n), shareText(right), short(baseline)]),
    ),
    '',
  ];
  const confidence = actions.map((action) => {
    const { n, ece, auroc } = reliability(of(action));
    return line([action, String(n), ece.toFixed(3), auroc === null ? '-' : auroc.toFixed(3)]);
  });
  return [
    `${asked.model}; weights ${asked.weights}, jumps ${asked.strategy}, seed ${asked.seed}`,
    '',
    stateTable(scores),
    '',
    ...groups('By share of skipped states (jumps)', bySkipped(records.filter((r) => JUMPS.has(r.action)))),
    ...groups('By length of the run, in events', byLength(records)),
    ...groups('By statement', byConstruct(records)),
    '## Confidence',
    '',
    line(['action', 'n', 'calibration error', 'AUROC']),
    line(['---', '---', '---', '---']),
    ...confidence,
    '',
  ].join('\n');
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
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function short(s: ActionScore['event']): string {
  return s.n === 0 ? '-' : `${(100 * s.share).toFixed(1)} %`;
}
