import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress, writeAddress } from './address.ts';
import { EXAMPLES } from './examples.ts';

const spec = {
  text: 'def f(x):\n    return x + 1\n',
  call: 'f(1)',
  engine: 'compared',
  resync: false,
} as const;

describe('an address', () => {
  it('holds everything of a session', async () => {
    const address = fc.record({
      spec: fc.record(
        {
          text: fc.string({ unit: 'binary', maxLength: 200 }).filter((text) => !text.includes('\uFEFF')),
          call: fc.string({ maxLength: 40 }),
          engine: fc.constantFrom('neural' as const, 'recorded' as const, 'compared' as const),
          resync: fc.boolean(),
        },
        { requiredKeys: ['text', 'engine', 'resync'] },
      ),
      points: fc.array(
        fc.record({
          line: fc.nat(),
          enabled: fc.boolean(),
          condition: fc.option(fc.string({ minLength: 1 })),
        }),
        { maxLength: 4 },
      ),
      path: fc.constantFrom('', 'o3i', '~x=3^0', '@45'),
    });
    await fc.assert(
      fc.asyncProperty(address, async (one) => {
        expect(await readAddress(await writeAddress(one, EXAMPLES), EXAMPLES)).toEqual(one);
      }),
      { numRuns: 60 },
    );
  });

  it('names an example instead of holding its text', async () => {
    const [example] = EXAMPLES;
    const hash = await writeAddress(
      { spec: { ...spec, text: example!.text }, points: [], path: '' },
      EXAMPLES,
    );
    expect(hash).toBe('#x=discount&c=f%281%29&e=both');
  });

  it('is none where there is no program', async () => {
    expect(await readAddress('', EXAMPLES)).toBeNull();
    expect(await readAddress('#c=f(1)', EXAMPLES)).toBeNull();
  });

  it.each(['#x=nothing', '#p=%%%', '#p=AAAA', '#x=discount&e=magic', '#x=discount&b=twelve'])(
    'is refused where it is broken: %s',
    async (hash) => {
      await expect(readAddress(hash, EXAMPLES)).rejects.toMatchObject({ code: 'E_ADDRESS' });
    },
  );

  it('is refused where its program would fill the page', async () => {
    const text = 'x = 1\n'.repeat(60_000);
    const hash = await writeAddress({ spec: { ...spec, text }, points: [], path: '' }, EXAMPLES);
    expect(hash.length).toBeLessThan(2_000);
    await expect(readAddress(hash, EXAMPLES)).rejects.toMatchObject({ code: 'E_ADDRESS' });
  });
});
