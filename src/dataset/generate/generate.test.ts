import { describe, expect, test } from 'vitest';
import { Random } from '../../common/random.ts';
import { parseProgram } from '../../source/index.ts';
import { generateLevel, generatePrograms, LEVELS, type Level, shareOut } from './index.ts';
import { drawOperation, OPERATIONS } from './operations/index.ts';
import { fill, isStatement } from './operations/operation.ts';
import { literal, partOf, sample } from './samples.ts';
import { quote } from './values.ts';

describe('generated programs', () => {
  test('the same seed gives the same programs, whatever the count', () => {
    for (const level of LEVELS) {
      const few = [...generateLevel(7, level, 20)];
      expect([...generateLevel(7, level, 60)].slice(0, 20)).toEqual(few);
      expect([...generateLevel(8, level, 20)]).not.toEqual(few);
    }
    expect([...generatePrograms(7, shareOut(101))].map(({ id }) => id.split('/')[2])).toEqual([
      ...'1'.repeat(51),
      ...'2'.repeat(34),
      ...'3'.repeat(16),
    ]);
  });

  test('have valid syntax, distinct text and distinct calls, at every level', () => {
    for (const level of LEVELS) {
      const programs = [...generateLevel(3, level, 150)];
      expect(programs).toHaveLength(150);
      expect(new Set(programs.map((p) => p.code)).size).toBe(150);
      for (const { code, calls } of programs) {
        expect(parseProgram(code, 'main.py').errors, code).toEqual([]);
        expect(new Set(calls).size).toBe(calls.length);
        expect(calls.length).toBeGreaterThan(0);
        for (const call of calls) expect(parseProgram(call, '<call>').errors, call).toEqual([]);
      }
    }
  });

  test('levels grow: one line has no loop, more have', () => {
    const loops = (level: Level) =>
      [...generateLevel(5, level, 200)].filter(({ code }) => /^ +(for|while) /m.test(code)).length;
    expect(loops(1)).toBe(0);
    expect(loops(2)).toBeGreaterThan(80);
    expect(loops(3)).toBeGreaterThan(50);
  });

  test('cover the operations of everyday code', () => {
    const text = [...generatePrograms(1, shareOut(2500))].map(({ code }) => code).join('\n');
    const wanted = (
      '.append( .pop( .insert( .extend( .remove( .reverse() .sort( .get( .items() .keys() .values() .setdefault( .update( .add( .discard( ' +
      '.upper() .lower() .strip( .split( .join( .replace( .find( .startswith( .endswith( .isdigit() .isalpha() .count( .format( .title() ' +
      '.capitalize() .swapcase() .zfill( .center( ord( chr( sorted( any( all( sum( len( max( min( abs( divmod( enumerate( zip( range( lambda ' +
      'reversed( isinstance( class raise try: except finally: else: while break continue yield nonlocal del not is and or None // % **'
    ).split(' ');
    expect(wanted.filter((piece) => !text.includes(piece))).toEqual([]);
  });
});

describe('operations', () => {
  test('every one is written at level 1, as valid Python', () => {
    const r = new Random('operations');
    for (const operation of OPERATIONS) {
      const operands = operation.operands.map((_, i) => `a${i}`);
      const text = fill(r, operation.text, { operands, results: ['p', 'q'], loop: ['x', 'y'] });
      const line = isStatement(operation) ? text : `z = ${text}`;
      expect(parseProgram(`${line}\n`, 'main.py').errors, line).toEqual([]);
    }
    const seen = new Set(Array.from({ length: 8000 }, () => drawOperation(r).name));
    expect([...new Set(OPERATIONS.map(({ name }) => name))].filter((name) => !seen.has(name))).toEqual([]);
  });

  test('arguments drawn to fit are found in what they fit', () => {
    const r = new Random('fit');
    for (let i = 0; i < 200; i++) {
      const text = sample(r, 'str') as string;
      const part = partOf(r, text, 'str');
      expect(part === undefined ? text : text.includes(part as string)).toBe(text === '' ? '' : true);
      const table = sample(r, 'dsi') as ReadonlyMap<string, number>;
      const key = partOf(r, table, 'str');
      expect(key === undefined ? table.size === 0 : table.has(key as string)).toBe(true);
    }
  });
});

describe('literals', () => {
  test('strings are quoted as repr does', () => {
    expect(quote("it's")).toBe('"it\'s"');
    expect(quote('a\n\\')).toBe("'a\\n\\\\'");
    expect(quote('\'"')).toBe("'\\'\"'");
  });

  test('sets and tuples of one or no item are still sets and tuples', () => {
    const r = new Random('sets');
    const sets = Array.from({ length: 300 }, () => literal(r, 'seti'));
    expect(sets).toContain('set()');
    expect(sets).not.toContain('{}');
    for (const t of Array.from({ length: 300 }, () => literal(r, 'tup')))
      expect(t).toMatch(/^\((-?\d+,|-?\d+(, -?\d+)+)\)$/);
  });
});
