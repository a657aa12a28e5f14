/** @file `npdb env` as an agent researcher starts it: the Python client, and raw lines. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

function run(
  command: string,
  args: readonly string[],
  stdin = '',
): Promise<{ code: number | null; out: string; err: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out, err }));
    child.stdin.end(stdin);
  });
}

it('trains from Python: seeded episodes with a random policy and a reward', async () => {
  const args = ['examples/env/client.py', '--engine', 'recorded', '--python', 'python3', '--episodes', '3'];
  const result = await run('python3', args);
  expect(result).toMatchObject({ code: 0, err: '' });
  const episodes = result.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const sets = readFileSync(fileURLToPath(new URL('../examples/programs.jsonl', import.meta.url)), 'utf8');
  expect(episodes).toHaveLength(3);
  for (const { program, steps, answer, truth, reward } of episodes) {
    expect(sets).toContain(`"id": "${program.split('#')[0]}"`);
    expect(steps).toBeGreaterThan(1);
    // On real runs the returned value is the right answer.
    if (truth !== null) expect({ answer, reward }).toEqual({ answer: truth, reward: 1 });
  }
  expect(episodes.some((episode) => episode.truth !== null)).toBe(true);
});

it('answers everything that was asked before stdin ended, and nothing else', async () => {
  const lines = [
    { jsonrpc: '2.0', id: 1, method: 'reset', params: { seed: 5 } },
    { jsonrpc: '2.0', id: 2, method: 'step', params: { action: 'step_return' } },
    { jsonrpc: '2.0', id: 3, method: 'step', params: { action: 'fly' } },
  ].map((line) => JSON.stringify(line));
  const args = [
    'bin/npdb.js',
    'env',
    'examples/discount.py',
    'total([5, 2], 3)',
    '--engine',
    'recorded',
    '--python',
    'python3',
  ];
  const { code, out } = await run(process.execPath, args, `${lines.join('\n')}\n`);
  expect(code).toBe(0);
  const answers = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers[1].result.observation).toMatchObject({ kind: 'return', value: '2' });
  expect(answers[2].error.data.code).toBe('E_ACTION');
});
