import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { LineChild } from './child.ts';
import { bound } from './lifeline.ts';
import { dieWithHost } from './survivors.ts';

afterEach(() => vi.restoreAllMocks());

describe('children of a process that ends', () => {
  it('end with it, and its signal then does what it does by itself', () => {
    const sent = vi.spyOn(process, 'kill').mockReturnValue(true);
    const before = process.listenerCount('SIGHUP');
    const kills = [vi.fn(), vi.fn()];
    const [first, second] = kills.map((kill) => dieWithHost(kill));
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
    process.emit('SIGHUP', 'SIGHUP');
    for (const kill of kills) expect(kill).toHaveBeenCalledOnce();
    expect(sent).toHaveBeenCalledWith(process.pid, 'SIGHUP');
    first!();
    second!();
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });

  it('are left alone while someone else handles the signal', () => {
    const sent = vi.spyOn(process, 'kill').mockReturnValue(true);
    const kill = vi.fn();
    const other = vi.fn();
    process.on('SIGHUP', other);
    const gone = dieWithHost(kill);
    process.emit('SIGHUP', 'SIGHUP');
    gone();
    process.off('SIGHUP', other);
    expect(other).toHaveBeenCalledOnce();
    expect(kill).not.toHaveBeenCalled();
    expect(sent).not.toHaveBeenCalled();
  });

  it('are watched for only while they live', async () => {
    const before = process.listenerCount('SIGHUP');
    const child = new LineChild({ command: process.execPath, args: ['-e', ''], env: {} });
    expect(process.listenerCount('SIGHUP')).toBe(before + 1);
    await child.exited;
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });

  // The host here is a process of its own, killed outright: it can do nothing more about its children.
  it.skipIf(process.platform !== 'linux').each([
    ['the kernel', 'process', true],
    ['a second process', 'process', false],
    ['a second process, with all that they started', 'group', true],
  ] as const)('end by %s if it is killed outright', async (_, what, kernel) => {
    const word = `${9_000_000 + process.pid}.${what.length}${Number(kernel)}`;
    const started = what === 'group' ? `sleep ${word} & sleep ${word}` : `exec sleep ${word}`;
    const { command, args, pipe } = bound({ command: '/bin/sh', args: ['-c', started] }, what, kernel);
    const stdio = JSON.stringify(['pipe', 'pipe', 'pipe', 'ignore', ...(pipe ? ['pipe'] : [])]);
    const text = `require('child_process').spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { detached: true, stdio: ${stdio} })
      .on('spawn', () => console.log('started')); setInterval(() => {}, 1000);`;
    const host = spawn(process.execPath, ['-e', text]);
    await once(host.stdout, 'data');
    await expect.poll(() => running(word), { timeout: 60_000 }).toBe(true);
    host.kill('SIGKILL');
    await expect.poll(() => running(word), { timeout: 60_000 }).toBe(false);
  });
});

function running(word: string): boolean {
  return readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').startsWith(`sleep\0${word}`);
    } catch {
      return false;
    }
  });
}
