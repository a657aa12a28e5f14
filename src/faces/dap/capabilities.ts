/** @file What `initialize` promises. A line is here only if a test drives it. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { EXCEPTION_FILTERS } from './points.ts';

export const CAPABILITIES: DebugProtocol.Capabilities = {
  supportsConfigurationDoneRequest: true,
  supportsRestartRequest: true,
  supportsTerminateRequest: true,
  supportTerminateDebuggee: true,
  // Editors show the step back and reverse buttons.
  supportsStepBack: true,
  supportsSteppingGranularity: true,
  supportsRestartFrame: true,
  supportsGotoTargetsRequest: true,
  supportsStepInTargetsRequest: true,
  supportsFunctionBreakpoints: true,
  supportsConditionalBreakpoints: true,
  supportsHitConditionalBreakpoints: true,
  supportsLogPoints: true,
  supportsBreakpointLocationsRequest: true,
  // "Break on value change" in the variables view.
  supportsDataBreakpoints: true,
  exceptionBreakpointFilters: [...EXCEPTION_FILTERS],
  supportsExceptionFilterOptions: true,
  supportsExceptionInfoRequest: true,
  supportsExceptionOptions: false,
  supportsSetVariable: true,
  supportsSetExpression: true,
  supportsEvaluateForHovers: true,
  supportsClipboardContext: true,
  supportsCompletionsRequest: true,
  completionTriggerCharacters: ['.', '['],
  supportsLoadedSourcesRequest: true,
  supportsModulesRequest: true,
  supportsDelayedStackTraceLoading: true,
  supportsValueFormattingOptions: false,
  supportsCancelRequest: true,
};
