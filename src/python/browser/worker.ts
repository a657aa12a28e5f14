/**
 * @file The worker a stranger's program runs in, in a browser: `walled.mjs` in it, nothing else within reach (no
 * network, no storage, no JavaScript). It serves one program; whoever started it ends it, also in the middle.
 */
import { emptyGlobals, openPython, type Walled } from '../walled.mjs';
import type { FromPython, PyodideModule, ToPython } from './protocol.ts';

/** What this file needs of a worker's global object; the compiler knows only a window's. */
interface WorkerScope {
  postMessage(message: FromPython, transfer?: Transferable[]): void;
  addEventListener(type: 'message', take: (event: MessageEvent<ToPython>) => void): void;
}

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);
const decoder = new TextDecoder();
let said = '';
let walled: Walled | null = null;

scope.addEventListener('message', ({ data }) => {
  if (data.type === 'start') void start(data);
  else run(data.line);
});

async function start({ files, asm, snapshot, dump }: Extract<ToPython, { type: 'start' }>): Promise<void> {
  try {
    const { default: create } = (await import(/* @vite-ignore */ asm)) as PyodideModule;
    const entropy = emptyGlobals((text) => {
      said = `${said}${text}\n`.slice(-4096);
    });
    walled = await openPython({ create, files, entropy, snapshot, write });
    const memory = dump ? walled.dump({ library: false }) : null;
    const { version } = walled;
    if (memory) post({ type: 'ready', version, snapshot: memory }, [memory.buffer]);
    else post({ type: 'ready', version });
  } catch (error) {
    post({ type: 'failed', message: `${(error as Error).message} ${said}`.trim() });
  }
}

/** At once, so that a program that is ended inside one long operation has lost none of its events. */
function write(bytes: Uint8Array): void {
  post({ type: 'lines', text: decoder.decode(bytes) });
}

function run(line: string): void {
  walled?.serve(line, true);
  post({ type: 'over', said });
}
