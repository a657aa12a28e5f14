/** @file The text of `docs/events.md` from the streams that `events.mjs` has seen. */

const number = (n) => n.toLocaleString('en-US');
const same = (a, b) => a.join('\n') === b.join('\n');

/** `sides`: by interpreter `title`, `version`, `found` (canonical lines by program), `raw` where it was asked. */
export function eventsPage({ names, texts, expected, sides }) {
  const reference = sides.filter(({ raw }) => raw).at(-1);
  const words = (name) =>
    texts
      .get(name)
      .split('\n')[0]
      .replace(/^# (\d+ )?/, '');
  const rule = (name) => /^# (\d+) /.exec(texts.get(name))?.[1] ?? '';
  const cell = (side, name) => {
    const lines = side.found.get(name);
    if (!lines) return 'no threads';
    const canonical = same(lines, expected.get(name)) ? 'same' : '**differs**';
    if (!side.raw || side === reference) return canonical;
    return `${canonical}; raw ${same(side.raw.get(name), reference.raw.get(name)) ? 'same' : 'differs'}`;
  };
  const count = (side, of) => names.filter((name) => of(side, name)).length;
  const rawDiffers = (side, name) => side.raw && !same(side.raw.get(name), reference.raw.get(name));
  const differs = (side, name) => side.found.has(name) && !same(side.found.get(name), expected.get(name));
  const lines = [
    '# The canonical events on every Python',
    '',
    'Made by `npm run verify -- events` (`scripts/events.mjs`). Each rule of [the trace](trace.md) has a small program in `test/fixtures/events`,',
    'and beside it its canonical stream. Every interpreter below was run on all of them: *same* is the stream beside the program, event by event with',
    `frames, lines, names and values. *raw*: whether what \`sys.settrace\` itself reports, with no rule applied, is what ${reference.title} reports.`,
    '',
    '## Programs that differ',
    '',
    `| of ${names.length} programs | ${sides.map(({ title }) => title).join(' | ')} |`,
    `|---|${sides.map(() => '---:').join('|')}|`,
    `| raw, from ${reference.title} | ${sides.map((side) => (side.raw ? count(side, rawDiffers) : 'not asked')).join(' | ')} |`,
    `| canonical | ${sides.map((side) => count(side, differs)).join(' | ')} |`,
    `| canonical events | ${sides.map(({ found }) => number([...found.values()].reduce((all, own) => all + own.length - 1, 0))).join(' | ')} |`,
    '',
    '## By rule',
    '',
    `| rule | what the program shows | events | ${sides.map(({ title }) => title).join(' | ')} |`,
    `|---|---|---:|${sides.map(() => '---').join('|')}|`,
    ...names.map(
      (name) =>
        `| ${rule(name)} [${name.slice(3).replaceAll('_', ' ')}](../test/fixtures/events/${name}.py) | ${words(name)} | ${number(expected.get(name).length - 1)} | ${sides.map((side) => cell(side, name)).join(' | ')} |`,
    ),
    '',
    `Versions: ${sides.map(({ title, version }) => (title.includes(version) ? title : `${title} is ${version}`)).join(', ')}. Pyodide cannot start a thread. Over whole program sets: [parity.md](parity.md).`,
    '',
  ];
  return lines.join('\n');
}
