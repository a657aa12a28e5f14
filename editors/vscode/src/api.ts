/** @file The part of VS Code's API that the extension uses, handed in: so that its code is tested without an editor. */
import type * as vscode from 'vscode';

export type Api = Pick<
  typeof vscode,
  | 'commands'
  | 'debug'
  | 'window'
  | 'workspace'
  | 'languages'
  | 'InlineValueText'
  | 'Range'
  | 'Uri'
  | 'DebugAdapterExecutable'
  | 'DebugAdapterInlineImplementation'
>;
export type { vscode };
