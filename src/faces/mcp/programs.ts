/**
 * @file Which program texts a client may name: Python files within the server's roots, symbolic links resolved.
 * A client that can call a tool must not be able to read other files of this machine.
 */
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { NpdbError } from '../../common/errors.ts';

export interface ProgramText {
  /** As the client named it; `main.py` for code that came as text. */
  readonly path: string;
  readonly text: string;
  /** The file on disk, to be read again on a restart. */
  readonly file?: string;
}

/** Source of a program handed over as text or by path. */
export interface ProgramSource {
  readonly code?: string | undefined;
  readonly scriptPath?: string | undefined;
}

/** A program of more characters would only be refused later, by every model. */
const MOST_CHARACTERS = 1_000_000;

/** Null where neither is given. Throws `E_ARGUMENT`, `E_FILE`, `E_OUTSIDE_ROOT`, `E_NOT_PYTHON`. */
export async function programFrom(
  { code, scriptPath }: ProgramSource,
  roots: readonly string[],
): Promise<ProgramText | null> {
  if (code !== undefined && scriptPath !== undefined) {
    throw new NpdbError('E_ARGUMENT', 'Both `code` and `scriptPath` are given.', 'Give one of them.');
  }
  if (code !== undefined) {
    if (code.length > MOST_CHARACTERS) {
      throw new NpdbError('E_TOO_LONG', `The program has ${code.length} characters.`, 'Send less of it.');
    }
    return { path: 'main.py', text: code };
  }
  return scriptPath === undefined ? null : readProgram(scriptPath, roots);
}

/** The same file, as it is now. */
export async function reread(program: ProgramText, roots: readonly string[]): Promise<ProgramText> {
  return program.file === undefined ? program : readProgram(program.path, roots);
}

// --- internal ---

async function readProgram(path: string, roots: readonly string[]): Promise<ProgramText> {
  const wanted = isAbsolute(path) ? path : resolve(roots[0] ?? '.', path);
  const within = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  const real = await realpath(wanted).catch((cause) => {
    // A name outside the roots is not told whether it exists.
    if (!within.some((root) => inside(root, wanted)) && !roots.some((root) => inside(root, wanted))) {
      throw outside(path, roots);
    }
    throw new NpdbError('E_FILE', `The program ${path} cannot be read.`, 'Check the path.', 3, { cause });
  });
  if (!within.some((root) => inside(root, real))) throw outside(path, roots);
  if (!/\.pyw?$/i.test(real)) {
    throw new NpdbError('E_NOT_PYTHON', `${path} is no Python file.`, 'Name a .py file.');
  }
  let text: string;
  try {
    text = await readFile(real, 'utf8');
  } catch (cause) {
    throw new NpdbError('E_FILE', `The program ${path} cannot be read.`, 'Check the path.', 3, { cause });
  }
  if (text.length > MOST_CHARACTERS) {
    throw new NpdbError('E_TOO_LONG', `${path} has ${text.length} characters.`, 'Name a smaller file.');
  }
  return { path, text: text.replace(/^\uFEFF/, ''), file: real };
}

function inside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function outside(path: string, roots: readonly string[]): NpdbError {
  return new NpdbError(
    'E_OUTSIDE_ROOT',
    `${path} is not within ${roots.join(' or ')}.`,
    'Send the program as `code`, or start the server with --root DIR.',
  );
}
