/** @file The text of `docs/parity.md` from the results of `parity.mjs`: counts, and differences by cause. */

/**
 * Causes in the order they are tried. `test` takes a result: `difference.a` (CPython) and `.b` (Pyodide) are the
 * first records that differ, `seed` says that CPython itself differs under another hash seed, `like` names the
 * further interpreters whose stream is Pyodide's.
 */
const CAUSES = [
  {
    name: 'digits',
    title: 'Last digits of floating-point numbers',
    why: 'The same numbers to 12 digits. `sum` of floats is compensated from 3.12 on; `math` is another C library.',
    test: ({ difference: { a, b } }) => a && b && sameToDigits(a, b),
  },
  {
    name: 'threads',
    title: 'Threads',
    why: 'Pyodide cannot start one: `RuntimeError`.',
    test: ({ difference: { a, b } }) => /can't start new thread/.test(JSON.stringify([a, b])),
  },
  {
    name: 'address',
    title: 'Addresses that the program prints',
    why: 'The program asks for a `repr` with an address in it: what it prints differs in every process.',
    test: ({ difference: { a, b } }) => / at 0x[0-9a-f]+/.test(JSON.stringify([a, b])),
  },
  {
    name: 'seed',
    title: 'Order of sets of strings and of objects',
    why: "CPython's own stream changes with the hash seed. A fixed seed does not make 64-bit and 32-bit hashes agree.",
    test: ({ seed }) => seed,
  },
  {
    name: 'asked',
    title: 'Programs that look at the version or the word size',
    why: '`sys.hexversion`, `sys.version_info`, `sys.maxsize` (2**31-1 in Pyodide), `hash()`: they do something else on purpose, or a value derived from it.',
    test: ({ text, difference: { a, b } }) =>
      /hexversion|version_info|sys\.version|\bmaxsize\b|\bhash\(|getsizeof/.test(text) ||
      /index-sized|9223372036854775807|2147483647/.test(JSON.stringify([a, b])),
  },
  {
    name: 'version',
    title: 'The version of Python, not Pyodide',
    why: 'A newer CPython gives exactly the stream that Pyodide (3.14) gives.',
    test: ({ like }) => like.length > 0,
  },
  {
    name: 'class',
    title: 'Class internals',
    why: 'A class body leaves names there that 3.11 does not have, and the program looks at them.',
    test: ({ difference: { a, b } }) =>
      /__(firstlineno|static_attributes|classdictcell|annotate\w*|type_params)__/.test(
        JSON.stringify([a, b]),
      ),
  },
  {
    name: 'sets',
    title: 'Order of other sets',
    why: "The program walks through a set; hashes of tuples, floats and large numbers have 32 bits in Pyodide, so the set's order is another. (Told by the program's text and by newer CPythons agreeing with 3.11.)",
    test: ({ text, unlike }) =>
      (unlike?.length ?? 0) > 0 &&
      /\b(frozen)?set\(|\{[^{}:'"]+\}|\.(union|intersection|difference)\(/.test(text),
  },
  {
    name: 'message',
    title: 'Words of exceptions',
    why: 'The same exception at the same place with other words (3.14 says "division by zero" for every division).',
    test: ({ difference: { a, b, shape } }) => a && b && !shape && sameException(a, b),
  },
];

/** `extent` says in words what was run. */
export function report(results, extent) {
  const differing = results.filter((result) => !result.same);
  const shape = differing.filter((result) => result.difference.shape);
  const events = results.reduce((sum, result) => sum + result.events, 0);
  const programs = new Set(results.map((result) => result.id.replace(/#\d+$/, '')));
  const groups = new Map();
  for (const result of differing) {
    const cause = CAUSES.find(({ test }) => test(result));
    const key = cause?.name ?? 'other';
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  const number = (n) => n.toLocaleString('en-US');
  const lines = [
    '# Parity: CPython 3.11 and Pyodide',
    '',
    'Made by `scripts/parity.mjs`: each program is run on both, and the canonical streams (every record but the',
    'header) are compared byte for byte.',
    '',
    `This run: ${extent}.`,
    '',
    `| runs | programs | events | identical | differ | differ in event, frame or line |`,
    '|---:|---:|---:|---:|---:|---:|',
    `| ${number(results.length)} | ${number(programs.size)} | ${number(events)} | ${number(results.length - differing.length)} | ${number(differing.length)} | ${number(shape.length)} |`,
    '',
    '## Differences by cause',
    '',
    '| cause | runs | of them in event, frame or line |',
    '|---|---:|---:|',
  ];
  const order = [
    ...CAUSES,
    {
      name: 'other',
      title: 'Other',
      why: 'Each is listed. Read one by one: in 3.14 `typing.Union` is a class, a name used only in annotations is no free variable, and dataclass fields, `HTMLParser` and `decimal` have new attributes; 32-bit `decimal` limits and `ssize_t` (OverflowError from 2**31 on); digits lost to cancellation and the sign of a complex zero.',
    },
  ].filter((c) => groups.has(c.name));
  for (const { name, title } of order) {
    const group = groups.get(name);
    lines.push(`| ${title} | ${group.length} | ${group.filter((r) => r.difference.shape).length} |`);
  }
  for (const { name, title, why } of order) {
    const group = groups.get(name);
    const shown = name === 'other' ? group : group.slice(0, 5);
    lines.push('', `### ${title}`, '', why, '');
    for (const result of shown) lines.push(...example(result));
    const rest = group.slice(shown.length).map((result) => `\`${result.id}\``);
    if (rest.length > 0) lines.push('', `The others: ${rest.join(', ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

// --- internal ---

function example({ id, call, difference: { at, a, b }, like, seed }) {
  const marks = [...like.map((name) => `as ${name}`), ...(seed ? ['changes with the hash seed'] : [])];
  const head = `- \`${id}\`${call === undefined ? '' : ` \`${cut(call, 60)}\``}, record ${at}${marks.length ? ` (${marks.join(', ')})` : ''}`;
  const [left, right] = parted(JSON.stringify(a), JSON.stringify(b));
  return [head, `  - CPython: \`${left}\``, `  - Pyodide: \`${right}\``];
}

/** Both texts from shortly before they part. */
function parted(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 40);
  const part = (text) => `${from > 0 ? '…' : ''}${cut(text.slice(from), 120)}`.replaceAll('`', "'");
  return [part(a), part(b)];
}

function cut(text, size) {
  return text.length <= size ? text : `${text.slice(0, size)}…`;
}

/** Equal once every float is cut to 12 significant digits. */
function sameToDigits(a, b) {
  const rounded = (record) =>
    JSON.stringify(record).replace(/-?\d+\.\d+(e[+-]?\d+)?/g, (text) => Number(text).toPrecision(12));
  return rounded(a) === rounded(b);
}

function sameException(a, b) {
  const bare = (record) =>
    JSON.stringify(record, (key, value) =>
      typeof value === 'string' &&
      (key === 'v' || key === 'exception' || key === 'e2' || /Error|Exception/.test(value))
        ? value.replace(/\(.*$/s, '')
        : value,
    );
  return bare(a) === bare(b);
}
