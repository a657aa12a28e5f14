/**
 * @file The extension in a browser: no Node, no child process. The adapter, the model and (for real runs) Python are
 * all in the extension host's worker and workers of its own; nothing is sent anywhere.
 */
import * as vscode from 'vscode';
import { NpdbSession } from '../../../src/faces/dap/session.ts';
import { register } from './register.ts';
import { webEngines } from './webEngines.ts';
import { webHost } from './webHost.ts';

export function activate(context: vscode.ExtensionContext): void {
  const read = (name: string) =>
    vscode.workspace.fs.readFile(vscode.Uri.joinPath(context.extensionUri, 'dist', 'runtime', name));
  const engines = webEngines(async (name) => new Uint8Array(await read(name)));
  const host = webHost((path) => vscode.workspace.fs.readFile(uriOf(path)), engines);
  register(vscode, context, {
    createDebugAdapterDescriptor: () => new vscode.DebugAdapterInlineImplementation(new NpdbSession(host)),
  });
  context.subscriptions.push({ dispose: () => void engines.close() });
}

/** `vscode-vfs://github/...`, or a plain path. */
function uriOf(path: string): vscode.Uri {
  return /^[a-z][\w+.-]+:/i.test(path) ? vscode.Uri.parse(path, true) : vscode.Uri.file(path);
}
