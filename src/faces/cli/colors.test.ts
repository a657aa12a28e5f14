import { describe, expect, it } from 'vitest';
import { colorsWanted } from './colors.ts';

describe('colours', () => {
  it('are for terminals', () => {
    expect(colorsWanted({}, { isTTY: true })).toBe(true);
    expect(colorsWanted({}, {})).toBe(false);
    expect(colorsWanted({ CI: 'true' }, {})).toBe(false);
    expect(colorsWanted({ TERM: 'dumb' }, { isTTY: true })).toBe(false);
  });

  it('can be forced and forbidden', () => {
    expect(colorsWanted({ FORCE_COLOR: '1' }, {})).toBe(true);
    expect(colorsWanted({ FORCE_COLOR: '0' }, { isTTY: true })).toBe(false);
    expect(colorsWanted({ NO_COLOR: '1', FORCE_COLOR: '1' }, { isTTY: true })).toBe(false);
  });
});
