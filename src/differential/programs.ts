/**
 * @file Random programs by seed, made to trip debuggers rather than to look like people's code: generators that are
 * sent to, thrown into and closed, nested `try`, `with`, comprehensions, closures, classes, coroutines, statements over
 * several lines and several statements on one. Every program ends by itself, in an exception perhaps.
 */
import { Random } from '../common/random.ts';

/** A program's text, run as a script. The same seed gives the same text. */
export function randomProgram(seed: string | number): string {
  return new Writer(new Random('differential program', seed)).program();
}

type Kind = 'function' | 'generator' | 'coroutine';

interface Routine {
  readonly name: string;
  readonly kind: Kind;
}

/** What a statement may do where it stands. */
interface Place {
  readonly kind: Kind | 'module';
  readonly depth: number;
  readonly loop: boolean;
  readonly names: string[];
}

const PRELUDE = `class Guard:
    def __init__(self, quiet):
        self.quiet = quiet
        self.seen = []
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        self.seen.append(kind is None)
        return self.quiet

class Box:
    size = 2
    def __init__(self, item):
        self.item = item
    def __len__(self):
        return self.size
    def __eq__(self, other):
        return isinstance(other, Box) and self.item == other.item
    @property
    def double(self):
        return [self.item,
                self.item]
    @staticmethod
    def make(x): return Box(x)

class Count:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n

class Wait:
    def __await__(self):
        got = yield 'wait'
        return got

def twice(f):
    def inner(*args, **kw):
        first = f(*args, **kw)
        return first
    return inner

def run(coroutine):
    steps = 0
    while True:
        try:
            coroutine.send(None)
        except StopIteration as stop:
            return stop.value
        steps += 1

total = 0
`;

class Writer {
  readonly #random: Random;
  readonly #routines: Routine[] = [];
  #fresh = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  program(): string {
    const r = this.#random;
    const parts = [PRELUDE];
    for (let i = r.int(2, 5); i > 0; i -= 1) parts.push(this.#routine());
    const place: Place = { kind: 'module', depth: 0, loop: false, names: ['total'] };
    const body = [...this.#block(place, r.int(2, 5)), ...this.#routines.map((f) => this.#callLine(f))];
    return `${parts.join('\n')}\n${body.join('\n')}\n`;
  }

  #callLine(routine: Routine): string {
    const call = this.#call(routine);
    return this.#random.chance(0.7)
      ? `try:\n    end = ${call}\nexcept Exception as error:\n    end = str(error)`
      : `end = ${call}`;
  }

  #routine(): string {
    const r = this.#random;
    const kind = r.pick<Kind>(['function', 'function', 'generator', 'generator', 'coroutine']);
    const name = `f${this.#routines.length}`;
    const place: Place = { kind, depth: 0, loop: false, names: ['n', 'xs'] };
    const head = r.chance(0.3) ? `    global total\n    total += 1\n` : '';
    const body = this.#block(place, r.int(2, 4));
    if (kind === 'generator')
      body.push(r.pick(['yield n', 'got = yield', 'yield from range(2)', 'yield xs']));
    if (r.chance(0.8)) body.push(`return ${this.#value(place)}`);
    const recursion = kind === 'function' && r.chance(0.3) ? `    if n > 2: return ${name}(n - 1, xs)\n` : '';
    const decorator = kind === 'function' && r.chance(0.2) ? '@twice\n' : '';
    this.#routines.push({ name, kind });
    const def = kind === 'coroutine' ? 'async def' : 'def';
    return `${decorator}${def} ${name}(n, xs=(1, 2)):\n${head}${recursion}${indent(body)}\n`;
  }

  /** A call that uses all that the routine gives. */
  #call({ name, kind }: Routine): string {
    const r = this.#random;
    const call = `${name}(${r.int(0, 4)}${r.chance(0.3) ? ', xs=[3, 4]' : ''})`;
    if (kind === 'coroutine') return `run(${call})`;
    if (kind === 'function') return call;
    return r.pick([
      `list(${call})`,
      `next(${call}, None)`,
      `sum(1 for v in ${call})`,
      `[v for v in ${call}]`,
    ]);
  }

  #name(place: Place): string {
    if (place.names.length < 6 && this.#random.chance(0.4)) {
      const name = `v${(this.#fresh += 1)}`;
      return name;
    }
    return this.#random.pick(place.names.filter((n) => n !== 'total')) ?? 'w';
  }

  #value(place: Place): string {
    const r = this.#random;
    const name = r.pick(place.names);
    const choices = [
      String(r.int(-2, 5)),
      name,
      `(${name}, ${r.int(0, 3)})`,
      `[v for v in range(${r.int(0, 3)})]`,
      `{v: v * v for v in (1, 2) if v != ${r.int(1, 2)}}`,
      `sorted([3, 1, 2], key=lambda v: -v)`,
      `max(\n    ${r.int(0, 4)},\n    len(str(${name})),\n)`,
      `[*range(2), ${r.int(0, 9)}]`,
      `(lambda a, b=1: a if b else None)(${name})`,
      `Box.make(${r.int(0, 3)}) == Box(1)`,
      `len(Box(${name}).double)`,
      `'a' if ${this.#test(place)} else 'b'`,
      `sum(v for v in Count(${r.int(0, 3)}))`,
      `list(map(lambda v: v + 1, range(${r.int(0, 2)})))`,
      `1 // ${r.int(0, 3)}`,
      `(w := ${r.int(0, 9)})`,
    ];
    if (place.kind === 'coroutine') choices.push('(await Wait())', '(await Wait())');
    if (place.kind === 'generator') choices.push('(yield 1)');
    const called = this.#routines.length > 0 ? r.pick(this.#routines) : null;
    if (called) choices.push(...Array<string>(4).fill(this.#call(called)));
    if (called?.kind === 'coroutine' && place.kind === 'coroutine') choices.push(`(await ${called.name}(1))`);
    return r.pick(choices);
  }

  #test(place: Place): string {
    const r = this.#random;
    return r.pick([
      `len(str(${r.pick(place.names)})) > ${r.int(0, 3)}`,
      'True',
      'not total',
      `total % 2 == ${r.int(0, 1)}`,
    ]);
  }

  #block(place: Place, size: number): string[] {
    const lines: string[] = [];
    for (let i = 0; i < size; i += 1) lines.push(...this.#statement(place));
    return lines;
  }

  #inner(place: Place, loop = place.loop): string {
    const deeper = { ...place, depth: place.depth + 1, loop, names: [...place.names] };
    return indent(this.#block(deeper, this.#random.int(1, 2)));
  }

  #statement(place: Place): string[] {
    const r = this.#random;
    const assign = (): string[] => {
      const value = this.#value(place);
      const name = this.#name(place);
      if (!place.names.includes(name)) place.names.push(name);
      return [`${name} = ${value}`];
    };
    if (place.depth > 2 || r.chance(0.35)) return assign();
    const choices: (() => string[])[] = [
      assign,
      () => [
        `if ${this.#test(place)}:`,
        this.#inner(place),
        ...(r.chance(0.5) ? ['else:', this.#inner(place)] : []),
      ],
      () => [
        `for i in range(${r.int(0, 3)}):`,
        this.#inner(place, true),
        ...(r.chance(0.3) ? ['else:', this.#inner(place)] : []),
      ],
      () => ['k = 0', `while k < ${r.int(1, 3)}:`, '    k += 1', this.#inner(place, true)],
      () => [`for i in range(${r.int(1, 3)}): k = i`],
      () => this.#try(place),
      () => this.#try(place),
      () => [`with Guard(${r.pick(['True', 'False'])}) as guard:`, this.#inner(place)],
      () => [`with Guard(True): raise ${r.pick(['ValueError(1)', 'KeyError'])}`],
      () => [
        `match ${this.#value(place)}:`,
        '    case int(v) if v > 1:',
        '        m = v',
        '    case [a, *rest]:',
        '        m = rest',
        '    case _:',
        indent([indent([`m = ${this.#value(place)}`])]),
      ],
      () => [`a = ${r.int(0, 3)}; b = a + 1; c = (a,`, '    b)'],
      () => [place.kind === 'module' ? 'total += 1' : 'pass'],
      () => this.#closure(place),
      () => this.#generator(),
      () => [
        `class Local(Box):`,
        `    size = ${r.int(0, 3)}`,
        '    def get(self): return self.item',
        `got = Local(${r.int(0, 3)}).get()`,
      ],
      () => [`assert ${this.#test(place)}, 'no'`],
      () => ['d = 1', 'del d'],
    ];
    if (place.loop) choices.push(() => [`if ${this.#test(place)}: ${r.pick(['break', 'continue'])}`]);
    if (place.kind === 'generator') {
      choices.push(
        () => ['got = yield n'],
        () => ['yield from Count(2)'],
        () => [`yield ${this.#value(place)}`],
      );
      const other = this.#routines.find(({ kind }) => kind === 'generator');
      if (other) choices.push(() => [`got = yield from ${other.name}(1)`]);
    }
    if (place.kind !== 'module')
      choices.push(() => [`if ${this.#test(place)}: return ${this.#value(place)}`]);
    return r.pick(choices)();
  }

  #try(place: Place): string[] {
    const r = this.#random;
    const caught = r.pick([
      'ValueError',
      'ZeroDivisionError',
      'Exception',
      '(KeyError, TypeError)',
      'BaseException',
    ]);
    const handler = [
      `except ${caught}${r.chance(0.5) ? ' as error' : ''}:`,
      r.chance(0.25) ? indent([r.pick(['raise', "raise RuntimeError('again')"])]) : this.#inner(place),
    ];
    const last = ['finally:', this.#inner(place)];
    const body = [
      this.#inner(place),
      ...(r.chance(0.4) ? [indent([r.pick(["raise ValueError('x')", '1 // 0', "{}['k']"])])] : []),
    ];
    const form = r.int(0, 3);
    if (form === 0) return ['try:', ...body, ...last];
    if (form === 1) return ['try:', ...body, ...handler, ...last];
    if (form === 2) return ['try:', ...body, ...handler, 'else:', this.#inner(place)];
    return ['try:', ...body, ...handler];
  }

  #closure(place: Place): string[] {
    const shared = place.kind === 'module' ? 'global' : 'nonlocal';
    return [
      'c = 0',
      'def bump(by=1):',
      `    ${shared} c`,
      '    c += by',
      '    return c',
      `b = bump() + bump(${this.#random.int(1, 3)})`,
    ];
  }

  /** A generator met from outside: sent to, thrown into, closed, dropped. */
  #generator(): string[] {
    const r = this.#random;
    const made = this.#routines.filter(({ kind }) => kind === 'generator');
    if (made.length === 0) return ['g = iter([1])', 'k = next(g)'];
    const uses = [...Array(r.int(1, 3))].map(() =>
      r.pick([
        'k = next(g, None)',
        'try: k = g.send(1)\nexcept Exception: k = 0',
        'g.close()',
        "try: g.throw(ValueError('t'))\nexcept Exception as e: k = repr(e)",
        'g = None',
        'for k in g: pass',
      ]),
    );
    const [use] = uses.splice(0, 1);
    const rest = uses.map((u) => `if g is not None:\n${indent([u])}`);
    return [`g = ${r.pick(made).name}(${r.int(0, 3)})`, 'k = next(g, None)', use!, ...rest];
  }
}

/** Every line of the statements one level deeper. */
function indent(lines: readonly string[]): string {
  return lines
    .join('\n')
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
