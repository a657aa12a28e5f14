/** @file What an agent is told before its first call, and the prompts it can be given. */

export const INSTRUCTIONS = `npdb debugs Python forwards and backwards. Its neural engine predicts each state from the source with a language model and never runs the program: use it for code that cannot or must not run here. Its recorded engine is a real run in a sandbox; its compared engine does both and lists where they part.

How to work:
1. create_debug_session, then set_breakpoint (best by statement: the text of the line), then start_debugging with scriptPath or code, and call: "f(1, [2])".
2. step_over, step_into, step_out, continue_execution; step_back and reverse_continue to look at what led here. Every answer has the location, the source around it, the changed variables, the reason of the stop and, of predicted states, a confidence in 0..1.
3. set_variable asks "what if?"; predict_output and predict_input need no walk; compare_with_real says how far a prediction is true, where the program can be run.
4. Every stop has a position: goto_position returns to it, \`from\` moves from it. Repeating a call with \`from\` is safe.

Predictions can be wrong: doubt low confidence, take small steps rather than long jumps, and check with compare_with_real where you may run the program. What is not known is answered with an error code, never guessed.`;

/** Localise a bug in code that cannot be run. */
export function debugPrompt(file: string, call: string, symptom: string): string {
  return `Find the bug in ${file} with the npdb tools; the program cannot be run here.

Symptom: ${symptom}
Call: ${call}

1. predict_output of the call and of smaller calls of the functions it uses, with the expected value where you know it.
2. Where a prediction differs from what it should be, start_debugging that call with the neural engine and step until a variable is first wrong; step_back to the line that made it so.
3. Test your idea: set_variable to the value that should be there and continue. If the result becomes right, that line is the cause.
4. Say the line, what is wrong with it, the mended line, and how confident the predictions were.`;
}

/** Inputs that reach an output. */
export function inputPrompt(file: string, name: string, value: string): string {
  return `Which arguments make ${name} in ${file} return ${value}? Use predict_input (function: "${name}", value: "${value}"). Prefer candidates that are checked; for others walk the call with start_debugging and say which step convinced you.`;
}
