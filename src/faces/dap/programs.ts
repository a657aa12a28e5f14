/** @file The session's files as DAP sources: the program by its path, the call expression as text of ours. */
import type { DebugProtocol } from '@vscode/debugprotocol';
import { NpdbError } from '../../common/errors.ts';
import type { Program } from '../../source/types.ts';
import type { Adapter } from './adapter.ts';
import type { Known } from './types.ts';

/** Source references of files that the client cannot read: their index, plus this. */
const FIRST_REFERENCE = 1;

export class Programs {
  readonly #adapter: Adapter;

  constructor(adapter: Adapter) {
    this.#adapter = adapter;
  }

  get #known(): Known | null {
    return this.#adapter.known;
  }

  get all(): readonly Program[] {
    return this.#known?.programs ?? [];
  }

  /** `origin` is shown by editors beside the name: whose word this is. */
  source(file: number, origin?: string): DebugProtocol.Source {
    const program = this.all[file];
    if (!program || !this.#known) return { name: `<file ${file}>`, presentationHint: 'deemphasize' };
    const more = origin ? { origin } : {};
    if (file === 0 && this.#known.path !== '') {
      return { name: nameOf(this.#known.path), path: this.#known.path, ...more };
    }
    return {
      name: program.name,
      sourceReference: file + FIRST_REFERENCE,
      origin: file === 0 ? 'the launch configuration' : 'the call',
      ...more,
    };
  }

  /** The file a client's source names; null if it is none of ours. */
  fileOf(source: DebugProtocol.Source | undefined): number | null {
    if (!source || !this.#known) return null;
    if (source.sourceReference) {
      const file = source.sourceReference - FIRST_REFERENCE;
      return this.all[file] ? file : null;
    }
    if (source.path === undefined) return null;
    return this.#adapter.host.same(source.path, this.#known.path) ? 0 : null;
  }

  /** Throws `E_SOURCE`. */
  programOf(source: DebugProtocol.Source | undefined): { readonly file: number; readonly program: Program } {
    const file = this.fileOf(source);
    const program = file === null ? undefined : this.all[file];
    if (file !== null && program) return { file, program };
    const name = source?.path ?? source?.name ?? 'This source';
    throw new NpdbError(
      'E_SOURCE',
      `${name} is not part of this session.`,
      'Only the program itself is debugged.',
    );
  }
}

/** The last part of a path, on any system, or of a URI. */
export const nameOf = (path: string): string => path.split(/[\\/]/).pop() || path;
