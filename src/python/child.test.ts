import { describe, expect, it } from 'vitest';
import { LineChild } from './child.ts';

function node(script: string): LineChild {
  return new LineChild({ command: process.execPath, args: ['-e', script], env: {} });
}

describe('a child that answers in lines', () => {
  it('hands on whole lines however they arrive, and no unfinished one', async () => {
    const child = node(
      `process.stdout.write('a\\nb'); setTimeout(() => process.stdout.write('c\\n\\nπ\\nrest'), 50)`,
    );
    const lines: string[] = [];
    child.onLine = (line) => lines.push(line);
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(lines).toEqual(['a', 'bc', '', 'π']);
  });

  it('keeps the end of what it complained about', async () => {
    const child = node(`console.error('x'.repeat(10_000) + ' the end')`);
    await child.exited;
    expect(child.stderr.length).toBeLessThanOrEqual(4096);
    expect(child.stderr.trimEnd()).toMatch(/ the end$/);
  });

  it('is stopped, and a command that is none ends too', async () => {
    const child = node('setInterval(() => {}, 1000)');
    child.kill();
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    const none = new LineChild({ command: '/no/such/command', args: [], env: {} });
    expect(await none.exited).toEqual({ code: 127, signal: null });
    expect(none.stderr).toMatch(/no\/such\/command/);
  });

  it('does not hold its host up while idle, but closing it is waited for', async () => {
    const child = node('setInterval(() => {}, 1000)');
    child.unref();
    const handles = process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    child.kill();
    const after = process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    expect(after).toBe(handles + 1);
    await child.exited;
  });
});
