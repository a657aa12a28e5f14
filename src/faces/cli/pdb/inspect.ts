/** @file Commands that look (and `set`, which changes): the stack, the source, values, what really happens. */

import { NpdbError } from '../../../common/errors.ts';
import type { Evaluation } from '../../../debugger/types.ts';
import { colors } from '../colors.ts';
import { listing } from './list.ts';
import { lineNumber } from './motion.ts';
import { prettyLines } from './pretty.ts';
import type { Shell } from './shell.ts';
import { differenceText, entryLines, mark, percent, plain, stopLines } from './show.ts';
import { changes, readStatement } from './statement.ts';

/** The text an expression last had, and the mark of where it came from. */
export interface Displayed {
  readonly text: string;
  readonly marked: string;
}

/** False where the command is about something else. `statement`: a line that is no command. */
export async function inspect(shell: Shell, name: string, rest: string): Promise<boolean> {
  switch (name) {
    case 'statement':
      await statement(shell, rest);
      return true;
    case 'set': {
      const read = readStatement(rest);
      if (read.type !== 'assign') throw refused();
      await assign(shell, read.name, read.value);
      return true;
    }
    case 'p':
      shell.print(await valueText(shell, rest));
      return true;
    case 'pp':
      print(shell, await prettyText(shell, rest));
      return true;
    case 'work':
      printWork(shell);
      return true;
    case 'full':
      shell.print(await fullText(shell, rest));
      return true;
    case 'whatis':
      shell.print(await typeText(shell, rest));
      return true;
    case 'args':
      printArguments(shell);
      return true;
    case 'retval':
      printReturn(shell);
      return true;
    case 'where':
      printStack(shell);
      return true;
    case 'up':
    case 'down':
      climb(shell, name === 'up' ? 1 : -1, rest);
      return true;
    case 'list':
      list(shell, rest);
      return true;
    case 'longlist': {
      const frame = shell.frame();
      const program = shell.debug.programs[frame.file]!;
      const scope = program.scopes[frame.scope]!;
      print(shell, listing(program, scope.line, scope.endLine, frame.line, pointsIn(shell, frame.file)));
      return true;
    }
    case 'display':
    case 'undisplay':
      await display(shell, name, rest);
      return true;
    case 'real':
      await compare(shell);
      return true;
    case 'inverse':
      await inverse(shell, rest);
      return true;
    default:
      return false;
  }
}

const print = (shell: Shell, lines: readonly string[]): void => {
  for (const line of lines) shell.print(line);
};

/** A value as pdb prints it; marked where it is predicted. Throws what pdb would report. */
async function valueText(shell: Shell, expression: string): Promise<string> {
  // What it changes would be lost without a word: the value is computed beside the program.
  if (changes(expression)) throw refused();
  return textOf(shell, await shell.debug.evaluate(expression, shell.up));
}

async function prettyText(shell: Shell, expression: string): Promise<string[]> {
  if (changes(expression)) throw refused();
  const result = await shell.debug.evaluate(expression, shell.up);
  if (result.type !== 'value') return [textOf(shell, result)];
  const lines = prettyLines(result.value);
  if (result.predicted) lines[lines.length - 1] += mark(shell.debug.current);
  return lines;
}

/** How the model came to the current state: operation by operation, as it wrote them before the state itself. */
function printWork(shell: Shell): void {
  const { outcome, origin } = shell.debug.current;
  const work = outcome.type === 'state' ? outcome.work : undefined;
  if (origin !== 'predicted' || !work) {
    throw new NpdbError(
      'E_WORK',
      'No work is known for this state.',
      'It is written by single predicted steps.',
    );
  }
  for (const { label, value } of work) {
    shell.print(`   ${label.replace(/=$/, ' = ').replace(/:$/, ' -> ')}${plain(value)}`);
  }
}

/** What a trace cuts, in full. A limit may follow the last comma: `full xs, 100`. */
async function fullText(shell: Shell, rest: string): Promise<string> {
  if (rest === '') throw new NpdbError('E_ARGUMENT', 'Which value?', 'Say: full EXPRESSION.');
  if (shell.debug.engine === 'neural') {
    throw new NpdbError('E_NO_RUNTIME', 'Only a real run has more than is shown.', 'Use --engine recorded.');
  }
  const [, expression = rest, limit] = /^(.+),\s*(\d+)$/s.exec(rest) ?? [];
  if (changes(expression)) throw refused();
  const bytes = limit === undefined ? {} : { bytes: Number(limit) };
  return textOf(shell, await shell.debug.evaluate(expression, shell.up, { full: true, ...bytes }));
}

/** pdb's `whatis`: a function says so, all else its type. */
async function typeText(shell: Shell, expression: string): Promise<string> {
  const [, name] = /^<function (.+?)(?: at \w+)?>(?: {2}#|$)/.exec(await valueText(shell, expression)) ?? [];
  return name === undefined ? valueText(shell, `type(${expression})`) : `Function ${name.split('.').pop()}`;
}

function textOf(shell: Shell, result: Evaluation): string {
  if (result.type === 'error') throw new NpdbError('E_EVALUATION', result.error, '');
  if (result.type === 'unknown') throw new NpdbError('E_UNKNOWN', `unknown: ${result.why}.`, '');
  return `${plain(result.value)}${result.predicted ? mark(shell.debug.current) : ''}`;
}

async function statement(shell: Shell, line: string): Promise<void> {
  const read = readStatement(line);
  if (read.type === 'assign') return assign(shell, read.name, read.value);
  if (read.type === 'other') throw refused();
  const text = await valueText(shell, line);
  // As at Python's own prompt, None prints nothing.
  if (text !== 'None') shell.print(text);
}

const refused = () => new NpdbError('E_STATEMENT', 'only NAME = VALUE can change the program', '');

async function assign(shell: Shell, name: string, expression: string): Promise<void> {
  const before = shell.frame().line;
  if (shell.debug.engine === 'neural') {
    const result = await shell.debug.evaluate(expression, shell.up);
    if (result.type !== 'value') textOf(shell, result);
    else await shell.debug.set({ name, value: result.value }, shell.up);
  } else {
    await shell.debug.set({ name, value: expression }, shell.up);
  }
  if (shell.frame().line !== before) shell.show();
}

function printArguments(shell: Shell): void {
  const frame = shell.frame();
  const params = shell.debug.programs[frame.file]?.scopes[frame.scope]?.params ?? [];
  const marked = mark(shell.debug.current);
  for (const name of params) {
    shell.print(`${name} = ${plain(frame.locals.get(name) ?? '*** undefined ***')}${marked}`);
  }
}

function printReturn(shell: Shell): void {
  const state = shell.state();
  if (state.kind !== 'return') throw new NpdbError('E_RETVAL', 'Not yet returned!', '');
  shell.print(`${plain(state.value ?? 'None')}${mark(shell.debug.current)}`);
}

function printStack(shell: Shell): void {
  const { stack } = shell.state();
  for (const [i, frame] of stack.entries()) {
    const current = i === stack.length - 1 - shell.up;
    const [where = '', source = ''] = entryLines(frame, shell.files, { current });
    print(shell, [`${where}${mark(shell.debug.current)}`, source]);
  }
}

function climb(shell: Shell, direction: 1 | -1, rest: string): void {
  const most = shell.state().stack.length - 1;
  const to = shell.up + direction * (rest === '' ? 1 : lineNumber(rest));
  if (shell.up === (direction > 0 ? most : 0)) {
    throw new NpdbError('E_FRAME', direction > 0 ? 'Oldest frame' : 'Newest frame', '');
  }
  shell.up = Math.max(0, Math.min(most, to));
  shell.listed = null;
  print(shell, entryLines(shell.frame(), shell.files, { current: true }));
}

const pointsIn = (shell: Shell, file: number) => shell.points.all.filter((p) => p.file === file);

/** pdb's `list`: eleven lines around, then onwards; `list A, B`: a range, or B lines if B < A. */
function list(shell: Shell, rest: string): void {
  const frame = shell.frame();
  const program = shell.debug.programs[frame.file]!;
  let first = shell.listed ?? Math.max(1, frame.line - 5);
  let last = first + 10;
  if (rest === '.') {
    first = Math.max(1, frame.line - 5);
    last = first + 10;
  } else if (rest !== '') {
    const [a = '', b] = rest.split(',').map((t) => t.trim());
    first = b === undefined ? Math.max(1, lineNumber(a) - 5) : lineNumber(a);
    last = b === undefined ? first + 10 : lineNumber(b);
    if (last < first) last = first + last;
  }
  print(shell, listing(program, first, last, frame.line, pointsIn(shell, frame.file)));
  shell.listed = last + 1;
  if (last > program.lines.length) shell.print('[EOF]');
}

/** As in pdb, an expression is displayed in the frame in which it was asked for. */
async function display(shell: Shell, name: string, rest: string): Promise<void> {
  const { id } = shell.frame();
  const shown = shell.displays.get(id) ?? new Map<string, Displayed>();
  if (name === 'undisplay') {
    if (rest === '') shown.clear();
    else if (!shown.delete(rest)) throw new NpdbError('E_DISPLAY', `not displaying ${rest}`, '');
    return;
  }
  if (rest === '') {
    if (shown.size > 0) shell.print('Currently displaying:');
    for (const [expression, { text, marked }] of shown) shell.print(`${expression}: ${text}${marked}`);
    return;
  }
  const now = await displayed(shell, rest);
  shell.displays.set(id, shown.set(rest, now));
  shell.print(`display ${rest}: ${now.text}${now.marked}`);
}

/** Errors are shown, not thrown: a name may not exist yet. */
async function displayed(shell: Shell, expression: string): Promise<Displayed> {
  if (changes(expression)) throw refused();
  const result = await shell.debug.evaluate(expression, shell.up);
  if (result.type === 'value') {
    return { text: plain(result.value), marked: result.predicted ? mark(shell.debug.current) : '' };
  }
  const text = result.type === 'error' ? `** raised ${result.error} **` : `** unknown: ${result.why} **`;
  return { text, marked: '' };
}

export async function showDisplays(shell: Shell): Promise<void> {
  if (shell.debug.current.outcome.type !== 'state') return;
  const shown = shell.displays.get(shell.frame().id) ?? new Map<string, Displayed>();
  for (const [expression, { text: old }] of shown) {
    const now = await displayed(shell, expression);
    if (now.text === old) continue;
    shown.set(expression, now);
    shell.print(`display ${expression}: ${now.text}${now.marked}  [old: ${old}]`);
  }
}

/** What the sandbox says about the walk that led here. */
async function compare(shell: Shell): Promise<void> {
  if (!shell.compare) throw new NpdbError('E_NO_RUNTIME', 'This state is real already.', '');
  const { real, differences } = await shell.compare(shell.debug.current);
  print(shell, stopLines({ id: -1, outcome: real, origin: 'real' }, shell.files));
  if (real.type === 'state') {
    for (const [name, text] of real.state.stack.at(-1)!.locals) shell.print(`   ${name} = ${plain(text)}`);
  }
  if (differences.length === 0) shell.print(colors.green('The prediction agrees with the real run.'));
  for (const d of differences) shell.print(colors.red(`   ${differenceText(d)}`));
}

async function inverse(shell: Shell, rest: string): Promise<void> {
  const [, value = '', count] = /^(.+?)(?:\s+(\d+))?$/s.exec(rest.trim()) ?? [];
  if (value === '') throw new NpdbError('E_ARGUMENT', 'Which value?', 'Say: inverse VALUE.');
  const check = shell.debug.engine === 'compared';
  const n = count === undefined ? 8 : Number(count);
  const candidates = await shell.debug.inverse(value, {
    n,
    check,
    ...(shell.signal ? { signal: shell.signal } : {}),
  });
  if (candidates.length === 0) shell.print('No input was proposed.');
  for (const c of candidates) {
    const verdict = c.checked === undefined ? 'not checked' : c.checked ? 'checked' : `gives ${c.gives}`;
    shell.print(`${c.call}${colors.yellow(`  # predicted, ${percent(c.confidence)}`)}, ${verdict}`);
  }
}
