import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { start } from '../../../debugger/start.ts';
import { EXAMPLES } from './examples.ts';

const bundled = (name: string) =>
  readFileSync(new URL(`../../../../examples/${name}.py`, import.meta.url), 'utf8');

describe('the examples', () => {
  it.each(EXAMPLES.map((one) => [one.id, one] as const))('%s begins with its call', (_, { text, call }) => {
    const { state, entry } = start(text, call);
    expect(entry).toBe('function');
    expect(state.kind).toBe('call');
  });

  it.each(['discount', 'clip'])('%s is the file that comes with npdb', (id) => {
    expect(EXAMPLES.find((one) => one.id === id)!.text).toBe(bundled(id));
  });
});
