import { afterEach, describe, expect, it, vi } from 'vitest';
import { LineChild } from './child.ts';
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
});
