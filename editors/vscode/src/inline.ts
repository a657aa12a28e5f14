/** @file Values at the ends of lines while a program is debugged, with the model's confidence: the adapter's own words. */
import type { Api, vscode } from './api.ts';
import { pathOf } from './commands.ts';

export function inlineValues(api: Api): vscode.InlineValuesProvider {
  return {
    async provideInlineValues(document, viewport, context) {
      const session = api.debug.activeDebugSession;
      const wanted = api.workspace.getConfiguration('npdb').get('inlineValues', true);
      if (!wanted || session?.type !== 'npdb' || !isProgram(session, document)) return [];
      const answer = await session
        .customRequest('npdb/inlineValues', { frameId: context.frameId })
        // It may run again by now.
        .then(
          (body: { values: readonly { line: number; text: string }[] }) => body.values,
          () => [],
        );
      return answer
        .map(({ line, text }) => ({ line: line - 1, text }))
        .filter(
          ({ line }) => line >= viewport.start.line && line <= viewport.end.line && line < document.lineCount,
        )
        .map(({ line, text }) => {
          const end = document.lineAt(line).range.end;
          return new api.InlineValueText(new api.Range(end, end), text);
        });
    },
  };
}

function isProgram(session: vscode.DebugSession, document: vscode.TextDocument): boolean {
  const { program } = session.configuration as { program?: string };
  return program === undefined || program === pathOf(document.uri) || program === document.uri.toString();
}
