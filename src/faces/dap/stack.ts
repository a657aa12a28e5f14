/** @file Requests that look at the stack and the sources: threads, frames, scopes, modules, texts. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import type { State } from '../../state/types.ts';
import type { Adapter } from './adapter.ts';
import { realRow } from './lazy.ts';
import { scopeRows } from './parts.ts';
import { nameOf } from './programs.ts';
import { sourceSchema } from './schemas.ts';
import { originOf } from './show.ts';
import { threadIds, threadRef } from './threads.ts';
import type { FrameRef, Handlers, ThreadRef } from './types.ts';

const stackTraceArguments = z.looseObject({
  threadId: z.number().int(),
  startFrame: z.number().int().min(0).optional(),
  levels: z.number().int().min(0).optional(),
});
const scopesArguments = z.looseObject({ frameId: z.number().int() });
const sourceArguments = z.looseObject({
  source: sourceSchema.optional(),
  sourceReference: z.number().int().optional(),
});

export const stack: Handlers = {
  threads(adapter) {
    // Also while it runs, and before there is anything: a client must always get one.
    const open = adapter.phase === 'open' && adapter.opened;
    return { body: { threads: open ? threadIds(adapter).all : [{ id: 1, name: 'MainThread' }] } };
  },

  stackTrace(adapter, given) {
    const { threadId, startFrame = 0, levels = 0 } = stackTraceArguments.parse(given);
    const { current } = adapter.still();
    const thread = threadRef(threadId);
    const outcome = thread.type === 'real' ? current.real : current.outcome;
    if (outcome?.type !== 'state') {
      return { body: { stackFrames: startFrame > 0 ? [] : [endFrame(adapter)], totalFrames: 1 } };
    }
    const state = adapter.stateOf({ thread, up: 0 });
    const all = frames(adapter, state, thread);
    const end = levels > 0 ? startFrame + levels : undefined;
    return { body: { stackFrames: all.slice(startFrame, end), totalFrames: all.length } };
  },

  scopes(adapter, given) {
    const ref = adapter.references.frame(scopesArguments.parse(given).frameId);
    const origin = ref.thread.type === 'real' ? 'real' : originOf(adapter.still().current);
    const suffix = origin ? ` (${origin})` : '';
    const state = adapter.stateOf(ref);
    const frame = adapter.frameOf(ref);
    const found: DebugProtocol.Scope[] = [];
    const add = (scope: 'locals' | 'globals' | 'return' | 'exception', name: string, hint?: string) => {
      const rows = scopeRows(adapter, ref, scope);
      found.push({
        name: `${name}${suffix}`,
        variablesReference: adapter.references.variablesId({ type: 'scope', frame: ref, scope }),
        namedVariables: rows.size,
        expensive: false,
        ...(hint ? { presentationHint: hint } : {}),
      });
    };
    if ((state.kind === 'return' || state.kind === 'yield') && ref.up === 0)
      add('return', 'Return value', 'returnValue');
    if (scopeRows(adapter, ref, 'exception').size > 0) add('exception', 'Exception');
    add('locals', 'Locals', 'locals');
    if (frame.kind !== 'module') add('globals', 'Globals');
    const [real] = realRow(adapter, ref);
    if (real) {
      found.push({
        name: 'What really happens',
        variablesReference: real.variablesReference,
        expensive: true,
      });
    }
    return { body: { scopes: found } };
  },

  loadedSources: (adapter) => ({
    body: { sources: adapter.programs.all.map((_, file) => adapter.programs.source(file)) },
  }),

  modules(adapter) {
    const source = adapter.known && adapter.programs.source(0);
    if (!source) return { body: { modules: [], totalModules: 0 } };
    const module = {
      id: 0,
      name: nameOf(source.name ?? '').replace(/\.py$/, ''),
      isUserCode: true,
      ...(source.path ? { path: source.path } : {}),
    };
    return { body: { modules: [module], totalModules: 1 } };
  },

  source(adapter, given) {
    const { source, sourceReference } = sourceArguments.parse(given);
    const asked = { ...source, ...(sourceReference ? { sourceReference } : {}) };
    const { program } = adapter.programs.programOf(asked);
    return { body: { content: program.text, mimeType: 'text/x-python' } };
  },
};

// --- internal ---

function frames(adapter: Adapter, state: State, thread: ThreadRef): DebugProtocol.StackFrame[] {
  const origin = thread.type === 'real' ? 'real' : originOf(adapter.debug.current);
  return state.stack.toReversed().map((frame, up) => {
    const ref: FrameRef = { thread, up };
    const unit = adapter.programs.all[frame.file]?.unit(frame.scope, frame.line);
    const name = frame.fn.split('.').pop() ?? frame.fn;
    const predicted = up === 0 && origin.startsWith('predicted');
    return {
      id: adapter.references.frameId(ref),
      name: predicted ? `${name}  # ${origin}` : name,
      source: adapter.programs.source(frame.file, origin || undefined),
      line: adapter.line(frame.line),
      column: adapter.column(1),
      ...(unit && unit.endLine > frame.line
        ? { endLine: adapter.line(unit.endLine), endColumn: adapter.column(1) }
        : {}),
      canRestart: thread.type === 'shown',
      moduleId: 0,
      presentationHint: 'normal',
    };
  });
}

/** After the end there is no frame; one label stands for it, so that a client shows where it is. */
function endFrame(adapter: Adapter): DebugProtocol.StackFrame {
  const { outcome } = adapter.debug.current;
  const how = outcome.type === 'exit' ? outcome.exit : outcome.type;
  return {
    id: adapter.references.frameId(adapter.topFrame()),
    name: outcome.type === 'exit' ? `(the program ended: ${how})` : '(the entry)',
    line: 0,
    column: 0,
    presentationHint: 'label',
  };
}

export const noFrame = (): NpdbError => new NpdbError('E_ENDED', 'The program has ended here.', 'Step back.');
