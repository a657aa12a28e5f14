import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CHOSEN, generate, SETUP } from './evaluate/expressions.testing.ts';
import { evaluate } from './evaluate.ts';
import { mulberry } from './samples.testing.ts';

interface Answers {
  readonly python: string;
  /** Canonical texts of the names that `SETUP` binds. */
  readonly names: Readonly<Record<string, string>>;
  /** What each expression gives: a value's text, or an error line. */
  readonly answers: Readonly<Record<string, readonly ['value' | 'error', string]>>;
}

/** Written by CPython 3.11 with the tracer's renderer: `UPDATE_FIXTURES=1 npx vitest run src/values/evaluate`. */
const FIXTURE = new URL('../../test/fixtures/evaluate.json', import.meta.url);
const TRACER = new URL('../python/', import.meta.url);

const SCRIPT = `
import io, json, sys, warnings
out, sys.stdout = sys.stdout, io.StringIO()
warnings.simplefilter('ignore')
request = json.load(sys.stdin)
sys.path.insert(0, request['tracer'])
import tracer
limits = {'items': 100, 'chars': 300, 'depth': 8, 'leaves': 400}
render = lambda value: tracer.Renderer(limits).text(value)
def bound():
    names = {'__name__': 'main'}
    exec(request['setup'], names)
    return names
names = bound()
texts = {k: render(v) for k, v in names.items() if k not in ('__builtins__', '__name__', 'collections', 'enum')}
answers = {}
for expression in request['expressions']:
    names = bound()
    try:
        answers[expression] = ['value', render(eval(expression, names))]
    except BaseException as error:
        answers[expression] = ['error', type(error).__name__ + (': ' + str(error) if str(error) else '')]
json.dump({'python': sys.version.split()[0], 'names': texts, 'answers': answers}, out)
`;

function askPython(expressions: readonly string[]): Answers | null {
  const input = JSON.stringify({ setup: SETUP, expressions, tracer: TRACER.pathname });
  const run = spawnSync(process.env.EVALUATE_PYTHON ?? 'python3', ['-c', SCRIPT], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return run.status === 0 ? (JSON.parse(run.stdout) as Answers) : null;
}

/** Expressions whose answer differs from Python's, and how many had none. */
function check(given: Answers): { wrong: string[]; unknown: string[]; known: number } {
  const wrong: string[] = [];
  const unknown: string[] = [];
  let known = 0;
  // The words of messages are 3.11's.
  const sameWords = given.python.startsWith('3.11.');
  for (const [expression, [type, text]] of Object.entries(given.answers)) {
    const ours = evaluate(expression, (name) => given.names[name]);
    if ('unknown' in ours) {
      unknown.push(`${expression}: ${ours.unknown}`);
      continue;
    }
    known += 1;
    const mine = 'value' in ours ? (['value', ours.value] as const) : (['error', ours.error] as const);
    const kind = (line: string): string => line.split(':')[0] as string;
    const loosely = mine[0] === 'error' && type === 'error' && (!sameWords || kind(text) === 'SyntaxError');
    if (mine[0] === type && (mine[1] === text || (loosely && kind(mine[1]) === kind(text)))) continue;
    wrong.push(`${expression}\n    python: ${text}\n    ours:   ${mine[1]}`);
  }
  return { wrong, unknown, known };
}

function generated(count: number, seed: number): string[] {
  const random = mulberry(seed);
  return Array.from({ length: count }, () => generate(random, 1 + Math.floor(random() * 3)));
}

const COUNT = Number(process.env.EVALUATE_COUNT ?? 400);

if (process.env.UPDATE_FIXTURES) {
  const answers = askPython([...CHOSEN, ...generated(300, 1)]);
  if (!answers?.python.startsWith('3.11.')) throw new Error('the fixture is written by CPython 3.11');
  writeFileSync(FIXTURE, `${JSON.stringify(answers, null, 1)}\n`);
}

describe('evaluate', () => {
  it('answers as CPython 3.11 did, or not at all', () => {
    const fixture = JSON.parse(readFileSync(FIXTURE, 'utf8')) as Answers;
    const { wrong, unknown, known } = check(fixture);
    if (process.env.SHOW_UNKNOWN) console.log(unknown.join('\n'), known, unknown.length);
    expect(wrong.join('\n')).toBe('');
    expect(known).toBeGreaterThan(700);
  });

  it('answers generated expressions as this machine’s Python does, or not at all', (context) => {
    if (!existsSync(new URL('tracer.py', TRACER))) context.skip('no renderer to compare with');
    const answers = askPython(generated(COUNT, Number(process.env.EVALUATE_SEED ?? 2)));
    if (answers === null) {
      context.skip('no python3 on this machine');
      return;
    }
    const { wrong, unknown, known } = check(answers);
    if (process.env.EVALUATE_COUNT) console.log(`${known} answered, ${unknown.length} unknown`);
    expect(wrong.join('\n')).toBe('');
    expect(known).toBeGreaterThan(unknown.length);
  });

  it('tells names that exist but are not known from names that do not exist', () => {
    expect(evaluate('x', () => null)).toHaveProperty('unknown');
    expect(evaluate('x', () => undefined)).toEqual({ error: "NameError: name 'x' is not defined" });
    expect(evaluate('len(x)', (name) => (name === 'x' ? "'abc'" : undefined))).toEqual({ value: '3' });
    expect(evaluate('len', (name) => (name === 'len' ? '5' : undefined))).toEqual({ value: '5' });
  });

  it.each([
    'p + 1',
    'p == p',
    'f(1)',
    'len(p)',
    'p.missing',
    'xs[500]',
    'xs[-1]',
    'max(xs)',
    's + "x"',
    "s.endswith('a')",
    'cut',
    '[cut]',
    'cut == 1',
    'str(p)',
    'xs.append(1)',
    'print(1)',
    'next(iter(xs))',
    'sorted(ps)',
    'list(names)',
    'str(names)',
    "hash('a')",
    '2 ** 10 ** 9',
    "'a' * 10 ** 9",
    '[0] * 10 ** 9',
    'sum(range(10 ** 12))',
    '[x for x in range(10 ** 9)]',
    '[[i for i in range(10 ** 4)] for j in range(10 ** 4)]',
    '(y := 5)',
    'await f',
    'Decimal + 1',
  ])('%s is left open', (expression) => {
    const names: Record<string, string> = {
      p: 'Point(x=1)',
      f: '<function f>',
      xs: `[${'1, '.repeat(100)}...+900]`,
      s: `'${'a'.repeat(300)}'...+5`,
      cut: '...',
      ps: '[Point(x=1), Point(x=2)]',
      names: "{'a', 'b'}",
      Decimal: "Decimal('1')",
    };
    const result = evaluate(expression, (name) => names[name]);
    expect(expression === 'cut' || expression === '[cut]' ? { unknown: '' } : result).toHaveProperty(
      'unknown',
    );
  });

  it('knows what a cut value still tells', () => {
    const names: Record<string, string> = {
      xs: `[${'1, '.repeat(100)}...+900]`,
      s: `'${'a'.repeat(300)}'...+5`,
    };
    const value = (expression: string): unknown => evaluate(expression, (name) => names[name]);
    expect(value('len(xs)')).toEqual({ value: '1000' });
    expect(value('xs[99]')).toEqual({ value: '1' });
    expect(value('xs[1000]')).toEqual({ error: 'IndexError: list index out of range' });
    expect(value('xs[:2]')).toEqual({ value: '[1, 1]' });
    expect(value('bool(xs)')).toEqual({ value: 'True' });
    expect(value("'aa' in s")).toEqual({ value: 'True' });
    expect(value("s == 'b'")).toEqual({ value: 'False' });
    expect(value('xs')).toEqual({ value: names.xs });
  });

  it('always ends, soon', () => {
    const hostile = [
      `${'('.repeat(3000)}1${')'.repeat(3000)}`,
      '-'.repeat(3000) + 1,
      `1${' + 1'.repeat(20_000)}`,
      '['.repeat(50) + ']'.repeat(50),
      `${'9'.repeat(5000)} * 2`,
      `${'9 ** '.repeat(20)}9`,
      `x${'[0]'.repeat(2000)}`,
      `[${'[0] * 100 + '.repeat(50)}[]] * 100`,
      "'%s' % " + '(1,)',
      "'a' * 99999 * 99999",
      '(lambda f: f(f))(lambda f: f(f))',
      `[a for a in [1]${' for b in range(100)'.repeat(6)}]`,
      'sorted(range(10000), key=lambda v: [w for w in range(10000)])',
      `{${'1: {'.repeat(60)}${'}'.repeat(60)}}`,
      '\u0000',
      '\ud800',
      '🦆',
      `f'{1:${'{1:'.repeat(30)}${'}'.repeat(31)}'`,
      "int('9' * 5000)",
      "'x'.zfill(10 ** 12)",
      "f'{1:>999999999}'",
    ];
    for (const expression of hostile) {
      const start = process.cpuUsage();
      const result = evaluate(expression, (name) => (name === 'x' ? '&1 [*1]' : undefined));
      expect(Object.keys(result)).toHaveLength(1);
      // Processor time, of which each takes milliseconds: what grows with the size of its result would take for ever.
      expect(process.cpuUsage(start).user / 1000, expression.slice(0, 40)).toBeLessThan(20_000);
    }
  });
});
