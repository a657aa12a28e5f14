/** @file docs/dap.md: every request of the protocol has a row, and the row tells the truth. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { launchSchema } from './launchArguments.ts';
import { HANDLERS } from './session.ts';

const page = readFileSync(new URL('../../../docs/dap.md', import.meta.url), 'utf8');
const types = join(
  dirname(createRequire(import.meta.url).resolve('@vscode/debugprotocol')),
  'debugProtocol.d.ts',
);
const requests = [...readFileSync(types, 'utf8').matchAll(/\/\/ command: '(\w+)'/g)].map(([, name]) => name!);

const rows = new Map<string, string>();
for (const [, names, state] of page.matchAll(/^\| ([^|]+) \| (yes|no) \|/gm)) {
  for (const [, name] of names!.matchAll(/`(\w+)`/g)) rows.set(name!, state!);
}

it.each(requests)('the request %s', (name) => {
  const answered = name === 'cancel' || (name in HANDLERS && name !== 'attach');
  expect(rows.get(name), 'a row of its own').toBe(answered ? 'yes' : 'no');
});

it('every request of ours', () => {
  for (const name of Object.keys(HANDLERS).filter((n) => n.startsWith('npdb/'))) expect(page).toContain(name);
});

it('every field of the launch configuration', () => {
  for (const name of Object.keys(launchSchema.shape).filter((n) => n !== 'redirectOutput')) {
    expect(page, name).toContain(`\`${name}\``);
  }
});

it('examples that can be launched', () => {
  const examples = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, text]) => JSON.parse(text!));
  expect(examples).toHaveLength(3);
  for (const example of examples) expect(() => launchSchema.parse(example)).not.toThrow();
});
