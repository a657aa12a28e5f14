/** @file Breakpoints: by line, by the text of the line, by function; conditional, counted, temporary. */
import { z } from 'zod';
import { parseProgram } from '../../../source/index.ts';
import type { Point } from '../points.ts';
import { programFrom } from '../programs.ts';
import type { DebugSession } from '../sessions.ts';
import { contextOf } from '../show.ts';
import { defineTool, type Kit, sessionId } from './kit.ts';

export function breakpointTools(kit: Kit): void {
  const { sessions } = kit;

  defineTool(
    kit,
    'set_breakpoint',
    {
      title: 'Set a breakpoint',
      description:
        'By `line`, by `statement` (the text of the line: safer, found again after edits) or by `function`. Before start_debugging too, with `file` or `code`.',
      input: {
        sessionId,
        file: z.string().optional().describe("The program, where it isn't known yet."),
        code: z.string().optional(),
        line: z.number().int().min(1).optional(),
        statement: z.string().optional().describe('Text of the line; part of it is enough.'),
        nearLine: z.number().int().min(1).optional().describe('Which one, where the statement occurs twice.'),
        function: z.string().optional().describe('Stops at its first line.'),
        expectedContent: z.string().optional().describe('With `line`: what the line must contain.'),
        condition: z.string().optional().describe('A Python expression over the variables there.'),
        ignoreCount: z.number().int().min(0).optional().describe('Hits to pass over first.'),
        temporary: z.boolean().optional().describe('Gone after the first hit.'),
      },
    },
    async ({ sessionId: id, file, code, ignoreCount, ...wanted }) => {
      const session = sessions.get(id);
      if (!session.program && (file !== undefined || code !== undefined)) {
        session.program = await programFrom({ scriptPath: file, code }, kit.roots);
        if (session.program) {
          session.points.rebind(parseProgram(session.program.text, session.program.path));
        }
      }
      const point = session.points.add({ ...wanted, ignore: ignoreCount });
      return { success: true, ...described(session, point), ...around(session, point) };
    },
  );

  defineTool(
    kit,
    'list_breakpoints',
    {
      title: 'List breakpoints',
      description: 'With hit counts, and why one could not be set.',
      input: { sessionId },
      annotations: { readOnlyHint: true },
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      const { all } = session.points;
      return {
        success: true,
        breakpoints: all.map((point) => described(session, point)),
        count: all.length,
      };
    },
  );

  defineTool(
    kit,
    'remove_breakpoint',
    {
      title: 'Remove a breakpoint',
      description: 'By the id that set_breakpoint gave.',
      input: { sessionId, breakpointId: z.string() },
      annotations: { idempotentHint: true },
    },
    async (args) => {
      const point = sessions.get(args.sessionId).points.remove(args.breakpointId);
      return { success: true, message: `Removed ${point.id}.` };
    },
  );

  defineTool(
    kit,
    'clear_breakpoints',
    {
      title: 'Remove all breakpoints',
      description: 'Of this session.',
      input: { sessionId },
      annotations: { idempotentHint: true },
    },
    async (args) => {
      const { points } = sessions.get(args.sessionId);
      const ids = points.all.map((point) => point.id);
      for (const id of ids) points.remove(id);
      return { success: true, message: `Removed ${ids.length}.`, removed: ids };
    },
  );
}

// --- internal ---

function described(session: DebugSession, point: Point) {
  const { id, wanted, bound } = point;
  const line = bound?.line ?? wanted.line;
  return {
    breakpointId: id,
    ...(session.program ? { file: session.program.path } : {}),
    ...(line === undefined ? {} : { line }),
    ...(wanted.statement === undefined ? {} : { statement: wanted.statement }),
    ...(wanted.function === undefined ? {} : { function: wanted.function }),
    ...(wanted.condition === undefined ? {} : { condition: wanted.condition }),
    verified: bound !== null,
    hits: bound?.hits ?? 0,
    ...(point.warning ? { warning: point.warning } : {}),
    ...(point.problem ? { problem: point.problem } : {}),
    message: bound ? `Breakpoint at line ${bound.line}.` : 'Bound when a program is there.',
  };
}

function around(session: DebugSession, point: Point) {
  if (!point.bound || !session.program) return {};
  const program = parseProgram(session.program.text, session.program.path);
  return { context: contextOf(program, point.bound.line) };
}
