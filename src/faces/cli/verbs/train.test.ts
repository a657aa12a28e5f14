import { describe, expect, it } from 'vitest';
import { absolute, exitStatus } from './train.ts';

describe('npdb train', () => {
  it("takes paths from the user's folder, and keeps weights and all else", () => {
    const given = { shards: ['data/a:2', '/b'], out: 'ckpt', export: '../m', init: 'w', size: 's' };
    expect(absolute(given, '/home/u')).toEqual({
      shards: ['/home/u/data/a:2', '/b'],
      out: '/home/u/ckpt',
      export: '/home/m',
      init: '/home/u/w',
      size: 's',
    });
  });

  it("ends as the training ended: with its status, or 128 and the signal's number", () => {
    expect([exitStatus(0, null), exitStatus(3, null), exitStatus(null, 'SIGINT')]).toEqual([0, 3, 130]);
  });
});
