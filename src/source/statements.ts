/** @file Tokens into statements. A statement that does not parse is skipped, its line reported. */
import { compoundStatement } from './compound.ts';
import { Cursor, Problem } from './cursor.ts';
import { simpleLine } from './simple.ts';
import type { Stmt, Suite } from './syntax.ts';
import { tokenize } from './tokens.ts';

export interface Module {
  readonly body: Suite;
  /** Lines that are no Python, ascending. */
  readonly errors: readonly number[];
}

/** Each level counts twice; CPython allows 100 indents. */
const MAX_BLOCKS = 250;

/** Never throws. */
export function parse(text: string): Module {
  const { tokens, errors } = tokenize(text);
  const c = new Cursor(tokens);
  c.errors.push(...errors);
  const body: Stmt[] = [];
  while (!c.at('end')) statement(c, body);
  return { body, errors: [...new Set(c.errors)].sort((a, b) => a - b) };
}

/** Reads one logical line or compound statement, or skips it. */
function statement(c: Cursor, out: Stmt[]): void {
  const start = c.index;
  const { depth } = c;
  try {
    if (c.at('indent') || c.at('dedent')) c.fail();
    const compound = c.nest(() => compoundStatement(c));
    if (compound) out.push(compound);
    else simpleLine(c, out);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    c.errors.push(problem.line);
    c.depth = depth;
    recover(c, start, out);
  }
}

/** To the next logical line; an orphaned block's statements are kept as if they stood here. */
function recover(c: Cursor, start: number, out: Stmt[]): void {
  if (c.index === start && (c.at('indent') || c.at('dedent'))) {
    const opens = c.at('indent');
    c.next();
    if (opens) block(c, out);
    return;
  }
  const before = c.tokens[c.index - 1]?.kind;
  // A header without a block fails at the line after it, which is no worse for that.
  if (c.index > start && (before === 'newline' || before === 'dedent')) return;
  while (!c.at('newline') && !c.at('end')) c.next();
  if (c.at('newline')) c.next();
  if (c.at('indent')) {
    c.next();
    block(c, out);
  }
}

/** Statements up to the dedent, which is consumed. Flat on errors: no recursion here but through suites. */
function block(c: Cursor, out: Stmt[]): void {
  if (++c.depth > MAX_BLOCKS) {
    let open = 1;
    while (open > 0 && !c.at('end')) {
      if (c.at('indent')) open++;
      if (c.at('dedent')) open--;
      c.next();
    }
    c.errors.push(c.token.line);
  } else {
    while (!c.at('dedent') && !c.at('end')) statement(c, out);
    if (c.at('dedent')) c.next();
  }
  c.depth--;
}

/** What follows a header: its colon, then the rest of the line or a block. */
export function suite(c: Cursor): Stmt[] {
  const out: Stmt[] = [];
  c.expect(':');
  if (!c.at('newline')) {
    simpleLine(c, out);
    return out;
  }
  c.next();
  if (!c.at('indent')) c.fail();
  c.next();
  block(c, out);
  return out;
}
