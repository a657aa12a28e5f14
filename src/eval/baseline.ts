/**
 * @file The baseline every figure stands beside: a predictor that copies the locals and takes the likeliest
 * successor by syntax alone (a loop goes on, a condition holds), and returns None. It computes no value.
 */
import type { Situation } from '../language/types.ts';
import type { Prediction, Predictor } from '../predictor/types.ts';
import type { Frame, Outcome, State } from '../state/types.ts';

export function baselinePredictor(): Predictor {
  return {
    name: 'copy the locals, take the likeliest successor',
    async predict(batch) {
      return batch.map((situation) => [prediction(answer(situation))]);
    },
    async close() {},
  };
}

const prediction = (outcome: Outcome): Prediction => ({
  outcome,
  confidence: 1,
  strategy: 'direct',
  steps: 1,
  tokens: 0,
});

// --- internal ---

function answer(situation: Situation): Outcome {
  const { state, action } = situation;
  switch (action.type) {
    case 'step_into':
    case 'step_over':
      return forwards(situation);
    case 'step_return':
      return { type: 'state', state: ended(state, situation) };
    case 'breakpoint':
      return { type: 'state', state: onLine(state, action.line) };
    case 'continue':
      return { type: 'exit', exit: 'normal' };
    case 'inv_step_into':
    case 'inv_step_over':
      return backwards(situation);
    case 'inv_step_call':
      return { type: 'state', state: callOf(state, situation) };
  }
}

const topOf = (state: State): Frame => state.stack.at(-1)!;

function onLine(state: State, line: number): State {
  return { kind: 'line', stack: [...state.stack.slice(0, -1), { ...topOf(state), line }] };
}

function forwards(situation: Situation): Outcome {
  const { state, programs } = situation;
  const over = state.kind === 'return' || (state.kind === 'exception' && escapes(situation));
  if (over) {
    const below = state.stack.slice(0, -1);
    const caller = below.at(-1);
    if (!caller) return { type: 'exit', exit: state.kind === 'return' ? 'normal' : 'error' };
    return forwards({ ...situation, state: { kind: 'line', stack: below } });
  }
  const top = topOf(state);
  const program = programs[top.file];
  if (!program || top.scope < 0) return { type: 'state', state };
  if (state.kind === 'call') {
    const first = program.entriesOf(top.scope)[0];
    return { type: 'state', state: first === undefined ? ended(state, situation) : onLine(state, first) };
  }
  const next = program.successors(top.scope, top.line);
  const line = state.kind === 'exception' ? next.exception[0] : next.normal[0];
  return { type: 'state', state: line === undefined ? ended(state, situation) : onLine(state, line) };
}

function escapes(situation: Situation): boolean {
  const top = topOf(situation.state);
  return situation.programs[top.file]?.successors(top.scope, top.line).exception.length === 0;
}

/** The frame's `return` on its last returning line (or where it stands, if that returns). */
function ended(state: State, situation: Situation): State {
  const top = topOf(state);
  const program = situation.programs[top.file];
  const lines = program && top.scope >= 0 ? program.linesOf(top.scope) : [];
  const returning = lines.filter((l) => program?.successors(top.scope, l).returns);
  const line = returning.includes(top.line) ? top.line : (returning.at(-1) ?? top.line);
  return { ...onLine(state, line), kind: 'return', value: 'None' };
}

function backwards(situation: Situation): Outcome {
  const { state, programs } = situation;
  if (state.kind === 'call') {
    const below = state.stack.slice(0, -1);
    return below.length === 0 ? { type: 'entry' } : { type: 'state', state: { kind: 'line', stack: below } };
  }
  const top = topOf(state);
  if (state.kind !== 'line') return { type: 'state', state: onLine(state, top.line) };
  const before = programs[top.file]?.predecessors(top.scope, top.line) ?? [];
  const line = before.filter((l) => l < top.line).at(-1) ?? before[0] ?? 0;
  return { type: 'state', state: line === 0 ? callOf(state, situation) : onLine(state, line) };
}

function callOf(state: State, situation: Situation): State {
  const top = topOf(state);
  const scope = situation.programs[top.file]?.scopes[top.scope];
  const params = new Set(scope?.params ?? []);
  const locals = new Map([...top.locals].filter(([name]) => params.has(name)));
  const frame = { ...top, line: scope?.line ?? top.line, locals, known: true };
  return { kind: 'call', stack: [...state.stack.slice(0, -1), frame] };
}
