/** @file What both forms of the extension do: commands, inline values, the configuration's defaults. */
import type { Api, vscode } from './api.ts';
import { commands } from './commands.ts';
import { resolve } from './configuration.ts';
import { inlineValues } from './inline.ts';

export function register(
  api: Api,
  context: Pick<vscode.ExtensionContext, 'subscriptions'>,
  factory: vscode.DebugAdapterDescriptorFactory,
): void {
  const provider: vscode.DebugConfigurationProvider = {
    resolveDebugConfiguration: (_, configuration) => resolve(api, configuration),
  };
  context.subscriptions.push(
    api.debug.registerDebugConfigurationProvider('npdb', provider),
    api.debug.registerDebugAdapterDescriptorFactory('npdb', factory),
    api.languages.registerInlineValuesProvider({ language: 'python' }, inlineValues(api)),
    ...commands(api),
  );
}
