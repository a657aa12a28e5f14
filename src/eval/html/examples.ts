/** @file Wrong answers, each with its program, the state before, and the predicted beside the real state. */
import { Random } from '../../common/random.ts';
import type { Shown, StateRecord, StateView } from '../record.ts';
import { safe } from './text.ts';

/** Examples of each action. */
const EACH = 3;
/** Longer programs say little at a glance; taken only where there is nothing shorter. */
const LINES = 40;

/** Seeded; short programs first, one of each program. */
export function examplesOf(records: readonly StateRecord[], seed: number): StateRecord[] {
  const wrong = new Random('examples', seed).shuffled(records.filter((r) => r.shown));
  const long = (r: StateRecord) => Number(r.shown!.source.split('\n').length > LINES);
  const programs = new Set<string>();
  const picked: StateRecord[] = [];
  for (const record of wrong.sort((a, b) => long(a) - long(b))) {
    const program = record.id.replace(/[#@].*$/, '');
    if (picked.length < EACH && !programs.has(program)) picked.push(record);
    programs.add(program);
  }
  return picked;
}

export function exampleHtml(record: StateRecord): string {
  const { shown, action, line } = record;
  if (!shown) return '';
  const asked = line === undefined ? action : `${action} at line ${line}`;
  const why = record.refused
    ? 'refused: more than the model can read'
    : record.malformed
      ? 'no whole answer'
      : `differs in ${record.wrong.join(', ')}`;
  return [
    `<details><summary><code>${safe(asked)}</code> from line ${shown.before.line ?? '-'}: ${safe(why)} <span class="id">${safe(record.id)}</span></summary>`,
    '<div class="example">',
    sourceHtml(shown),
    statesHtml(shown),
    '</div></details>',
  ].join('');
}

// --- internal ---

function sourceHtml({ source, before }: Shown): string {
  const lines = source.trimEnd().split('\n');
  return `<pre>${lines
    .map((text, i) => {
      const shown = `<span class="no">${String(i + 1).padStart(3)}</span> ${safe(text)}`;
      return i + 1 === before.line ? `<mark>${shown}</mark>` : shown;
    })
    .join('\n')}</pre>`;
}

function statesHtml({ before, predicted, real }: Shown): string {
  const sides = [before, predicted, real].map((view) => (view ? rowsOf(view) : new Map<string, string>()));
  const names = [...new Set([...sides[2]!.keys(), ...sides[1]!.keys(), ...sides[0]!.keys()])];
  const rows = names.map((name) => {
    const cells = sides.map((side) => side.get(name));
    const differs = cells[1] !== cells[2];
    const [was, told, is] = cells.map(
      (cell) => `<td>${cell === undefined ? '' : `<code>${safe(cell)}</code>`}</td>`,
    );
    // Told in words too: colour alone would leave some readers out.
    return `<tr${differs ? ' class="differs"' : ''}><th scope="row">${safe(name)}${differs ? ' ≠' : ''}</th>${was}${told}${is}</tr>`;
  });
  return `<table><thead><tr><th></th><th>before</th><th>predicted</th><th>real</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function rowsOf({ event, fn, line, depth, value, locals }: StateView): Map<string, string> {
  const rows = new Map([['event', event]]);
  if (fn !== undefined) rows.set('function', fn);
  if (line !== undefined) rows.set('line', String(line));
  if (depth !== undefined) rows.set('depth', String(depth));
  if (value !== undefined) rows.set('value', value);
  for (const [name, text] of Object.entries(locals ?? {})) rows.set(`local ${name}`, text);
  return rows;
}
