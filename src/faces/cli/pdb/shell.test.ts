import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../../test/fixtures.ts';
import { fakePredictor } from '../../../debugger/fake.ts';
import { NeuralDebugger } from '../../../debugger/neural.ts';
import { start } from '../../../debugger/start.ts';
import { Shell } from './shell.ts';
import { exceptionLine } from './show.ts';
import { COMMANDS, commandFor } from './table.ts';

const trace = fixtureTrace('discount');
const text = trace.header.files[0]!.text;
const { programs, state } = start(text, trace.header.call);

describe('the shell', () => {
  let shell: Shell;
  let lines: string[];

  beforeEach(() => {
    lines = [];
    const predictor = fakePredictor(fixtureRecording('discount'));
    shell = new Shell({
      debug: new NeuralDebugger({ programs, initial: state, predictor }),
      files: { programs, names: ['discount.py', '<call>'] },
      print: (line) => lines.push(line),
    });
  });

  /** Runs commands; what the last one printed. */
  async function after(...commands: string[]): Promise<string[]> {
    for (const command of commands) {
      lines.length = 0;
      await shell.execute(command);
    }
    return [...lines];
  }

  it('prints a place as pdb does, and that it is predicted, with the confidence', async () => {
    expect(await after('n')).toEqual(['> discount.py(8)total()  # predicted, 75 %', '-> result = 0']);
  });

  it('announces calls and returns', async () => {
    expect(await after('n', 'n', 'n', 's')).toEqual([
      '--Call--',
      '> discount.py(1)cut()  # predicted, 75 %',
      '-> def cut(price, discount):',
    ]);
    expect(await after('r')).toEqual([
      '--Return--',
      '> discount.py(3)cut()->2  # predicted, 75 %',
      '-> return price - discount',
    ]);
    expect(await after('retval')).toEqual(['2  # predicted, 75 %']);
  });

  it('repeats the last command on an empty line', async () => {
    expect((await after('n', ''))[1]).toBe('-> for price in prices:');
  });

  it('shows the stack, and frames up and down', async () => {
    await after('n', 'n', 'n', 's');
    expect(await after('w')).toEqual([
      '  discount.py(10)total()  # predicted, 75 %',
      '-> result = result + cut(price, discount)',
      '> discount.py(1)cut()  # predicted, 75 %',
      '-> def cut(price, discount):',
    ]);
    expect(await after('u')).toEqual([
      '> discount.py(10)total()',
      '-> result = result + cut(price, discount)',
    ]);
    expect(await after('u')).toEqual(['*** Oldest frame']);
    expect(await after('p prices')).toEqual(['[5, 2, 9]  # predicted, 75 %']);
    expect((await after('d'))[0]).toBe('> discount.py(1)cut()');
    expect(await after('d')).toEqual(['*** Newest frame']);
  });

  it('sets, lists, and hits breakpoints', async () => {
    expect(await after('b 11')).toEqual(['Breakpoint 1 at discount.py:11']);
    expect(await after('tbreak cut, price == 9')).toEqual(['Breakpoint 2 at discount.py:2']);
    expect(await after('b')).toEqual([
      'Num Type         Disp Enb   Where',
      '1   breakpoint   keep yes   at discount.py:11',
      '2   breakpoint   del  yes   at discount.py:2',
      '\tstop only if price == 9',
    ]);
    expect(await after('c')).toEqual([
      'Deleted breakpoint 2 at discount.py:2',
      '> discount.py(2)cut()  # predicted, 75 %',
      '-> if price > discount:',
    ]);
    expect((await after('c'))[1]).toBe('-> return result');
    expect((await after('c'))[0]).toMatch(/^The program finished/);
    expect((await after('b')).at(-1)).toBe('\tbreakpoint already hit 1 time');
    expect(await after('cl 1')).toEqual(['Deleted breakpoint 1 at discount.py:11']);
  });

  it('reports bad breakpoints in the words of pdb', async () => {
    expect(await after('b 5')).toEqual(['*** Blank or comment']);
    expect(await after('b 99')).toEqual(['*** End of file']);
    expect((await after('b nothing'))[0]).toContain('is not a function or was not found along sys.path');
    expect((await after('cl 7'))[0]).toMatch(/^\*\*\* Breakpoint number 7 out of range/);
  });

  it('lists source with the current line and breakpoints marked', async () => {
    await after('b 10', 'n');
    expect(await after('l')).toEqual([
      '  3  \t        return price - discount',
      '  4  \t    return 0',
      '  5  \t',
      '  6  \t',
      '  7  \tdef total(prices, discount):',
      '  8  ->\t    result = 0',
      '  9  \t    for price in prices:',
      ' 10 B\t        result = result + cut(price, discount)',
      ' 11  \t    return result',
      '[EOF]',
    ]);
    expect(await after('l 1, 2')).toEqual([
      '  1  \tdef cut(price, discount):',
      '  2  \t    if price > discount:',
    ]);
    expect((await after('ll')).length).toBe(5);
  });

  it('prints values and types, arguments, and errors as Python words them', async () => {
    expect(await after('a')).toEqual(['prices = [5, 2, 9]', 'discount = 3']);
    expect(await after('p prices[1] * 2')).toEqual(['4']);
    expect(await after('whatis prices')).toEqual(["<class 'list'>"]);
    expect(await after('p nothing')).toEqual(["*** NameError: name 'nothing' is not defined"]);
    expect(await after('p 1 / 0')).toEqual(['*** ZeroDivisionError: division by zero']);
    expect(await after('retval')).toEqual(['*** Not yet returned!']);
    expect((await after('p cut(1, 2)'))[0]).toMatch(/^\*\*\* unknown: /);
  });

  it('sets variables three ways; n = 3 is Python, not the command n', async () => {
    await after('n', 'n', '!result = 5');
    expect(await after('result')).toEqual(['5  # edited']);
    await after('result = result + 1');
    expect(await after('p result')).toEqual(['6  # edited']);
    await after('set result = [1, 2]');
    expect(await after('p result')).toEqual(['[1, 2]  # edited']);
    expect(await after('p (1, 2)')).toEqual(['(1, 2)  # edited']);
    await after('n = 3');
    expect(await after('p n')).toEqual(['3  # edited']);
  });

  it('takes the whole identifier as the word: names that begin like a command move nothing', async () => {
    for (const name of ['n_items', 's1', 'c2', 'n1 + 1', 'n-1', 'n == 3', 'r_']) {
      expect((await after(name))[0]).toMatch(/^\*\*\* NameError/);
      expect(shell.debug.current.id).toBe(0);
    }
    await after('n_items = 3');
    expect(await after('n_items')).toEqual(['3  # edited']);
  });

  it('refuses statements that it cannot carry out, and rewrites NAME op= VALUE', async () => {
    for (const line of [
      'prices.append(4)',
      'p prices.pop()',
      'prices[0] = 8',
      'p.x = 3',
      '!del prices',
      'set 3',
    ]) {
      expect(await after(line)).toEqual(['*** only NAME = VALUE can change the program']);
      expect(shell.failure?.code).toBe('E_STATEMENT');
    }
    await after('discount += 1');
    expect(await after('p discount')).toEqual(['4  # edited']);
  });

  it('marks arguments that are predicted', async () => {
    await after('n');
    expect((await after('a'))[1]).toBe('discount = 3  # predicted, 75 %');
  });

  it('says which function a function is', async () => {
    const evaluate = vi.spyOn(shell.debug, 'evaluate');
    evaluate.mockResolvedValue({ type: 'value', value: '<function a.<locals>.cut>', predicted: false });
    expect(await after('whatis cut')).toEqual(['Function cut']);
  });

  it('displays expressions where they change', async () => {
    await after('n', 'n', 'display result');
    expect(await after('display')).toEqual(['Currently displaying:', 'result: 0  # predicted, 75 %']);
    expect((await after('n')).at(-1)).not.toContain('display');
    expect((await after('n')).at(-1)).toBe('display result: 2  # predicted, 75 %  [old: 0]');
    expect(await after('undisplay nothing')).toEqual(['*** not displaying nothing']);
  });

  it('goes backwards, and between positions', async () => {
    await after('n', 'n', 'n', 'n');
    expect((await after('rn'))[1]).toBe('-> result = result + cut(price, discount)');
    expect((await after('rf'))[0]).toBe('--Call--');
    expect((await after('rs'))[0]).toMatch(/^The entry of the program/);
    expect((await after('goto 2'))[1]).toBe('-> for price in prices:');
    expect((await after('positions'))[2]).toMatch(/^-> 2 {2}line total:9/);
  });

  it('jumps to another line of the function only', async () => {
    await after('n', 'n');
    expect((await after('j 11'))[1]).toBe('-> return result');
    expect((await after('j 2'))[0]).toMatch(/^\*\*\* Jump failed: line 2 is not in total/);
  });

  it('survives anything typed', async () => {
    for (const junk of [
      'foo bar',
      'b ,',
      'l x',
      '???',
      '!',
      'p',
      '(',
      'u 99999999999999999999',
      'goto -1',
      '= 3',
      '\u0000',
    ]) {
      await after(junk);
      expect(shell.debug.current.id).toBe(0);
    }
  });

  it('ends at quit', async () => {
    expect(await shell.execute('q')).toBe(true);
  });
});

describe('the command table', () => {
  it("has pdb's abbreviations", () => {
    const short = {
      s: 'step',
      n: 'next',
      r: 'return',
      c: 'continue',
      b: 'break',
      cl: 'clear',
      l: 'list',
      ll: 'longlist',
      w: 'where',
      u: 'up',
      d: 'down',
      a: 'args',
      j: 'jump',
      unt: 'until',
      h: 'help',
      q: 'quit',
    };
    for (const [alias, name] of Object.entries(short)) expect(commandFor(alias)?.name).toBe(name);
  });

  it('gives no name to two commands', () => {
    const names = COMMANDS.flatMap((c) => [c.name, ...c.aliases]);
    expect(new Set(names).size).toBe(names.length);
  });
});

it('words exceptions as a traceback does', () => {
  expect(exceptionLine("ValueError('bad')")).toBe('ValueError: bad');
  expect(exceptionLine("KeyError('k')")).toBe("KeyError: 'k'");
  expect(exceptionLine('StopIteration()')).toBe('StopIteration');
  expect(exceptionLine("OSError(2, 'gone')")).toBe("OSError: (2, 'gone')");
});
