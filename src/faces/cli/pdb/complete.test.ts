import { describe, expect, it } from 'vitest';
import { fixtureRecording, fixtureTrace } from '../../../../test/fixtures.ts';
import { fakePredictor } from '../../../debugger/fake.ts';
import { NeuralDebugger } from '../../../debugger/neural.ts';
import { start } from '../../../debugger/start.ts';
import { complete } from './complete.ts';
import { Shell } from './shell.ts';

const trace = fixtureTrace('discount');
const { programs, state } = start(trace.header.files[0]!.text, trace.header.call);
const shell = new Shell({
  debug: new NeuralDebugger({
    programs,
    initial: state,
    predictor: fakePredictor(fixtureRecording('discount')),
  }),
  files: { programs, names: ['discount.py', '<call>'] },
  print: () => {},
});
const matches = (line: string) => complete(shell, line)[0];

describe('completion', () => {
  it('offers commands, then names in sight', () => {
    expect(matches('reverse-c')).toEqual(['reverse-continue']);
    expect(matches('p pri')).toEqual(['prices']);
    expect(complete(shell, 'p len(pri')).toEqual([['prices'], 'pri']);
    expect(matches('help unt')).toEqual(['until']);
    expect(matches('n ;; p dis')).toEqual(['discount']);
  });

  it('offers functions and files to break at, and breakpoints to change', async () => {
    expect(matches('b c')).toEqual(['cut']);
    expect(matches('tbreak disc')).toEqual(['discount.py:']);
    expect(matches('b 8, pri')).toEqual(['prices']);
    await shell.execute('b 8');
    expect(matches('clear ')).toEqual(['1']);
    expect(matches('condition 1 pri')).toEqual(['prices']);
  });

  it('offers aliases', async () => {
    await shell.execute('alias pretty pp %*');
    expect(matches('pre')).toEqual(['pretty']);
    expect(matches('unalias p')).toEqual(['pretty']);
  });
});
