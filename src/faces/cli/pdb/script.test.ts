import { describe, expect, it } from 'vitest';
import { Aliases, Collecting, commandsOf, resumes } from './script.ts';

describe('the commands of a line', () => {
  it('are separated by ;;, but not within a string', () => {
    expect(commandsOf('n;; p x ;;p y')).toEqual(['n', 'p x', 'p y']);
    expect(commandsOf('p "a;;b"')).toEqual(['p "a;;b"']);
    expect(commandsOf("p 'it\\';;s' ;; n")).toEqual(["p 'it\\';;s'", 'n']);
    expect(commandsOf('p x ;')).toEqual(['p x ;']);
    expect(commandsOf('')).toEqual(['']);
    expect(commandsOf('alias two n;;n')).toEqual(['alias two n;;n']);
  });
});

describe('aliases', () => {
  const aliases = new Aliases();
  aliases.set('pi', 'for %1 in %2: %*');
  aliases.set('two', 'n;;n');
  aliases.set('pq', 'pp');
  aliases.set('p', 'p %1');
  aliases.set('loop', 'again');
  aliases.set('again', 'loop');

  it('take what follows them', () => {
    expect(aliases.expand('pi a b c')).toBe('for a in b: a b c');
    expect(aliases.expand('pi a')).toBe('for a in : a');
    expect(aliases.expand('pq x + 1')).toBe('pp x + 1');
    expect(aliases.expand('n')).toBe('n');
    expect(commandsOf(aliases.expand('two'))).toEqual(['n', 'n']);
  });

  it('may have the name of a command, and may not lead to themselves', () => {
    expect(aliases.expand('p x y')).toBe('p x');
    expect(() => aliases.expand('loop')).toThrow(/leads to itself/);
  });

  it('are listed and forgotten', () => {
    expect(aliases.lines(['two', 'none'])).toEqual(['two = n;;n']);
    expect(aliases.remove('two')).toBe(true);
    expect(aliases.remove('two')).toBe(false);
  });
});

describe("a breakpoint's commands", () => {
  it('end with `end`, or with a command that resumes', () => {
    const list = new Collecting(1);
    expect(['silent', '', 'p x'].map((line) => list.add(line))).toEqual([false, false, false]);
    expect(list.add('end')).toBe(true);
    expect(list.result).toEqual({ commands: ['p x'], silent: true });
    expect(new Collecting(1).add('continue')).toBe(true);
  });

  it('resume by moving, not by looking', () => {
    for (const line of ['c', 'cont', 'continue', 'step', 'n', 'until 5', 'rs', 'reverse-continue', 'q']) {
      expect(resumes(line), line).toBe(true);
    }
    for (const line of ['p c', 'condition 1', 'next_value', 'n_items', 'up', 'set n = 1', 'rv']) {
      expect(resumes(line), line).toBe(false);
    }
  });
});
