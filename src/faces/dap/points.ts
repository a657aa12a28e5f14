/** @file Requests about breakpoints: source, function, data, exception; where they can be; what was raised. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import {
  type ExceptionRule,
  type ExceptionRules,
  exceptionType,
  readTarget,
  type Target,
} from '../../debugger/stops/index.ts';
import type { Adapter } from './adapter.ts';
import { expressionOf } from './parts.ts';
import { type Asked, type Binding, bind, type Context, type Spec } from './pointStore.ts';
import { MAX_SOURCE, sourceSchema } from './schemas.ts';
import { exceptionLine, originOf } from './show.ts';
import type { Handlers } from './types.ts';

const text = z.string().max(MAX_SOURCE);
const common = { condition: text.optional(), hitCondition: text.optional() };

const setBreakpoints = z.looseObject({
  source: sourceSchema,
  breakpoints: z
    .array(z.looseObject({ line: z.number().int(), logMessage: text.optional(), ...common }))
    .optional(),
  lines: z.array(z.number().int()).optional(),
});
const setFunctionBreakpoints = z.looseObject({
  breakpoints: z.array(z.looseObject({ name: text, ...common })),
});
const setDataBreakpoints = z.looseObject({
  breakpoints: z.array(z.looseObject({ dataId: text, accessType: z.string().optional(), ...common })),
});
const setExceptionBreakpoints = z.looseObject({
  filters: z.array(z.string()).default([]),
  filterOptions: z.array(z.looseObject({ filterId: z.string(), condition: text.optional() })).default([]),
});
const dataBreakpointInfo = z.looseObject({
  variablesReference: z.number().int().optional(),
  name: text,
  frameId: z.number().int().optional(),
});
const breakpointLocations = z.looseObject({
  source: sourceSchema,
  line: z.number().int(),
  endLine: z.number().int().optional(),
});

export const EXCEPTION_FILTERS: readonly DebugProtocol.ExceptionBreakpointsFilter[] = [
  {
    filter: 'raised',
    label: 'Raised Exceptions',
    description: 'Where an exception is raised, caught later or not.',
    default: false,
    supportsCondition: true,
    conditionDescription: 'Type names (ValueError, KeyError), or an expression',
  },
  {
    filter: 'uncaught',
    label: 'Uncaught Exceptions',
    description: 'Where an exception was raised that ended the program.',
    default: true,
    supportsCondition: true,
    conditionDescription: 'Type names (ValueError, KeyError), or an expression',
  },
];

export const points: Handlers = {
  setBreakpoints(adapter, given) {
    const { source, breakpoints, lines = [] } = setBreakpoints.parse(given);
    const asked = breakpoints ?? lines.map((line) => ({ line }) as NonNullable<typeof breakpoints>[number]);
    const specs: Spec[] = asked.map((b) => ({
      type: 'line',
      source,
      line: adapter.fromClientLine(b.line),
      ...conditions(b),
      ...(b.logMessage ? { log: b.logMessage } : {}),
    }));
    return answer(adapter, adapter.points.set(`source ${source.path ?? source.sourceReference}`, specs));
  },

  setFunctionBreakpoints(adapter, given) {
    const { breakpoints } = setFunctionBreakpoints.parse(given);
    const specs: Spec[] = breakpoints.map((b) => ({ type: 'function', name: b.name, ...conditions(b) }));
    return answer(adapter, adapter.points.set('function', specs));
  },

  setDataBreakpoints(adapter, given) {
    const { breakpoints } = setDataBreakpoints.parse(given);
    const specs: Spec[] = breakpoints.map((b) => {
      const target = readDataId(b.dataId);
      const reads = b.accessType !== undefined && b.accessType !== 'write';
      const why = reads ? 'Only writing can be watched: a state does not tell what was read.' : undefined;
      return { type: 'data', target: reads ? null : target, ...(why ? { why } : {}), ...conditions(b) };
    });
    return answer(adapter, adapter.points.set('data', specs));
  },

  setExceptionBreakpoints(adapter, given) {
    const { filters, filterOptions } = setExceptionBreakpoints.parse(given);
    const rules: { -readonly [K in keyof ExceptionRules]: ExceptionRules[K] } = {};
    const asked = [...filters.map((filterId) => ({ filterId, condition: '' })), ...filterOptions];
    const breakpoints = asked.map(({ filterId, condition }) => {
      if (filterId !== 'raised' && filterId !== 'uncaught') {
        return { verified: false, message: `There is no filter ${filterId}.` };
      }
      rules[filterId] = exceptionRule(condition?.trim() ?? '');
      return { verified: true };
    });
    adapter.rules.exceptions = rules;
    return { body: { breakpoints } };
  },

  dataBreakpointInfo(adapter, given) {
    const { variablesReference, name, frameId } = dataBreakpointInfo.parse(given);
    const nothing = (description: string) => ({ body: { dataId: null, description } });
    let target: Target;
    if (variablesReference) {
      const found = expressionOf(adapter, adapter.references.variables(variablesReference), name);
      if (!found) return nothing(`${name} is no variable that can be watched`);
      const frame = adapter.frameOf(found.frame);
      target = { scope: found.scope, text: found.text, frame: frame.id, file: frame.file };
    } else {
      const frame = adapter.frameOf(adapter.frameFor(frameId));
      const scope = frame.locals.has(name) ? 'local' : frame.globals.has(name) ? 'global' : 'expression';
      target = { scope, text: name, frame: frame.id, file: frame.file };
    }
    const state = adapter.stateOf(adapter.topFrame());
    if (readTarget(target, state, adapter.programs.all) === undefined) {
      return nothing(`${target.text} cannot be told from a state`);
    }
    const where = target.scope === 'global' ? 'the module' : adapter.frameOf(adapter.frameFor(frameId)).fn;
    return {
      body: {
        dataId: JSON.stringify(target),
        description: `${target.text} in ${where}`,
        accessTypes: ['write'],
        canPersist: false,
      },
    };
  },

  breakpointLocations(adapter, given) {
    const { source, line, endLine } = breakpointLocations.parse(given);
    const { program } = adapter.programs.programOf(source);
    const first = adapter.fromClientLine(line);
    const last = Math.min(
      endLine === undefined ? first : adapter.fromClientLine(endLine),
      program.lines.length,
    );
    const found = new Set<number>();
    for (let at = Math.max(1, first); at <= last; at += 1) {
      const unit = program.unitAt(at);
      if (unit && unit.line >= first) found.add(unit.line);
    }
    return { body: { breakpoints: [...found].map((at) => ({ line: adapter.line(at) })) } };
  },

  exceptionInfo(adapter) {
    const { current } = adapter.still();
    const state = adapter.stateOf(adapter.topFrame());
    const top = state.stack.at(-1)!;
    const text = state.kind === 'exception' ? state.value : top.pending;
    if (text === undefined) throw new NpdbError('E_NO_EXCEPTION', 'No exception is under way here.', '');
    const { cause } = adapter.rules;
    const uncaught = cause?.type === 'exception' && cause.uncaught;
    const type = exceptionType(text);
    const line = exceptionLine(text);
    const trace = state.stack.map((frame) => {
      const source = adapter.programs.all[frame.file]?.lines[frame.line - 1]?.trim() ?? '';
      const file = adapter.programs.source(frame.file);
      return `  File "${file.path ?? file.name}", line ${frame.line}, in ${frame.fn}\n    ${source}`;
    });
    const inner = state.kind === 'exception' && top.pending !== undefined && top.pending !== text;
    const origin = originOf(current);
    return {
      body: {
        exceptionId: type,
        description: `${line}${origin ? ` (${origin})` : ''}`,
        breakMode: uncaught ? 'unhandled' : 'always',
        details: {
          message: line.startsWith(`${type}: `) ? line.slice(type.length + 2) : line,
          typeName: type,
          fullTypeName: type,
          stackTrace: ['Traceback (most recent call last):', ...trace, line].join('\n'),
          ...(inner
            ? {
                innerException: [
                  { message: exceptionLine(top.pending!), typeName: exceptionType(top.pending!) },
                ],
              }
            : {}),
        },
      },
    };
  },
};

/** Binds what was asked before the launch, and tells the client what became of it. */
export function rebind(adapter: Adapter): void {
  for (const binding of applyPoints(adapter)) {
    adapter.send('breakpoint', { reason: 'changed', breakpoint: shown(adapter, binding) });
  }
}

// --- internal ---

const contextOf = (adapter: Adapter): Context | null =>
  adapter.known && {
    programs: adapter.known.programs,
    fileOf: (source) => adapter.programs.fileOf(source),
  };

function applyPoints(adapter: Adapter): Binding[] {
  const bindings = adapter.points.bindAll(contextOf(adapter));
  adapter.rules.points = bindings.flatMap(({ point }) => (point ? [point] : []));
  return bindings;
}

function answer(adapter: Adapter, asked: readonly Asked[]) {
  applyPoints(adapter);
  const context = contextOf(adapter);
  return { body: { breakpoints: asked.map((a) => shown(adapter, bind(a, context))) } };
}

function shown(adapter: Adapter, { asked, bound }: Binding): DebugProtocol.Breakpoint {
  const { spec } = asked;
  const line = bound.line ?? (spec.type === 'line' ? spec.line : undefined);
  const source =
    spec.type === 'line' ? spec.source : spec.type === 'function' ? adapter.programs.source(0) : undefined;
  return {
    id: asked.id,
    ...bound,
    ...(source && (spec.type === 'line' || bound.verified) ? { source } : {}),
    ...(line === undefined ? {} : { line: adapter.line(line) }),
    ...(bound.endLine === undefined ? {} : { endLine: adapter.line(bound.endLine) }),
  };
}

const conditions = (b: { condition?: string | undefined; hitCondition?: string | undefined }) => ({
  ...(b.condition ? { condition: b.condition } : {}),
  ...(b.hitCondition ? { hitCondition: b.hitCondition } : {}),
});

function exceptionRule(condition: string): ExceptionRule {
  if (condition === '') return {};
  // Type names, as debugpy takes them; all else is an expression.
  if (/^[A-Za-z_][\w.]*(\s*,\s*[A-Za-z_][\w.]*)*$/.test(condition))
    return { types: condition.split(/\s*,\s*/) };
  return { condition };
}

const targetSchema = z.object({
  scope: z.enum(['local', 'global', 'expression']),
  text: z.string(),
  frame: z.number().int(),
  file: z.number().int(),
});

/** A data id is a target's JSON; anything else watches nothing. */
function readDataId(dataId: string): Target | null {
  try {
    return targetSchema.parse(JSON.parse(dataId));
  } catch {
    return null;
  }
}
