/**
 * @file Which local modules a script can import, from its text alone: `import` and `from` statements, followed
 * through the files beside the script. Nothing is run; a module that is imported under a computed name is not found.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceFile } from '../trace/types.ts';

/** Beyond these a folder is no program: what was found until then is given. */
const MAX_FILES = 1000;
const MAX_CHARS = 8_000_000;

/** The modules that `text`, a script in `folder`, can reach, by their paths below the folder (`pkg/mod.py`). */
export function localModules(text: string, folder: string): SourceFile[] {
  const found = new Map<string, SourceFile>();
  const work = [{ text, package: [] as readonly string[] }];
  let chars = 0;
  for (let next = work.pop(); next; next = work.pop()) {
    for (const parts of importedNames(next.text, next.package)) {
      for (const name of filesOf(parts, folder)) {
        if (found.has(name) || found.size >= MAX_FILES || chars > MAX_CHARS) continue;
        const module = { name, text: readFileSync(join(folder, name), 'utf8').replace(/^\uFEFF/, '') };
        chars += module.text.length;
        found.set(name, module);
        work.push({ text: module.text, package: dirname(name) === '.' ? [] : dirname(name).split('/') });
      }
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

// --- internal ---

const FROM = /^[ \t]*from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]*)/gmu;
const IMPORT = /(?:^[ \t]*|;[ \t]*|:[ \t]+)import[ \t]+([\w., \t]+)/gmu;

/** Dotted names as lists: of `from a import b` also `a.b`, which may be a module. */
function importedNames(text: string, home: readonly string[]): (readonly string[])[] {
  const names: (readonly string[])[] = [];
  const joined = text.replace(/\\\r?\n/g, ' ');
  for (const [, dots = '', module = '', list = ''] of joined.matchAll(FROM)) {
    const base = dots === '' ? [] : home.slice(0, home.length - dots.length + 1);
    const from = [...base, ...module.split('.').filter(Boolean)];
    if (from.length > 0) names.push(from);
    for (const name of list.replace(/#[^\n]*/g, '').matchAll(/(?<![\w.])(?!as\b)[^\W\d]\w*/gu)) {
      names.push([...from, name[0]]);
    }
  }
  for (const [, list = ''] of joined.matchAll(IMPORT)) {
    for (const name of list.split(',')) names.push(name.trim().split(/\s/)[0]!.split('.').filter(Boolean));
  }
  return names.filter((parts) => parts.length > 0);
}

/** The files that importing a dotted name runs: each package's `__init__.py`, and the module. */
function filesOf(parts: readonly string[], folder: string): string[] {
  const files: string[] = [];
  for (let i = 1; i <= parts.length; i += 1) {
    const path = parts.slice(0, i).join('/');
    for (const name of [`${path}/__init__.py`, `${path}.py`, ...(i === 1 ? [`${path}/__main__.py`] : [])]) {
      if (isFile(join(folder, name))) files.push(name);
    }
    if (!isFile(join(folder, `${path}.py`)) && !existsSync(join(folder, path))) break;
  }
  return files;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
