/** @file What a browser's Python worker is told and what it says. `runtime.ts` is one end, `worker.ts` the other. */

/** `pyodide.asm.mjs`: makes the interpreter's module. */
export interface PyodideModule {
  readonly default: (settings: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

/** What the interpreter is made of. The compiled module is shared by all workers. */
export interface WalledFiles {
  readonly wasm: WebAssembly.Module;
  /** `python_stdlib.zip` */
  readonly library: Uint8Array;
  /** `pyodide-lock.json` */
  readonly lock: { readonly info: { readonly python: string } };
  readonly tracer: readonly { readonly path: string; readonly text: string }[];
}

export type ToPython =
  | {
      readonly type: 'start';
      readonly files: WalledFiles;
      /** Address of `pyodide.asm.mjs`. */
      readonly asm: string;
      /** The memory of an interpreter that was started before. */
      readonly snapshot: Uint8Array | null;
      /** Give the started interpreter's memory, once. */
      readonly dump: boolean;
    }
  /** One request, a line of JSON. */
  | { readonly type: 'run'; readonly line: string };

export type FromPython =
  | { readonly type: 'ready'; readonly version: string; readonly snapshot?: Uint8Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly message: string }
  /** The tracer's lines, in order. */
  | { readonly type: 'lines'; readonly text: string }
  /** The run is over and the interpreter with it. */
  | { readonly type: 'over'; readonly said: string };
