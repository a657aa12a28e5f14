import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fit, LEAST_BYTES } from './budget.ts';

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

it('leaves a reply that fits as it is', () => {
  const reply = { success: true, message: 'STOP', changed: [{ name: 'x', value: '1' }] };
  expect(fit(reply, LEAST_BYTES)).toBe(reply);
});

it('every reply fits its budget, stays JSON, and says what it left out', () => {
  const text = fc.string({ unit: 'binary', maxLength: 3_000 });
  const reply = fc.record({
    success: fc.constant(true),
    sessionId: fc.constant('0f0f0f0f-0000-4000-8000-000000000000'),
    message: fc.string({ maxLength: 400 }),
    changed: fc.array(fc.record({ name: text, value: text }), { maxLength: 60 }),
    context: fc.record({
      surrounding: fc.array(fc.record({ line: fc.nat(), content: text }), { maxLength: 9 }),
    }),
    output: text,
  });
  fc.assert(
    fc.property(reply, fc.integer({ min: LEAST_BYTES, max: 20_000 }), (whole, budget) => {
      const fitted = fit(whole, budget);
      expect(bytes(fitted)).toBeLessThanOrEqual(budget);
      expect(fitted.sessionId).toBe(whole.sessionId);
      if (bytes(whole) <= budget) return;
      const { valuesCut, itemsOmitted } = fitted.truncation!;
      expect(valuesCut + itemsOmitted).toBeGreaterThan(0);
      // Half of a surrogate pair would not survive UTF-8.
      expect(JSON.parse(new TextDecoder().decode(new TextEncoder().encode(JSON.stringify(fitted))))).toEqual(
        JSON.parse(JSON.stringify(fitted)),
      );
    }),
    { numRuns: 200 },
  );
});

it('keeps the source around the current line, and the first of other lists', () => {
  const surrounding = Array.from({ length: 201 }, (_, line) => ({ line, content: 'x'.repeat(50) }));
  const changed = Array.from({ length: 100 }, (_, i) => ({ name: `v${i}`, value: 'y'.repeat(50) }));
  const fitted = fit({ success: true, context: { surrounding }, changed }, 4_000);
  expect(fitted.context.surrounding.map((s) => s.line)).toContain(100);
  expect(fitted.changed[0]!.name).toBe('v0');
  expect(fitted.truncation!.itemsOmitted).toBe(
    301 - fitted.context.surrounding.length - fitted.changed.length,
  );
});
