/** @file The commands. Each is one request to the adapter; what comes back is shown as a choice or in the console. */
import type { Api, vscode } from './api.ts';
import { askCall, callConfiguration } from './configuration.ts';

interface Candidate {
  readonly call: string;
  readonly text: string;
}

export function commands(api: Api): vscode.Disposable[] {
  const add = (name: string, run: (argument: unknown) => Promise<void>): vscode.Disposable =>
    api.commands.registerCommand(`npdb.${name}`, (argument: unknown) => reported(api, () => run(argument)));
  return [
    add('runToHere', async () => {
      const { editor, session } = here(api);
      const source = { path: pathOf(editor.document.uri) };
      await session.customRequest('npdb/runTo', { source, line: editor.selection.active.line + 1 });
    }),
    add('whatLeadsHere', async () => {
      const { session } = here(api);
      const value = await api.window.showInputBox({
        title: 'Neural: what input leads here?',
        prompt: 'The value this function should return, as a Python literal.',
      });
      if (!value) return;
      const answer = (await session.customRequest('npdb/inverse', { value })) as {
        candidates: readonly Candidate[];
      };
      await choose(api, session, answer.candidates, value);
    }),
    add('whoChanged', async (argument) => {
      const { session, editor } = here(api);
      const name = variableName(argument) ?? wordAt(editor);
      if (!name) throw new Error('Put the cursor on a variable.');
      await session.customRequest('npdb/whoChanged', { name, ...frameOf(api) });
    }),
    add('stepBackInto', async () => {
      await here(api).session.customRequest('npdb/reverseStepIn', {});
    }),
    add('stepBackOut', async () => {
      await here(api).session.customRequest('npdb/reverseStepOut', {});
    }),
    add('compare', async () => {
      const { session } = here(api);
      const { place, differences } = (await session.customRequest('npdb/compare', {})) as {
        place: string;
        differences: readonly string[];
      };
      const said = differences.length > 0 ? differences.join('; ') : 'the prediction agrees';
      await api.window.showInformationMessage(`npdb: ${place}; ${said}`);
    }),
    add('debugCall', async () => {
      const document = api.window.activeTextEditor?.document;
      if (!document) throw new Error('Open a Python file.');
      const call = await askCall(api, document.getText());
      if (call === undefined) return;
      await api.debug.startDebugging(undefined, callConfiguration(pathOf(document.uri), call));
    }),
  ];
}

/** As the adapter names files: a path where there are files, otherwise the URI. */
export function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.toString();
}

/** Shows proposals; the chosen one is debugged. */
async function choose(
  api: Api,
  session: vscode.DebugSession,
  candidates: readonly Candidate[],
  value: string,
): Promise<void> {
  if (candidates.length === 0) {
    await api.window.showInformationMessage(`npdb: no input was proposed for ${value}.`);
    return;
  }
  const items = candidates.map((c) => ({ label: c.call, description: c.text.replace(/\s*#\s*/, ', ') }));
  const title = `Neural: inputs that would return ${value}`;
  const chosen = await api.window.showQuickPick(items, { title, placeHolder: 'Choose one to debug it.' });
  if (!chosen) return;
  const configuration = { ...session.configuration, call: chosen.label, name: `npdb: ${chosen.label}` };
  await api.debug.startDebugging(session.workspaceFolder, configuration);
}

function here(api: Api): { readonly session: vscode.DebugSession; readonly editor: vscode.TextEditor } {
  const session = api.debug.activeDebugSession;
  const editor = api.window.activeTextEditor;
  if (session?.type !== 'npdb') throw new Error('Start npdb first.');
  if (!editor) throw new Error('Open the program in an editor.');
  return { session, editor };
}

/** The variables view hands over what was clicked. */
function variableName(argument: unknown): string | undefined {
  const { variable } = (argument ?? {}) as { variable?: { evaluateName?: string; name?: string } };
  return variable?.evaluateName ?? variable?.name;
}

function wordAt(editor: vscode.TextEditor): string {
  const range = editor.document.getWordRangeAtPosition(editor.selection.active);
  return range ? editor.document.getText(range) : '';
}

function frameOf(api: Api): { frameId?: number } {
  const item = api.debug.activeStackItem as { frameId?: number } | undefined;
  return item?.frameId === undefined ? {} : { frameId: item.frameId };
}

async function reported(api: Api, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    await api.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
