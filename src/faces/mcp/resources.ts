/** @file Resources of each session: its source, its walk, its recording, a report. Whole, where replies are cut. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js';
import { NpdbError } from '../../common/errors.ts';
import type { Position } from '../../debugger/types.ts';
import type { DebugSession, Sessions } from './sessions.ts';
import { changedBetween, differencesOf, endText, plain, stateOf, sureness } from './show.ts';
import { positionsOf } from './tools/motion.ts';

const KINDS = {
  source: { mimeType: 'text/x-python', description: 'The program.', read: sourceOf },
  trace: {
    mimeType: 'application/jsonl',
    description: 'The walk so far, one position a line.',
    read: traceOf,
  },
  report: { mimeType: 'text/markdown', description: 'The walk so far, to read.', read: reportOf },
} as const;

type Kind = keyof typeof KINDS;

const uriOf = (session: DebugSession, kind: Kind): string => `npdb://sessions/${session.id}/${kind}`;

export function registerResources(server: McpServer, sessions: Sessions): void {
  for (const [kind, { mimeType, description, read }] of Object.entries(KINDS)) {
    const template = new ResourceTemplate(`npdb://sessions/{sessionId}/${kind}`, {
      list: async () => ({
        resources: sessions.all
          .filter((session) => session.opened)
          .map((session) => ({
            uri: uriOf(session, kind as Kind),
            name: `${session.name}: ${kind}`,
            description,
            mimeType,
          })),
      }),
      complete: { sessionId: (start) => sessions.all.map((s) => s.id).filter((id) => id.startsWith(start)) },
    });
    server.registerResource(
      `session-${kind}`,
      template,
      { description, mimeType },
      async (uri, { sessionId }) => {
        const session = sessions.get(String(sessionId));
        return { contents: [{ uri: uri.href, mimeType, text: read(session) }] };
      },
    );
  }
}

// --- internal ---

function sourceOf(session: DebugSession): string {
  if (session.program) return session.program.text;
  throw new NpdbError('E_NOT_STARTED', 'This session has no program yet.', 'Call start_debugging first.');
}

/** Positions as the command line's `--json` has them, without what an engine keeps for itself. */
function traceOf(session: DebugSession): string {
  const line = (position: Position) =>
    JSON.stringify(position, (key, value) =>
      key === 'beyond' ? undefined : value instanceof Map ? Object.fromEntries(value) : value,
    );
  return `${positionsOf(session.started.debug).map(line).join('\n')}\n`;
}

function reportOf(session: DebugSession): string {
  const { debug, files } = session.started;
  const { launch } = session;
  const positions = positionsOf(debug);
  const lines = [
    `# ${session.name}`,
    '',
    `- program: \`${files.names[0]}\`${launch?.call === undefined ? '' : `, call \`${launch.call}\``}`,
    `- engine: ${debug.engine} (${debug.about})`,
    `- positions: ${positions.length}, current ${debug.current.id}`,
    '',
    '## Breakpoints',
    '',
    ...(session.points.all.length === 0 ? ['none'] : []),
    ...session.points.all.map(
      (p) =>
        `- ${p.id}: ${p.bound ? `line ${p.bound.line}, ${p.bound.hits} hits` : (p.problem ?? 'not bound')}`,
    ),
    '',
    '## Walk',
    '',
    '| position | from | by | event | line | changed | origin | parts from the real run |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...positions.map((position) => row(position, positions)),
  ];
  return `${lines.join('\n')}\n`;
}

function row(position: Position, all: readonly Position[]): string {
  const state = stateOf(position);
  const before = position.from === undefined ? null : all[position.from];
  const changed = state ? changedBetween(before ? stateOf(before) : null, state) : [];
  const { outcome } = position;
  const top = state?.stack.at(-1);
  const value = state?.value === undefined ? '' : ` ${plain(state.value)}`;
  const cells = [
    position.id,
    position.from ?? '',
    position.edit ? `set ${position.edit.name} = ${position.edit.value}` : (position.action?.type ?? ''),
    outcome.type === 'state' ? `${outcome.state.kind}${value}` : endText(outcome),
    top ? `${top.fn}:${top.line}` : '',
    changed.map((c) => `${c.name} = ${c.value ?? '(gone)'}`).join(', '),
    sureness(position),
    differencesOf(position.differences ?? [])
      .map((d) => `${d.what}: ${d.predicted} / real ${d.real}`)
      .join(', '),
  ];
  return `| ${cells.map((c) => String(c).replace(/\|/g, '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}
