/** @file The adapter's host in a browser: files from the editor's file system, engines from the same page. */
import { NpdbError } from '../../../src/common/errors.ts';
import { RecordedDebugger } from '../../../src/debugger/recorded.ts';
import { replay } from '../../../src/debugger/replay.ts';
import type { Found, Host } from '../../../src/faces/dap/types.ts';
import { type Engines, open } from '../../../src/faces/web/session/open.ts';

export function webHost(
  read: (path: string) => Promise<Uint8Array> | PromiseLike<Uint8Array>,
  engines: Engines,
): Host {
  return {
    async find({ program, code, module }): Promise<Found> {
      if (code !== undefined) return { path: '', text: Array.isArray(code) ? code.join('\n') : code };
      if (program === undefined) {
        const what = module === undefined ? 'names no program' : 'names a module, which needs Node';
        throw new NpdbError('E_FILE', `The launch configuration ${what}.`, 'Set `program`.');
      }
      const bytes = await Promise.resolve(read(program)).catch((cause: unknown) => {
        throw new NpdbError('E_FILE', `The program ${program} cannot be read.`, 'Check `program`.', 3, {
          cause,
        });
      });
      return { path: program, text: new TextDecoder().decode(bytes).replace(/^\uFEFF/, '') };
    },

    async open(options, signal) {
      const { text, call, engine, path } = options;
      if (options.model !== undefined) {
        throw new NpdbError(
          'E_MODEL_MISSING',
          'A browser has no folders.',
          'Leave `model` out: one is bundled.',
          3,
        );
      }
      const spec = {
        text,
        engine: engine ?? 'neural',
        resync: options.resync ?? false,
        ...(call === undefined ? {} : { call }),
      };
      const { debug, begin } = await open(spec, engines, signal);
      const { programs, entry } = begin;
      const request = { file: { name: 'main.py', text }, ...(call === undefined ? {} : { call }) };
      const compare: Awaited<ReturnType<Host['open']>>['compare'] = async (position) =>
        replay(
          debug,
          position,
          await RecordedDebugger.start({ programs, runtime: await engines.runtime(), request, entry }),
        );
      return {
        debug,
        files: { programs, names: [path, '<call>'] },
        ...(spec.engine === 'neural' ? { compare } : {}),
        close: () => debug.close(),
      };
    },

    same: (a, b) => plain(a) === plain(b),
  };
}

/** A path or URI without what editors write in several ways. */
function plain(path: string): string {
  const text = path.replace(/^file:\/\//, '');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
