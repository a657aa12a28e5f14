import { describe, expect, test } from 'vitest';
import { Random } from '../../common/random.ts';
import { parseProgram } from '../../source/index.ts';
import { generatePrograms, type Level } from './index.ts';
import { drawOperation, OPERATIONS } from './operations/index.ts';
import { fill, isStatement } from './operations/operation.ts';
import { literal, partOf, sample } from './samples.ts';
import { quote } from './values.ts';

describe('generated programs', () => {
  test('the same seed gives the same programs, whatever the count', () => {
    const few = [...generatePrograms(7, 40)];
    const many = [...generatePrograms(7, 120)];
    expect(many.slice(0, 40)).toEqual(few);
    expect([...generatePrograms(8, 40)]).not.toEqual(few);
  });

  test('have valid syntax, distinct text and distinct calls, at every level', () => {
    for (const level of [1, 2, 3] as const) {
      const programs = [...generatePrograms(3, 150, { mix: [[1, level]] })];
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
      [...generatePrograms(5, 200, { mix: [[1, level]] })].filter(({ code }) => /^ +(for|while) /m.test(code))
        .length;
    expect(loops(1)).toBe(0);
    expect(loops(2)).toBeGreaterThan(80);
    expect(loops(3)).toBeGreaterThan(50);
  });

  test('cover the operations of everyday code', () => {
    const text = [...generatePrograms(1, 2500)].map(({ code }) => code).join('\n');
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
