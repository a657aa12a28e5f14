/**
 * @file What kind of statement a state stands on: by which an evaluation tells apart what a model can do. Syntax, and the count
 * of the active loop; one kind a state, the most telling first.
 */
import { parser } from '@lezer/python';
import type { Program } from '../source/types.ts';
import type { Frame, State } from '../state/types.ts';

/** In the order in which a report shows them. */
export const CONSTRUCTS = [
  'call',
  'for, first',
  'for, next',
  'while',
  'if',
  'return',
  'assign',
  'augmented assign',
  'own call',
  'comprehension',
  'method statement',
  'expression',
  'raise or assert',
  'try, with',
  'definition',
  'break, continue, pass',
  'after a return',
  'after a yield',
  'exception',
  'other',
] as const;

export type Construct = (typeof CONSTRUCTS)[number];

/**
 * `call`: at the entry of a function, nothing run yet. `own call`: a statement, but no header, that may call a function of the
 * program. `method statement`: `xs.append(1)` for its own sake.
 */
export function constructOf(state: State, programs: readonly Program[]): Construct {
  switch (state.kind) {
    case 'call':
      return 'call';
    case 'return':
      return 'after a return';
    case 'yield':
      return 'after a yield';
    case 'exception':
      return 'exception';
    default:
      return statementOf(state.stack.at(-1)!, programs);
  }
}

// --- internal ---

function statementOf(frame: Frame, programs: readonly Program[]): Construct {
  const program = programs[frame.file];
  const unit = frame.scope < 0 ? undefined : program?.unit(frame.scope, frame.line);
  if (!program || !unit) return 'other';
  const text = unit.text.trim();
  if (/^(?:async\s+)?for\b/.test(text)) {
    const loop = frame.loops.find(({ line }) => line === frame.line);
    return loop && loop.count > 1 ? 'for, next' : 'for, first';
  }
  for (const [pattern, construct] of HEADERS) if (pattern.test(text)) return construct;
  const [kind, names] = syntaxOf(text);
  if (names.has('comprehension')) return 'comprehension';
  if (program.callTargets(frame.scope, frame.line).length > 0) return 'own call';
  if (text.startsWith('return')) return 'return';
  if (kind === 'ExpressionStatement') return names.has('method') ? 'method statement' : 'expression';
  if (kind === 'UpdateStatement') return 'augmented assign';
  if (kind === 'AssignStatement') return 'assign';
  return 'other';
}

const HEADERS: readonly (readonly [RegExp, Construct])[] = [
  [/^while\b/, 'while'],
  [/^(?:if|elif|match|case)\b/, 'if'],
  [/^(?:raise|assert)\b/, 'raise or assert'],
  [/^(?:try|except|finally|else|with|async\s+with)\b/, 'try, with'],
  [/^(?:def|class|async\s+def|@|import|from|global|nonlocal)(?:\b|\s)/, 'definition'],
  [/^(?:break|continue|pass)\b/, 'break, continue, pass'],
];

/** The statement's node, and what is in it: `comprehension`, `method` (the statement is a call of an attribute). */
function syntaxOf(text: string): readonly [string, ReadonlySet<string>] {
  const tree = parser.parse(`${text}\n`);
  const first = tree.topNode.firstChild;
  const names = new Set<string>();
  tree.iterate({
    enter: ({ name }) => {
      if (name.endsWith('ComprehensionExpression')) names.add('comprehension');
    },
  });
  const call = first?.firstChild;
  if (call?.name === 'CallExpression' && call.firstChild?.name === 'MemberExpression') names.add('method');
  return [first?.name ?? '', names];
}
