/**
 * The page in a real Chromium, by mouse, keyboard and finger. Skipped where there is none. `npm test` runs the first
 * group; `npm run verify` (NPDB_BROWSER=full) all.
 */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledModelFits, CHROMIUM, openSite, type Site, Visitor } from './chromium.testing.ts';

const full = process.env.NPDB_BROWSER === 'full';
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TIMEOUT = 400_000;
/** Without a graphics card each frame of a moving spinner is drawn by the processor that the test needs. */
const STILL = { reducedMotion: 'reduce' } as const;

/** Findings of axe that keep somebody out. */
async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const found = await page.evaluate(() =>
    (
      globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
      }
    ).axe.run(),
  );
  return found.violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`);
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

if (!CHROMIUM) {
  describe('the page in a browser', () => {
    it.skip('no Chromium on this machine: install it, or name one in NPDB_CHROMIUM', () => {});
  });
}

describe.runIf(CHROMIUM)('the page in a browser', () => {
  let site: Site;
  /** One page for all: what it has loaded stays. */
  let visitor: Visitor;
  let page: Page;

  beforeAll(async () => {
    site = await openSite();
    const context = await site.browser.newContext({ ...STILL, viewport: { width: 1280, height: 800 } });
    visitor = await Visitor.visit(site, context, '#x=discount&c=total([5, 2, 9], 3)&e=real');
    ({ page } = visitor);
  }, TIMEOUT);
  afterAll(() => site?.close());

  it('debugs a real run, on and back, and leads back to each state', { timeout: TIMEOUT }, async () => {
    expect(await visitor.spot('real')).toMatch(/^total is called/);
    await visitor.press('n', 'n', 'n', 's');
    expect(await visitor.spot('real')).toMatch(/^cut is called/);
    expect(await visitor.variable('price')).toEqual(['5']);
    await visitor.click('backInto');
    expect(await visitor.spot('real')).toBe('line 10 · total');
    await visitor.press('c');
    expect(await visitor.spot('real')).toBe('the end');
    // Before the entry; the first step leads to the entry itself.
    await visitor.press('C', 'n', 'n', 'n');
    // Stops that come quickly leave one entry in the browser's history (`app/state/history.ts`); this one is to have its own.
    await visitor.page.waitForTimeout(600);
    await visitor.press('n');
    expect(await visitor.spot('real')).toBe('line 10 · total');
    // Back in the browser is back to the stop before.
    await visitor.page.goBack();
    await visitor.page.locator('.world-spot', { hasText: 'line 9' }).waitFor();
    await visitor.page.reload();
    await visitor.settled();
    expect(await visitor.spot('real')).toBe('line 9 · total');
    expect(await barriers(visitor.page)).toEqual([]);
    expect(visitor.elsewhere).toEqual([]);
    expect(visitor.errors).toEqual([]);
  });

  describe.runIf(full)('in full (in `npm run verify`)', () => {
    it('stops at breakpoints with conditions, shows values in the lines', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=discount&c=total([5, 2, 9], 3)&e=real');
      await page.locator('.cm-lineNumbers .cm-gutterElement', { hasText: /^10$/ }).click();
      expect(await page.locator('.cm-dot').count()).toBeGreaterThanOrEqual(1);
      await visitor.press('c');
      expect(await visitor.spot('real')).toBe('line 10 · total');
      expect(await page.locator('.cm-line', { hasText: 'result = result' }).textContent()).toContain(
        'price = 5',
      );
      await page.getByRole('tab', { name: 'Breakpoints' }).click();
      await page.getByLabel('Condition of the breakpoint on line 10').fill('price == 9');
      await page.keyboard.press('Enter');
      await page.locator('.brand').click();
      await visitor.press('c');
      expect(await visitor.variable('price')).toEqual(['9']);
      await visitor.press('C');
      expect(await visitor.spot('real')).toMatch(/entry/);
    });

    it('scrubs the run, walks its tree, follows the frames', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=factorial&c=factorial(4)&e=real');
      const slider = page.getByLabel('The real run');
      await slider.focus();
      for (let i = 0; i < 5; i += 1) await visitor.press('ArrowRight');
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^state 6 of/);
      await visitor.press('Home');
      expect(await slider.getAttribute('aria-valuetext')).toMatch(/^state 1 of/);
      await page.getByRole('tab', { name: 'Call tree' }).click();
      await page.locator('.call-node', { hasText: 'n=1' }).click();
      await page.locator('.frame').nth(3).waitFor();
      expect(await visitor.variable('n')).toEqual(['1']);
      await visitor.press('u');
      expect(await visitor.variable('n')).toEqual(['2']);
      expect(await page.locator('.call-row.inside').count()).toBe(4);
    });

    it('changes a value and runs on with it; watches; says what is wrong', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=gcd&c=gcd(48, 36)&e=real&w=o');
      await page.getByLabel('Expression to watch').fill('a * b');
      await page.keyboard.press('Enter');
      await page.locator('.watches .answer', { hasText: '1728' }).waitFor();
      await page.locator('.brand').click();
      await visitor.set('b', '20');
      expect(await visitor.variable('b')).toEqual(['20']);
      await page.locator('.watches .answer', { hasText: '960' }).waitFor();
      await visitor.press('r');
      expect(await page.locator('.world.real .world-value').textContent()).toBe('4');
      // The address holds the edit.
      await page.reload();
      await visitor.settled();
      expect(await page.locator('.world.real .world-value').textContent()).toBe('4');
      await visitor.press('R', 'S');
      await visitor.set('a', 'no such name');
      expect(await page.getByRole('alert').textContent()).toMatch(/E_/);
    });

    it('ends a program that never ends, and goes on with another', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=gcd&c=gcd(4, 2)&e=real');
      await visitor.press('e');
      await page.locator('.cm-content').fill('def spin():\n    return sum(range(10 ** 12))\n');
      await page.locator('.call input').fill('spin()');
      await page.locator('.call input').press('Enter');
      await page.locator('.status-busy[data-busy=true]').waitFor();
      await page.waitForTimeout(3_000);
      await page.getByRole('button', { name: 'Stop' }).click();
      await visitor.idle();
      expect(await page.locator('.where[data-position]').count()).toBe(0);
      await page.locator('select').selectOption('gcd');
      await visitor.settled();
      expect(await visitor.spot('real')).toMatch(/^gcd is called/);
    });

    it('lets a program reach nothing but itself', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=gcd&c=gcd(4, 2)&e=real');
      const names = ['js', 'pyodide_js', '_pyodide_core', 'pyodide.ffi', '_ctypes'];
      await visitor.press('e');
      const text = `def reach(name):\n    try:\n        __import__(name)\n    except ImportError:\n        return "nothing"\n    return "reached"\n\n\ndef all_of(names):\n    return [reach(name) for name in names]\n`;
      await page.locator('.cm-content').fill(text);
      await page.locator('.call input').fill(`all_of(${JSON.stringify(names)})`);
      await page.locator('.call input').press('Enter');
      await visitor.settled();
      await visitor.press('r');
      const value = await page.locator('.world.real .world-value').textContent();
      expect(value).toBe(`[${names.map(() => "'nothing'").join(', ')}]`);
      expect(visitor.elsewhere).toEqual([]);
    });

    it.each(['light', 'dark'] as const)('keeps nobody out, %s', { timeout: TIMEOUT }, async (colorScheme) => {
      await page.emulateMedia({ ...STILL, colorScheme });
      await visitor.go('#x=words&e=real&c=count("a rose is a rose")&w=@30');
      for (const tab of ['Inputs for…', 'Breakpoints', 'Call tree', 'Output', 'Timeline']) {
        await page.getByRole('tab', { name: tab }).click();
        expect(await barriers(page)).toEqual([]);
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
    });

    it('fits a phone', { timeout: TIMEOUT }, async () => {
      const { width, height } = page.viewportSize()!;
      await page.setViewportSize({ width: 360, height: 740 });
      await visitor.go('#x=discount&c=total([5, 2, 9], 3)&e=real');
      for (let i = 0; i < 3; i += 1) await visitor.click('over');
      expect(await visitor.spot('real')).toBe('line 10 · total');
      for (const panel of ['State', 'Run', 'Ask']) {
        await page.getByRole('button', { name: panel, exact: true }).click();
        expect(await overflow(page)).toBe(0);
        expect(await barriers(page)).toEqual([]);
      }
      // Fingers need room.
      const box = await page.locator('[data-command=over]').boundingBox();
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(30);
      await page.setViewportSize({ width, height });
    });

    const model = describe.runIf(bundledModelFits());
    model('with the model', () => {
      it('shows two worlds, and edits both', { timeout: TIMEOUT }, async () => {
        await visitor.go('#x=discount&c=total([5, 2, 9], 3)&e=both');
        await visitor.press('n', 'n', 'n');
        expect(await visitor.spot('real')).toBe('line 10 · total');
        expect(await page.locator('.confidence').first().textContent()).toMatch(/\d+ %/);
        await visitor.set('result', '40');
        expect(await visitor.variable('result')).toEqual(['40']);
        await page.getByRole('button', { name: 'Check the model on every state' }).click();
        await page.locator('.score').waitFor();
        await visitor.idle();
        expect(await page.locator('.score').textContent()).toMatch(/^\d+ of 2\d next states right$/);
        expect(await barriers(page)).toEqual([]);
        expect(visitor.errors).toEqual([]);
      });

      it('predicts what cannot be run, backwards too, and looks for inputs', {
        timeout: TIMEOUT,
      }, async () => {
        await visitor.go('#x=clip&c=clip([1, 7])&e=both');
        expect(await page.locator('.note').textContent()).toContain('Predicted only');
        await visitor.press('n', 'n', 'N');
        expect(await page.locator('.world.predicted').count()).toBe(1);
        await page.getByRole('tab', { name: 'Inputs for…' }).click();
        await page.getByLabel(/should return/).fill('[1]');
        await page.keyboard.press('Enter');
        await visitor.idle();
        await page.locator('.proposal, .ask .empty').first().waitFor();
        await page.getByRole('button', { name: 'Predict to the end' }).click();
        await visitor.idle();
        const walk = await page.getByLabel('The walk so far').getAttribute('aria-valuetext');
        expect(walk).toMatch(/^stop \d+ of \d+/);
      });
    });

    it('works without a network after the first visit', { timeout: TIMEOUT }, async () => {
      await visitor.go('#x=gcd&c=gcd(48, 36)&e=real');
      await page.locator('.status', { hasText: 'works offline' }).waitFor();
      await site.unplug();
      await page.reload();
      await visitor.settled();
      await visitor.press('n');
      expect(await visitor.spot('real')).toBe('line 2 · gcd');
    });
  });
});
