/**
 * @file The page's address: program, call, engine, breakpoints and walk in the part after `#`, which never leaves the
 * browser. Every state has one, and it leads back to that state.
 */
import { NpdbError } from '../../../common/errors.ts';
import type { EngineName } from '../../../debugger/types.ts';
import type { Point, Spec } from './types.ts';

export interface Address {
  /** The id of a bundled example, where the text is its own. */
  readonly example?: string;
  readonly spec: Spec;
  readonly points: readonly Point[];
  /** `path.ts` */
  readonly path: string;
}

export interface Known {
  readonly id: string;
  readonly text: string;
}

const ENGINES: Readonly<Record<string, EngineName>> = {
  neural: 'neural',
  real: 'recorded',
  both: 'compared',
};
const nameOf = (engine: EngineName): string =>
  Object.entries(ENGINES).find(([, value]) => value === engine)![0];
/** A program longer than this is no address. */
const LONGEST = 200_000;

export async function writeAddress(
  address: Omit<Address, 'example'>,
  known: readonly Known[],
): Promise<string> {
  const { spec, points, path } = address;
  const parts = new URLSearchParams();
  const example = known.find(({ text }) => text === spec.text);
  if (example) parts.set('x', example.id);
  else parts.set('p', await packed(spec.text));
  if (spec.call !== undefined) parts.set('c', spec.call);
  parts.set('e', nameOf(spec.engine));
  if (spec.resync) parts.set('r', '1');
  if (points.length > 0) parts.set('b', points.map(writePoint).join(','));
  if (path !== '') parts.set('w', path);
  return `#${parts}`;
}

/** Null where there is none. Throws `E_ADDRESS`. */
export async function readAddress(hash: string, known: readonly Known[]): Promise<Address | null> {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const [id, program] = [parts.get('x'), parts.get('p')];
  if (id === null && program === null) return null;
  const example = known.find((one) => one.id === id);
  if (id !== null && !example) throw broken(`there is no example ${id}`);
  const text = example?.text ?? (await unpacked(program!));
  const call = parts.get('c');
  const engine = ENGINES[parts.get('e') ?? 'both'];
  if (!engine) throw broken(`there is no engine ${parts.get('e')}`);
  return {
    ...(example ? { example: example.id } : {}),
    spec: { text, engine, resync: parts.get('r') === '1', ...(call === null ? {} : { call }) },
    points: (parts.get('b') ?? '').split(',').filter(Boolean).map(readPoint),
    path: parts.get('w') ?? '',
  };
}

// --- internal ---

function broken(why: string, cause?: unknown): NpdbError {
  const hint = 'Ask for the link again, or choose an example.';
  return new NpdbError('E_ADDRESS', `This link cannot be read: ${why}.`, hint, 2, { cause });
}

/** `9`, `-9` (disabled), `9:x > 3`. */
function writePoint({ line, enabled, condition }: Point): string {
  const text = condition === null ? '' : `:${encodeURIComponent(condition)}`;
  return `${enabled ? '' : '-'}${line}${text}`;
}

function readPoint(text: string): Point {
  const found = /^(-?)(\d+)(?::(.*))?$/.exec(text);
  if (!found) throw broken(`${text} is no breakpoint`);
  const [, off, line, condition] = found;
  return {
    line: Number(line),
    enabled: off === '',
    condition: condition === undefined ? null : decodeURIComponent(condition),
  };
}

async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');
}

async function unpacked(text: string): Promise<string> {
  try {
    const raw = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(raw, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const reader = stream.getReader();
    const decoder = new TextDecoder();
    let result = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return result + decoder.decode();
      result += decoder.decode(value, { stream: true });
      if (result.length > LONGEST) throw new Error('it is too long');
    }
  } catch (cause) {
    throw broken('its program is broken', cause);
  }
}
