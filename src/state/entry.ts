/**
 * @file Where a session begins that runs nothing: the entry state of a call, from syntax alone (design, idea
 * 4). Literal arguments are read as they are; whatever has to be computed first makes the walk begin one level
 * up, on the call expression's own line, for the model to predict.
 */
import { NpdbError } from '../common/errors.ts';
import type { Program } from '../source/types.ts';
import type { Expr } from '../values/expression/ast.ts';
import { readExpression } from '../values/expression/read.ts';
import { formatValue } from '../values/format.ts';
import { literal } from '../values/literal.ts';
import { render } from '../values/render.ts';
import type { Value } from '../values/types.ts';
import { type Arguments, bind } from './binding.ts';
import { BUILTINS } from './builtins.ts';
import { bindingsOf, constantsOf } from './constants.ts';
import { type Parameter, readSignature } from './signature.ts';
import type { Frame, Locals, State } from './types.ts';

/**
 * The `call` state of `name(literals)`, a plain top-level function of `program`: one frame, number 0, file 0.
 * Any other expression that makes a call: the `line` state of the one-line file 1, frame function `<call>`.
 * Module-level names that are assigned exactly once, a literal, are the frame's globals.
 *
 * Throws `E_CALL` (no expression with a call in it), `E_FUNCTION` (nothing of that name in the file or among the
 * builtins) and `E_ARGUMENTS` (the arguments do not fit, in Python's words).
 */
export function initialState(program: Program, call: string): State {
  const expression = readExpression(call);
  if (!expression || !callsIn(expression)) {
    throw new NpdbError(
      'E_CALL',
      `\`${call.trim()}\` is not a call.`,
      'Give one, as you would write it in Python: f(1, [2, 3]).',
    );
  }
  if (expression.type !== 'call' || expression.of.type !== 'name') return onCallLine();
  const { name } = expression.of;
  const found = functionOf(program, name);
  if (!found) {
    requireName(program, name, call);
    return onCallLine();
  }
  const given = argumentsOf(expression);
  const binding = given && bind(name, found.parameters, given);
  if (binding?.type === 'error') {
    throw new NpdbError(
      'E_ARGUMENTS',
      `The call does not fit: TypeError: ${binding.message}.`,
      `The function is on line ${found.line}: ${program.lines[found.line - 1]!.trim()}`,
    );
  }
  return binding?.type === 'bound' ? entered(program, found, binding.values) : onCallLine();
}

// --- the call ---

type Call = Extract<Expr, { type: 'call' }>;

/** Whether there is a call anywhere in it; `other` (`await f()`, `x := f()`) may hold one. */
function callsIn(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('type' in value && (value.type === 'call' || value.type === 'other')) return true;
  return Object.values(value).some(callsIn);
}

/** Null unless all of them are literals; `*[1, 2]` and `**{'x': 1}` are spread. */
function argumentsOf({ args, keywords }: Call): Arguments | null {
  const positional: Value[] = [];
  const named: (readonly [string, Value])[] = [];
  for (const arg of args) {
    const value = literal(arg.type === 'star' ? arg.of : arg);
    if (!value) return null;
    if (arg.type !== 'star') positional.push(value);
    else if (value.type === 'list' || value.type === 'tuple') positional.push(...value.items);
    else return null;
  }
  for (const [name, of] of keywords) {
    const value = literal(of);
    if (!value) return null;
    if (name !== null) named.push([name, value]);
    else if (value.type === 'dict') {
      for (const [key, item] of value.entries) {
        if (key.type !== 'str') return null;
        named.push([key.value, item]);
      }
    } else return null;
  }
  return { positional, named };
}

// --- the function ---

interface Found {
  readonly scope: number;
  readonly line: number;
  readonly parameters: readonly Parameter[];
}

/** A top-level `def` that binds its name for good and whose call enters it: no decorator, generator, coroutine. */
function functionOf(program: Program, name: string): Found | null {
  const scope = program.scopes.find(({ parent, name: own }) => parent === 0 && own === name);
  if (scope?.kind !== 'function' || scope.generator || scope.async) return null;
  // Indented: defined in an `if`, `try` or loop, who knows whether.
  if (/^\s/.test(program.lines[scope.line - 1]!)) return null;
  // Decorators belong to the definition's unit, whose number is the `def` line.
  if (program.unitAt(scope.line - 1)?.line === scope.line) return null;
  if (bindingsOf(program, name) !== 1) return null;
  const parameters = readSignature(program.lines.slice(scope.line - 1, scope.endLine).join('\n'));
  return parameters && { scope: scope.id, line: scope.line, parameters };
}

function requireName(program: Program, name: string, call: string): void {
  const module = program.scopes[0]!;
  const bound = new Set([
    ...module.names,
    ...program.scopes.filter(({ parent }) => parent === 0).map((s) => s.name),
  ]);
  const star = program.lines.some((line) => /^\s*from\s+\S+\s+import\s*\(?\s*\*/.test(line));
  if (bound.has(name) || BUILTINS.has(name) || star) return;
  const known = program.scopes.filter(
    ({ parent, kind }) => parent === 0 && (kind === 'function' || kind === 'class'),
  );
  const names = [...new Set(known.map((scope) => scope.name))];
  throw new NpdbError(
    'E_FUNCTION',
    `There is no \`${name}\` in ${program.name} to make the call ${call.trim()}.`,
    names.length > 0 ? `It defines: ${names.join(', ')}.` : 'It defines no function and no class.',
  );
}

// --- states ---

/** As a trace would show it, cut by the default limits. */
const canonicalText = (value: Value) => formatValue(render(value));

function entered(program: Program, found: Found, values: ReadonlyMap<string, Value>): State {
  const scope = program.scopes[found.scope]!;
  const constants = constantsOf(program);
  const globals = new Map<string, string>();
  for (const name of scope.globals) {
    const value = constants.get(name);
    if (value) globals.set(name, canonicalText(value));
  }
  const locals = new Map([...values].map(([name, value]) => [name, canonicalText(value)]));
  return {
    kind: 'call',
    stack: [{ ...blank(scope.line, locals, globals), file: 0, scope: found.scope, fn: scope.qualname }],
  };
}

function onCallLine(): State {
  const frame = blank(1, new Map(), new Map());
  return { kind: 'line', stack: [{ ...frame, file: 1, scope: 0, fn: '<call>' }] };
}

function blank(line: number, locals: Locals, globals: Locals): Omit<Frame, 'file' | 'scope' | 'fn'> {
  return { id: 0, thread: 0, line, locals, known: true, returned: [], loops: [], globals, aliases: [] };
}
