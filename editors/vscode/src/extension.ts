/** @file The extension on the desktop: `npdb dap` in a child process. */
import * as vscode from 'vscode';
import { adapterCommand } from './command.ts';
import { register } from './register.ts';

export function activate(context: vscode.ExtensionContext): void {
  register(vscode, context, {
    createDebugAdapterDescriptor(session) {
      const folder = session.workspaceFolder?.uri.fsPath;
      const set = vscode.workspace
        .getConfiguration('npdb', session.workspaceFolder)
        .get<string[]>('command', []);
      const { command, args } = adapterCommand(set, folder, vscode.workspace.isTrusted);
      return new vscode.DebugAdapterExecutable(command, args, folder ? { cwd: folder } : {});
    },
  });
}
