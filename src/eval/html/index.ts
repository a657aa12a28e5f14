/**
 * @file One self-contained page from one evaluation's judged states: figures, plots, reliability, examples of errors. Loads
 * nothing, runs nothing; readable in light and dark.
 */
import { reliability } from '../calibration.ts';
import { byConstruct, byLength, bySkipped, type Group, JUMPS } from '../groups.ts';
import type { Share } from '../interval.ts';
import { type ActionScore, scoreOf } from '../nextState.ts';
import type { StateRecord } from '../record.ts';
import type { Records } from '../recordFile.ts';
import { bars, reliabilityDiagram } from './charts.ts';
import { exampleHtml, examplesOf } from './examples.ts';
import { STYLE } from './style.ts';
import { percent, safe } from './text.ts';

export function reportHtml({ asked, records }: Records): string {
  const actions = [...new Set(records.map((r) => r.action))];
  const of = (action: string) => records.filter((r) => r.action === action);
  const jumps = actions.filter((action) => JUMPS.has(action));
  const title = `How well ${asked.model} predicts`;
  const each = (names: readonly string[], plot: (r: StateRecord[], action: string) => string) =>
    `<div class="plots">${names.map((name) => `<figure><figcaption><code>${name}</code></figcaption>${plot(of(name), name)}</figure>`).join('')}</div>`;
  const overall = actions.map((action): Group => {
    const { interval, baseline } = scoreOf(of(action));
    return { name: action, right: interval, baseline };
  });
  const parts = [
    `<h1>${safe(title)}</h1>`,
    `<p>${records.length} states; jumps answered by ${safe(asked.strategy)}, seed ${asked.seed}, ${asked.mask ? 'under the language mask' : 'without the language mask'}; weights <code>${safe(asked.weights)}</code>, programs <code>${safe(asked.programs)}</code>.</p>`,
    '<p>Right means the whole state: event, function, line, depth, value, and every local of the current frame. Thin lines are 95 % intervals; the upright tick is a baseline that copies the locals and takes the likeliest successor by syntax.</p>',
    '<h2>By action</h2>',
    bars(overall, 'Whole states right, by action'),
    componentTable(actions, of),
    '<h2>By share of the run that a jump skips</h2>',
    each(jumps, (r, action) =>
      bars(bySkipped(r), `${action}: whole states right by share of skipped states`),
    ),
    '<h2>By length of the run, in events</h2>',
    each(actions, (r, action) => bars(byLength(r), `${action}: whole states right by length of the run`)),
    '<h2>By the statement that the action starts from</h2>',
    bars(byConstruct(records), 'Whole states right by kind of statement, all actions'),
    each(actions, (r, action) => bars(byConstruct(r), `${action}: whole states right by kind of statement`)),
    '<h2>Confidence</h2>',
    '<p>Across: mean confidence of 15 bins of equal mass; up: how many of them are right. On the dashed line a confidence is honest.</p>',
    each(actions, (r, action) => {
      const found = reliability(r);
      const auroc = found.auroc === null ? 'one kind of answer only' : `AUROC ${found.auroc.toFixed(3)}`;
      return `${reliabilityDiagram(found, `${action}: reliability`)}<p class="small">error ${found.ece.toFixed(3)}, ${auroc}, ${found.n} states</p>`;
    }),
    '<h2>Errors, some of each action</h2>',
    ...actions.map(
      (action) =>
        `<h3><code>${action}</code></h3>${examplesOf(of(action), asked.seed).map(exampleHtml).join('') || '<p>None.</p>'}`,
    ),
  ];
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${safe(title)}</title><style>${STYLE}</style></head><body><main>\n${parts.join('\n')}\n</main></body></html>\n`;
}

// --- internal ---

/** The figures behind the first plot, part by part. */
function componentTable(actions: readonly string[], of: (action: string) => readonly StateRecord[]): string {
  const head = ['action', ...COMPONENTS.map(([name]) => name), 'malformed', 'cut', 'refused', 'forbidden'];
  const rows = actions.map((action) => {
    const score = scoreOf(of(action));
    const shares = COMPONENTS.map(([, pick]) => cell(pick(score)));
    const counts = [score.malformed, score.cut, score.refused, score.forbidden].map((n) => `<td>${n}</td>`);
    return `<tr><th scope="row"><code>${action}</code></th>${shares.join('')}${counts.join('')}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head.map((h) => `<th>${h}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

const COMPONENTS: readonly (readonly [string, (score: ActionScore) => Share])[] = [
  ['whole state', (s) => s.interval],
  ['changed states', (s) => s.changed],
  ['event', (s) => s.event],
  ['line', (s) => s.line],
  ['event and line', (s) => s.event_and_line],
  ['locals', (s) => s.locals],
  ['value', (s) => s.value],
  ['ends', (s) => s.exits],
];

const cell = (s: Share): string =>
  s.n === 0
    ? '<td>-</td>'
    : `<td title="${percent(s.low)} to ${percent(s.high)}">${percent(s.share)} <small>of ${s.n}</small></td>`;
