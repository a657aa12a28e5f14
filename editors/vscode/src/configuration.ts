/** @file A launch configuration before it is used: F5 in a Python file without any, and trust. */
import type { Api, vscode } from './api.ts';

/** Undefined: nothing is started. */
export async function resolve(
  api: Api,
  given: vscode.DebugConfiguration,
): Promise<vscode.DebugConfiguration | undefined> {
  let configuration = given;
  if (!given.type && !given.request) {
    const document = api.window.activeTextEditor?.document;
    if (document?.languageId !== 'python') return undefined;
    const call = await askCall(api, document.getText());
    if (call === undefined) return undefined;
    configuration = callConfiguration(document.uri.toString(), call);
  }
  if (!api.workspace.isTrusted && (configuration.engine ?? 'neural') !== 'neural') {
    const said = `The engine ${configuration.engine} runs the program: trust this workspace first, or use "neural".`;
    await api.window.showErrorMessage(said);
    return undefined;
  }
  if (!api.workspace.isTrusted && configuration.verify && configuration.verify !== 'off') {
    return { ...configuration, verify: 'off' };
  }
  return configuration;
}

export function callConfiguration(program: string, call: string): vscode.DebugConfiguration {
  const what = call === '' ? 'this file' : call;
  return {
    type: 'npdb',
    request: 'launch',
    name: `npdb: predict ${what}`,
    program,
    engine: 'neural',
    stopOnEntry: true,
    ...(call === '' ? {} : { call }),
  };
}

/** The call to debug; empty: the file as a script; undefined: nothing. */
export async function askCall(api: Api, text: string): Promise<string | undefined> {
  return api.window.showInputBox({
    title: 'Neural: which call?',
    prompt: 'A call of one of the functions of this file; empty: the file as a script.',
    value: firstCall(text),
  });
}

/** `f(a, b)` of the last function at module level: what one has just written. */
export function firstCall(text: string): string {
  const found = [...text.matchAll(/^(?:async\s+)?def\s+([\p{L}_][\p{L}\p{N}_]*)\s*\(([^)]*)\)/gmu)].at(-1);
  if (!found) return '';
  const names = found[2]!
    .split(',')
    .map((part) => part.split(/[:=]/)[0]!.trim())
    .filter((name) => name !== '' && !/^[*/]/.test(name));
  return `${found[1]}(${names.join(', ')})`;
}
