/** @file The adapter driven by an editor: Emacs' dap-mode, where it is installed (Debian: emacs-nox, elpa-dap-mode). */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const missing = ['/usr/bin/emacs', '/usr/share/emacs/site-lisp/elpa-src/dap-mode-0.7'].filter(
  (p) => !existsSync(p),
);

it.skipIf(missing.length > 0)(
  'Emacs stops at a breakpoint, looks, steps over, into, out, back and in reverse, and ends',
  async () => {
    const program = `${root}examples/discount.py`;
    const args = ['-Q', '--batch', '-l', 'test/editors/drive.el', program, 'total([5, 2, 9], 3)'];
    const { stdout } = await promisify(execFile)('emacs', args, { cwd: root });
    expect(stdout.split('\n').filter((line) => !/^$|^TERMINATED/.test(line))).toEqual([
      'STOP total:10',
      'LOCALS (("prices" . "[5, 2, 9]") ("discount" . "3") ("result" . "0") ("price" . "5"))',
      'EVAL 30',
      'STOP total:9',
      'STOP total:10',
      'STOP cut:2',
      'STOP cut:4',
      'STOP cut:4',
      'STOP total:10',
      'LOCALS (("prices" . "[5, 2, 9]") ("discount" . "3") ("result" . "2") ("price" . "2"))',
    ]);
    expect(stdout).toContain('TERMINATED');
  },
  300_000,
);
