/**
 * @file Breakpoints as the client asked for them, bound to the program once it is known. A breakpoint that is sent
 * again unchanged keeps its id, and so its count of hits.
 */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { NpdbError } from '../../common/errors.ts';
import { type AnyPoint, readHitCondition, type Target } from '../../debugger/stops/index.ts';
import type { Program } from '../../source/types.ts';

type Bound = Pick<DebugProtocol.Breakpoint, 'verified' | 'message' | 'reason' | 'line' | 'endLine'>;

export interface Asked {
  readonly id: number;
  /** Lines from 1, whatever the client counts from. */
  readonly spec: Spec;
}

export type Spec =
  | (Common & {
      readonly type: 'line';
      readonly source: DebugProtocol.Source;
      readonly line: number;
      readonly log?: string;
    })
  | (Common & { readonly type: 'function'; readonly name: string })
  | (Common & { readonly type: 'data'; readonly target: Target | null; readonly why?: string });

interface Common {
  readonly condition?: string;
  readonly hitCondition?: string;
}

export interface Binding {
  readonly asked: Asked;
  readonly bound: Bound;
  /** Null where it cannot stop anything. */
  readonly point: AnyPoint | null;
}

export interface Context {
  readonly programs: readonly Program[];
  readonly fileOf: (source: DebugProtocol.Source) => number | null;
}

export class Points {
  readonly #groups = new Map<string, readonly Asked[]>();
  #next = 1;

  /** Replaces a group: all breakpoints of a source, all function breakpoints, all data breakpoints. */
  set(group: string, specs: readonly Spec[]): readonly Asked[] {
    const old = new Map((this.#groups.get(group) ?? []).map((asked) => [JSON.stringify(asked.spec), asked]));
    const asked = specs.map((spec) => {
      const key = JSON.stringify(spec);
      const same = old.get(key);
      // Two alike are two.
      old.delete(key);
      return same ?? { id: this.#next++, spec };
    });
    if (asked.length === 0) this.#groups.delete(group);
    else this.#groups.set(group, asked);
    return asked;
  }

  bindAll(context: Context | null): Binding[] {
    return [...this.#groups.values()].flat().map((asked) => bind(asked, context));
  }
}

/** Null context: nothing is launched yet, so that nothing can be said. */
export function bind(asked: Asked, context: Context | null): Binding {
  if (!context) {
    const bound = {
      verified: false,
      reason: 'pending',
      message: 'Bound when the program is launched.',
    } as const;
    return { asked, bound, point: null };
  }
  try {
    return bindTo(asked, context);
  } catch (error) {
    if (!(error instanceof NpdbError)) throw error;
    const bound = { verified: false, reason: 'failed', message: error.line() } as const;
    return { asked, bound, point: null };
  }
}

// --- internal ---

function bindTo(asked: Asked, context: Context): Binding {
  const { id, spec } = asked;
  const common = {
    id,
    ...(spec.condition?.trim() ? { condition: spec.condition.trim() } : {}),
    ...(spec.hitCondition?.trim() ? { hit: readHitCondition(spec.hitCondition) } : {}),
  };
  switch (spec.type) {
    case 'line': {
      const { file, unit } = unitFor(spec, context);
      const bound = { verified: true, line: unit.line, endLine: unit.endLine };
      const log = spec.log ? { log: spec.log } : {};
      return { asked, bound, point: { ...common, type: 'line', file, line: unit.line, ...log } };
    }
    case 'function': {
      const name = spec.name.trim();
      const scope = context.programs[0]?.scopes.find((s) => s.name === name || s.qualname === name);
      if (!scope || scope.kind === 'module') {
        throw new NpdbError('E_BREAKPOINT', `The program has no function ${name}.`, '');
      }
      return {
        asked,
        bound: { verified: true, line: scope.line },
        point: { ...common, type: 'function', name },
      };
    }
    case 'data': {
      const { target } = spec;
      if (!target) throw new NpdbError('E_BREAKPOINT', spec.why ?? 'This cannot be watched.', '');
      return { asked, bound: { verified: true }, point: { ...common, type: 'data', target } };
    }
  }
}

/** The statement on the line, or the next one below: a breakpoint on a comment slides down. */
function unitFor(spec: Extract<Spec, { type: 'line' }>, context: Context) {
  const file = context.fileOf(spec.source);
  const program = file === null ? undefined : context.programs[file];
  if (file === null || !program) {
    const name = spec.source.path ?? spec.source.name ?? 'this source';
    throw new NpdbError('E_BREAKPOINT', `${name} is not the program that is debugged.`, '');
  }
  for (let line = Math.max(1, spec.line); line <= program.lines.length; line += 1) {
    const unit = program.unitAt(line);
    if (unit) return { file, unit };
  }
  throw new NpdbError('E_BREAKPOINT', 'There is no code on this line or below it.', '');
}
