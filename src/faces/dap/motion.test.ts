import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Connected, connected, Driver, discount, fixtureHost } from './client.testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'npdb-dap-'));
const program = join(folder, 'discount.py');
writeFileSync(program, discount.trace.header.files[0]!.text);
const call = discount.trace.header.call!;
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(['recorded', 'neural', 'compared'] as const)('moving, %s', (engine) => {
  let connection: Connected;
  let driver: Driver;

  beforeEach(async () => {
    connection = await connected(fixtureHost(discount));
    driver = new Driver(connection.client);
    const stopped = driver.settled();
    await driver.launch({ program, call, engine, stopOnEntry: true });
    expect(await stopped).toBe('entry total:7');
  });
  afterEach(() => connection.close());

  it('steps over lines of the function, to its return, and ends', async () => {
    expect(await driver.go('next')).toBe('step total:8');
    expect(await driver.go('next')).toBe('step total:9');
    expect(await driver.go('next')).toBe('step total:10');
    expect(await driver.go('next')).toBe('step total:9');
  });
});
