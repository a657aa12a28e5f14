/**
 * @file `evaluate` in its contexts. `hover` never runs anything; `clipboard` is in full; `watch` and `variables` ask
 * the engine; `repl` also assigns and takes commands that begin with a colon (`repl.ts`).
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import { evaluateIn } from '../../debugger/neural.ts';
import type { Evaluation } from '../../debugger/types.ts';
import type { Adapter } from './adapter.ts';
import { assign } from './change.ts';
import { complete } from './complete.ts';
import { resultRow } from './lazy.ts';
import { replCommand } from './repl.ts';
import { MAX_SOURCE } from './schemas.ts';
import { plain, withoutMark } from './show.ts';
import { readStatement } from './statement.ts';
import type { Call, FrameRef, Handlers } from './types.ts';

const evaluateArguments = z.looseObject({
  expression: z.string(),
  frameId: z.number().int().optional(),
  context: z.string().optional(),
});
const completionsArguments = z.looseObject({
  text: z.string(),
  column: z.number().int(),
  line: z.number().int().optional(),
  frameId: z.number().int().optional(),
});

export const evaluation: Handlers = {
  async evaluate(adapter, given, call) {
    const { expression, frameId, context } = evaluateArguments.parse(given);
    if (expression.length > MAX_SOURCE) {
      throw new NpdbError(
        'E_LARGE',
        `The expression has ${expression.length} characters.`,
        'Send a shorter one.',
      );
    }
    const source = withoutMark(expression);
    if (context === 'repl' && source.startsWith(':'))
      return replCommand(adapter, source.slice(1).trim(), call);
    adapter.still();
    const frame = adapter.frameFor(frameId);
    if (context === 'repl') {
      const read = readStatement(source);
      if (read.type === 'other') {
        throw new NpdbError(
          'E_STATEMENT',
          'Only `TARGET = VALUE` can change the program.',
          'Or send an expression.',
        );
      }
      if (read.type === 'assign') {
        const body = await assign(adapter, frame, read.target, read.value);
        adapter.invalidate(['variables']);
        return { body: { result: body.value, ...rest(body) } };
      }
    }
    return { body: await valueBody(adapter, frame, source, context, call) };
  },

  completions(adapter, given) {
    const { text, column, line, frameId } = completionsArguments.parse(given);
    adapter.still();
    return { body: { targets: complete(adapter, adapter.frameFor(frameId), text, column, line) } };
  },
};

async function valueBody(
  adapter: Adapter,
  frame: FrameRef,
  source: string,
  context: string | undefined,
  call: Call,
): Promise<DebugProtocol.EvaluateResponse['body']> {
  const result = await evaluated(adapter, frame, source, context);
  call.signal.throwIfAborted();
  if (result.type === 'error') throw new NpdbError('E_EVALUATION', result.error, '');
  if (result.type === 'unknown') throw new NpdbError('E_UNKNOWN', `unknown: ${result.why}.`, '');
  // What is copied is the value itself.
  if (context === 'clipboard') return { result: plain(result.value), variablesReference: 0 };
  const row = resultRow(adapter, frame, source, result.value, result.predicted);
  const hint = row.presentationHint ? { presentationHint: row.presentationHint } : {};
  return { result: row.value, ...rest(row), ...hint };
}

async function evaluated(
  adapter: Adapter,
  frame: FrameRef,
  source: string,
  context: string | undefined,
): Promise<Evaluation> {
  const { debug } = adapter;
  if (context === 'hover' || !adapter.isCurrent(frame)) {
    const predicted = frame.thread.type === 'shown' && debug.current.origin !== 'real';
    return evaluateIn(adapter.stateOf(frame), debug.programs, source, frame.up, predicted);
  }
  return debug.evaluate(source, frame.up, { full: context === 'clipboard' });
}

// --- internal ---

const rest = (row: {
  type?: string;
  variablesReference?: number;
  namedVariables?: number;
  indexedVariables?: number;
}) => ({
  variablesReference: row.variablesReference ?? 0,
  ...(row.type === undefined ? {} : { type: row.type }),
  ...(row.namedVariables === undefined ? {} : { namedVariables: row.namedVariables }),
  ...(row.indexedVariables === undefined ? {} : { indexedVariables: row.indexedVariables }),
});
