/** The same commands to CPython's pdb and to the recorded engine: what each prints, command by command. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = `import math

def area(r, scale=1):
    total = 0
    for i in range(2):
        total += r * i
    return total * scale

class Box:
    def __init__(self, side):
        self.side = side

def main():
    b = Box(3)
    xs = [area(1)]
    xs.append(area(2, scale=3))
    try:
        xs[9]
    except IndexError as error:
        xs.append(str(error))
    return xs

main()
print("done")
`;
// `b area` is left out: up to 3.11 pdb puts it on the line of the def, later (and here) on the first line of the body.
const COMMANDS = [
  ...[
    'l',
    'n',
    'n',
    'n',
    'n',
    's',
    's',
    'n',
    's',
    's',
    's',
    'a',
    'w',
    'u',
    'p xs',
    'd',
    'p r, total',
    'p nothing',
  ],
  ...[
    'b 6, r == 2',
    'tbreak 20',
    'b 7',
    'b',
    'disable 3',
    'b',
    'c',
    'p r, i, total',
    'whatis r',
    'whatis area',
    'enable 3',
  ],
  ...['condition 1', 'ignore 1 1', 'c', 'retval', 'r', 'retval', 'clear 3', 'ignore 1 0', 'clear 1'],
  ...[
    "pp {'b': [1, 2], 'a': list(range(40))}",
    'n',
    'n',
    'c',
    'll',
    'p error',
    'display len(xs)',
    'n',
    'n',
    'r',
    'rv',
  ],
  ...['alias two n;;p 1 + 1', 'alias', 'two', 'unalias two', 'alias', 'p 1;;p 2'],
];

const python = spawnSync('python3', ['--version']).status === 0 ? 'python3' : null;

describe.skipIf(python === null)("pdb's transcript", () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'npdb-pdb-'));
    writeFileSync(join(folder, 'x.py'), PROGRAM);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is ours, command by command', () => {
    const theirs = pdb(folder);
    const ours = npdb(folder);
    for (const [i, command] of COMMANDS.entries()) {
      expect({ command: `${i}: ${command}`, output: ours[i] }).toEqual({
        command: `${i}: ${command}`,
        output: theirs[i],
      });
    }
    expect(theirs.length).toBeGreaterThanOrEqual(COMMANDS.length);
  });
});

/** What CPython's pdb prints for each command; without the path of the file and the frames of pdb itself. */
function pdb(folder: string): string[][] {
  const { stdout } = spawnSync(python!, ['-m', 'pdb', 'x.py'], {
    cwd: folder,
    input: `${COMMANDS.join('\n')}\nq\n`,
    env: { ...process.env, HOME: folder, PYTHONHASHSEED: '0' },
  });
  const chunks = stdout.toString().split('(Pdb) ');
  return chunks.slice(1).map((chunk) => {
    const text = chunk.replace(/\S*\/(?=x\.py[(:])/g, '');
    return lines(text.replace(/ {2}\S*bdb\.py\(\d+\)\w+\(\)\n.*\n(?: {2}<string>\(1\)<module>\(\)\n)?/g, ''));
  });
}

function npdb(folder: string): string[][] {
  const bin = new URL('../bin/npdb.js', import.meta.url).pathname;
  // pdb begins at the first line; here the module's own call is a state before it.
  const commands = ['s', ...COMMANDS].flatMap((command) => ['-c', command]);
  const args = [
    bin,
    'x.py',
    '--engine',
    'recorded',
    '--python',
    python!,
    '--no-rc',
    '--json',
    ...commands,
    '-c',
    'q',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  });
  const told = stdout.toString().trim().split('\n');
  if (told.length < COMMANDS.length) throw new Error(stderr.toString());
  return told
    .slice(2)
    .map((line) => (JSON.parse(line) as { output: string[] }).output.flatMap((text) => text.split('\n')));
}

const lines = (text: string): string[] => (text.trimEnd() === '' ? [] : text.trimEnd().split('\n'));
