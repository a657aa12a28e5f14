/** @file The text of `docs/differential.md` from the results of `differential.mjs`: counts, and each rule with its count. */

/** A stop that `bdb` makes and the recorded engine does not, or the other way round, on purpose. */
export const RULES = {
  'same-statement':
    'CPython reports each physical line of a statement, and a comprehension from 3.12 once for each element; the engine stops once where a statement begins.',
  declaration: '`global`, `nonlocal`, docstrings and bare annotations are no stops.',
  'class-header': 'A class body begins with the class line again; the engine has been there.',
  'phantom-case-line':
    'Up to 3.11 an `if` that is false at the end of a `case` reports the last line of its body, which does not run.',
  'comprehension-frame':
    'Comprehensions (up to 3.11) and generator expressions are frames to `bdb`; they are part of their line here.',
  'comprehension-target': 'From 3.12 the target of a comprehension shows among the locals while it runs.',
  'iterator-end': '`StopIteration` that `for`, `yield from` or `await` uses up is no stop.',
  closing: 'The closing of a generator that nothing handles is no stop (3.13 does not report it either).',
  unwinding:
    '`bdb` reports the end of a frame that an exception leaves as `return None`; here its `exception` is its end.',
  'generator-yield':
    '`next` in a generator, or `return` into one, stops at its `yield`; `bdb` runs on to its next line, past whoever resumes it.',
  'generator-end':
    '`next`, `until` and `return` in a generator stop where it ends; `bdb` runs past that end.',
  'generator-stop-elsewhere':
    'While `bdb` waits for a generator it stops at any `StopIteration` of another frame.',
  'breakpoint-in-statement':
    'A breakpoint on a statement of several lines, or on a loop or comprehension on one line, is hit once each time the statement begins.',
  'until-in-statement': '`until` compares with the line where a statement begins, not with its other lines.',
  'caller-beyond-library':
    '`return` leads to the next frame of the program; `bdb` would stop in the library that called it, or never.',
};

/** What ends a comparison before its commands do: what stops had been compared counts, the rest is not claimed. */
export const ENDS = {
  'recursion-limit':
    "The limit counts the program's own frames on both sides. Where a library's frames recurse between them `bdb`'s and the engine's own take other room, and the two go on differently.",
  threads: '`bdb` follows the main thread; what others have done by then is chance.',
  version:
    'Pyodide only: after an edit the program raises what the two Pythons word differently, or has a global that only an annotation names, which 3.14 does not evaluate.',
  limit:
    'The program has no end within the limits, or recursion through a library up to 3.12 left the tracer no room and the recording is cut.',
};

const number = (n) => n.toLocaleString('en-US');
const CORPORA = { cases: 'cases', random: 'random programs', training: 'training programs' };

export function differentialPage(results, { sum, NOTHING }) {
  const tallies = results.filter(({ tally }) => tally);
  const apart = results.filter((result) => result.apart).length;
  const total = tallies.reduce((all, { tally }) => sum(all, tally), NOTHING);
  const lines = [
    '# The recorded engine and bdb',
    '',
    "Made by `npm run verify -- differential` (`scripts/differential.mjs`). CPython's own `bdb.Bdb` (`src/differential/drive.py`) and",
    'the recorded engine play the same commands (step, next, return, until, continue to breakpoints: plain, conditional, temporary,',
    'with ignore counts, enabled and disabled, and edits of variables). At each stop these must be equal: kind of event, file, function,',
    'line, the stack with its lines, the value of every local and of every global that the function names, the returned or',
    'yielded value, the exception; at the end how the program ended, and hits and ignore counts of each breakpoint.',
    '',
    `${number(total.programs)} programs (each counted once for each Python), ${number(total.sequences)} command sequences, ${number(total.stops)} stops compared, **${number(total.unexplained.length)} unexplained differences**.`,
    '',
    '| Python | programs | kind | sequences | stops | unexplained |',
    '|---|---:|---|---:|---:|---:|',
  ];
  for (const name of new Set(results.map((result) => result.name))) {
    for (const [corpus, words] of Object.entries(CORPORA)) {
      const own = tallies.filter((result) => result.name === name && result.corpus === corpus);
      if (own.length === 0) continue;
      const t = own.reduce((all, { tally }) => sum(all, tally), NOTHING);
      lines.push(
        `| ${name} | ${number(t.programs)} | ${words} | ${number(t.sequences)} | ${number(t.stops)} | ${t.unexplained.length} |`,
      );
    }
  }
  if (apart > 0) {
    lines.push(
      '',
      `Not compared in Pyodide: ${number(apart)} programs that themselves run otherwise there (no threads, 32-bit sizes and hashes, 3.14's words and comparisons: [parity.md](parity.md)). Processes cannot be started there at all.`,
    );
  }
  lines.push(
    '',
    '## Differences on purpose',
    '',
    "Each rule sets aside one stop of `bdb` of the one kind it names, and the command goes on as `bdb` would (`drive.py`); counted is how often. `bdb`'s `skip` does the same for the library's frames.",
    '',
    '| rule | times | what and why |',
    '|---|---:|---|',
    ...Object.entries(RULES).map(([rule, why]) => `| ${rule} | ${number(total.rules[rule] ?? 0)} | ${why} |`),
    '',
  );
  const ended = Object.values(total.early).reduce((all, { sequences }) => all + sequences, 0);
  lines.push(
    '## Compared in part',
    '',
    `${number(ended)} of the ${number(total.sequences)} sequences end before their commands do. All stops up to there are compared and are in the counts above; what would follow is not claimed.`,
    '',
    '| reason | sequences | stops compared before | why |',
    '|---|---:|---:|---|',
    ...Object.entries(ENDS).map(([rule, why]) => {
      const { sequences, stops } = total.early[rule] ?? { sequences: 0, stops: 0 };
      return `| ${rule} | ${number(sequences)} | ${number(stops)} | ${why} |`;
    }),
    '',
  );
  const unknown = [
    ...Object.keys(total.rules).filter((rule) => !(rule in RULES)),
    ...Object.keys(total.early).filter((rule) => !(rule in ENDS)),
  ];
  if (unknown.length > 0) throw new Error(`rules without a reason: ${unknown.join(', ')}`);
  const summary = `differential: ${number(total.programs)} programs, ${number(total.sequences)} command sequences, ${number(total.stops)} stops compared, ${total.unexplained.length} unexplained; by rule: ${Object.entries(
    total.rules,
  )
    .map(([rule, count]) => `${rule} ${number(count)}`)
    .join(', ')}`;
  return { text: lines.join('\n'), summary, unexplained: total.unexplained.length };
}
