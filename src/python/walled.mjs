/**
 * @file CPython compiled to WebAssembly (the `pyodide` package) without Pyodide's bridge to JavaScript, and npdb's
 * tracer in it: what a stranger's program runs in. Web standards only: `sandbox.mjs` puts it into a process of Node,
 * `browser/worker.ts` into a worker of a browser.
 *
 * 1. No bridge. Pyodide's own start-up (`loadPyodide`) is not run: nothing of `js`, `pyodide_js`, `pyodide.ffi`
 *    is ever made, so there is no JavaScript object that Python could hold. The builtin modules that could
 *    make one, or touch raw memory (`_pyodide_core`, `_ctypes`, ...), are struck from the interpreter's table of
 *    modules; if one can still be made, it refuses to serve.
 * 2. Nothing to find. Pyodide is told that it is in a bare shell: it gets no `process`, `require`, `fs`,
 *    `fetch` or `WebSocket`, and those are gone from the global object before it loads (`emptyGlobals`).
 *
 * Leans on the internals of the pyodide version that package.json pins.
 */
import { createReader } from './read.mjs';

const UNDERSCORE = 95;
/** Bytes of files and unread pipes, all together; and the error number for more. */
const FILES_MAX = 64 * 2 ** 20;
const NO_SPACE = 51;
/** A function pointer in WebAssembly is a small number; those of module tables are below this. */
const FUNCTIONS_MAX = 20_000;

// Names of modules that no program gets: the bridge, raw memory, and the interpreter's own test modules.
const STRUCK = [
  '_pyodide_core',
  '_ctypes',
  '_ctypes_test',
  '_posixsubprocess',
  '_remote_debugging',
  '_testbuffer',
  '_testcapi',
  '_testclinic',
  '_testclinic_limited',
  '_testinternalcapi',
  '_testlimitedcapi',
  '_testmultiphase',
  '_testsinglephase',
  '_xxtestfuzz',
];

/** Functions that Pyodide's JavaScript gives its WebAssembly, by name. */
const BRIDGE =
  /^_*(Js|js|python2js|hiwire|raw_call|pyproxy|proxy_|destroy_|ffi_|emscripten_dlopen|create_(promise|once)|syncify|wrap_|array_to_js|set_pyodide|pyodide_js|get_length|handle_next|agen_|gc_register|my_dict|is_comlink|new_error|[gs]et_suspender|saveState|restoreState|get_async|emscripten_(promise|set_up_async))/;

// Library modules that programs often import: compiled once, into the snapshot.
const COMMON =
  `asyncio bisect calendar collections contextlib copy dataclasses datetime decimal enum fractions functools hashlib
  heapq itertools json math operator queue random re statistics string textwrap threading traceback typing
  uuid`.split(/\s+/);

/** Starts Python with the tracer in it. `snapshot`: the memory of one that was started before. */
export async function openPython({ create, files, entropy, snapshot = null, write }) {
  const memory = limitMemory();
  const bridge = { cut: false };
  const python = await loadPython(create, files, snapshot !== null, bridge);
  bridge.cut = true;
  const channel = openChannel(python, write);
  const encoder = new TextEncoder();
  const say = (record) => write(encoder.encode(`${JSON.stringify(record)}\n`));
  if (snapshot === null) {
    strike(python, STRUCK);
    python.FS.mkdir('/tracer');
    for (const { path, text } of files.tracer) python.FS.writeFile(path, text);
    if (!execute(python, start())) throw new Error('Python did not start');
    for (const { path } of files.tracer) python.FS.unlink(path);
    python.FS.rmdir('/tracer');
  } else if (!putMemory(python, snapshot)) {
    throw new Error('the memory is not of this interpreter');
  }
  let limited = false;
  /** Before a program: no more than its own share of memory and files. */
  const limit = (memoryMb) => {
    if (!limited) limitFiles(python);
    limited = true;
    memory.limit = memoryMb * 2 ** 20;
    entropy.reset();
  };
  return {
    version: files.lock.info.python,
    /** The interpreter itself. */
    python,
    limit,
    /** The started interpreter's memory, with common modules imported or not; take it before any program has run. */
    dump({ library }) {
      if (library) execute(python, `import ${COMMON.join(', ')}`);
      return memoryOf(python);
    },
    /** Serves one request, a line of JSON. False if the interpreter cannot serve another one. */
    serve(line, hard) {
      const request = JSON.parse(line);
      limit(request.limits.memoryMb);
      python.FS.writeFile('/request.json', line);
      // Without a channel: nothing that the program writes is a line of the protocol. It is the last one here.
      if (request.read) {
        createReader(python, say)(request);
        return false;
      }
      channel.open();
      const served = execute(python, `npdb_serve(${hard ? 'True' : 'False'})`);
      channel.close();
      return served;
    },
  };
}

// --- the Python side

/** Run once, before any program. Raises, and so ends the process, if a struck module can still be made. */
function start() {
  return `
import _imp, builtins, io, json, os, random, sys, types, warnings, zipimport
from importlib.machinery import BuiltinImporter, ModuleSpec, PathFinder

def npdb_start(struck):
    for name in struck:
        if _imp.create_builtin(ModuleSpec(name, BuiltinImporter, origin='built-in')) is not None:
            raise SystemError(name + ' is still there')
    # What is left of the bridge in the library: documentation of objects that do not exist here.
    for files in zipimport._zip_directory_cache.values():
        for name in [name for name in files if name.startswith(('pyodide/', '_pyodide/'))]:
            del files[name]
    with open('/tracer.py') as file:
        source = file.read()
    os.environ.clear()
    os.environ.update(PYTHONHASHSEED='0')
    tracer = types.ModuleType('npdb_tracer')
    tracer.__file__ = '/tracer.py'
    exec(compile(source, 'tracer.py', 'exec'), tracer.__dict__)
    sys.meta_path.insert(0, OneThreadAsyncio)
    write, opened = os.write, []

    def serve(hard):
        # The same descriptor in every run: it is a program's business to open none of its own before.
        if not opened:
            opened.append(os.open('/channel', os.O_WRONLY))
            os.unlink('/channel')
        descriptor = opened[0]
        with open('/secret', 'rb') as file:
            secret = file.read()
        with open('/request.json') as file:
            request = json.load(file)
        os.unlink('/secret')
        os.unlink('/request.json')

        def emit(line):
            if line is not None:
                write(descriptor, secret + line.encode('ascii', 'backslashreplace') + b'\\n')

        tracer.run(request, emit, hard=hard)

    def prepare():
        'What tracer.run does before a program, for one that runs without it. Returns a renderer for its value.'
        with open('/request.json') as file:
            request = json.load(file)
        os.unlink('/request.json')
        os.unlink('/channel')
        module = types.ModuleType('__main__')
        module.__dict__.update(__builtins__=builtins, __file__='main.py')
        sys.modules['__main__'] = module
        sys.argv = ['main.py', *request.get('argv', ())]
        given = request.get('stdin', '').encode('utf-8', 'surrogatepass')
        sys.stdin = io.TextIOWrapper(io.BytesIO(given), 'utf-8')
        streams = []
        for path in '/output1', '/output2':
            raw = io.FileIO(os.open(path, os.O_WRONLY), 'w')
            os.unlink(path)
            streams.append(io.TextIOWrapper(raw, 'utf-8', 'backslashreplace', newline='\\n', write_through=True))
        sys.stdout, sys.stderr = streams
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr
        random.seed(0)
        warnings.simplefilter('ignore')
        return tracer.Renderer(request['values']).text

    return serve, prepare

class OneThreadAsyncio:
    'asyncio wakes a sleeping loop through a pair of sockets. There are none here, and no second thread to do it.'

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != 'asyncio.selector_events':
            return None
        spec = PathFinder.find_spec(name, path)
        spec.loader = OneThreadAsyncio(spec.loader)
        return spec

    def __init__(self, loader):
        self.loader = loader

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        self.loader.exec_module(module)
        loop = module.BaseSelectorEventLoop
        loop._make_self_pipe = loop._close_self_pipe = loop._write_to_self = lambda self: None

npdb_serve, npdb_prepare = npdb_start(${JSON.stringify(STRUCK)})
`;
}

// --- the JavaScript side

/**
 * Leaves the language itself, WebAssembly, and what Pyodide's loader needs: text, time, a console. `complain` takes
 * what is said there. Throws where something will not go.
 */
export function emptyGlobals(complain) {
  const kept = new Set(
    `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Date Promise
     RegExp Error AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError JSON Math
     Intl ArrayBuffer Atomics SharedArrayBuffer Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array
     Float32Array Float64Array Uint8ClampedArray BigUint64Array BigInt64Array DataView Map BigInt Set WeakMap
     WeakSet WeakRef FinalizationRegistry Proxy Reflect Iterator decodeURI decodeURIComponent encodeURI
     encodeURIComponent escape unescape isFinite isNaN globalThis WebAssembly TextEncoder TextDecoder
     performance URL AbortController AbortSignal`.split(/\s+/),
  );
  // In a browser's worker some names lie on the prototypes of the global object.
  for (let on = globalThis; on && on !== Object.prototype; on = Object.getPrototypeOf(on)) {
    for (const name of Object.getOwnPropertyNames(on)) {
      if (kept.has(name) || name === 'constructor' || Reflect.deleteProperty(on, name)) continue;
      // Numbers that a browser fixes for good (`TEMPORARY`) are no way to anything.
      if (typeof on[name] !== 'number') throw new Error(`${name} cannot be taken away`);
    }
  }
  const say = (...words) => complain(words.join(' '));
  const quiet = Object.assign(Object.create(null), { log: say, warn: say, error: say, info: say });
  globalThis.console = quiet;
  // A shell's way to random bytes. Always the same ones: a program can be run again and do the same.
  const seed = 0x9e3779b9;
  let state = seed;
  const byte = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state & 255;
  };
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const system = (_, [, command]) => {
    const count = Number(/head -c(\d+)/.exec(command)[1]);
    let text = '';
    for (let done = 0; done < count; done += 3) {
      const bits = (byte() << 16) | (byte() << 8) | byte();
      for (const shift of [18, 12, 6, 0]) text += alphabet[(bits >> shift) & 63];
    }
    const over = (3 - (count % 3)) % 3;
    return over === 0 ? text : text.slice(0, -over) + '='.repeat(over);
  };
  globalThis.os = Object.freeze(Object.assign(Object.create(null), { system }));
  return {
    reset() {
      state = seed;
    },
  };
}

/** Python's heap is one WebAssembly memory: growing it beyond the limit fails, and Python raises MemoryError. */
function limitMemory() {
  const state = { limit: Number.POSITIVE_INFINITY };
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * 65_536 > state.limit) throw new RangeError('memory limit');
    return grow.call(this, pages);
  };
  return state;
}

function loadPython(create, files, noInitialRun, bridge) {
  const nothing = Object.freeze(Object.create(null));
  const env = {
    BUN: false,
    DENO: false,
    NODE: false,
    SAFARI: false,
    SHELL: true,
    WORKERD: false,
    NODE_COMMONJS: false,
    NODE_ESM: false,
    BROWSER: true,
    BROWSER_MAIN_THREAD: false,
    BROWSER_WEB_WORKER: false,
  };
  const runtimeEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [`IN_${name}`, value]));
  const version = files.lock.info.python.split('.').slice(0, 2);
  const settings = {
    API: {
      config: { jsglobals: nothing, env: {}, args: [], packages: [] },
      runtimeEnv,
      lockFilePromise: Promise.resolve({ ...files.lock, packages: {} }),
    },
    noImageDecoding: true,
    noAudioDecoding: true,
    print: () => {},
    printErr: console.error,
    thisProgram: 'python',
    arguments: [],
    noInitialRun,
    locateFile: (name) => name,
    preRun: [
      (module) => {
        const home = '/home';
        for (const path of ['site-packages', 'lib-dynload']) {
          module.FS.mkdirTree(`/lib/python${version.join('.')}/${path}`);
        }
        module.FS.writeFile(`/lib/python${version.join('')}.zip`, files.library);
        module.FS.mkdirTree(home);
        module.FS.chdir(home);
        Object.assign(module.ENV, { HOME: home, PYTHONHASHSEED: '0', PYTHONUTF8: '1' });
      },
    ],
    instantiateWasm(imports, done) {
      const mark = Symbol('error');
      cutBridge(imports.env, bridge);
      imports.env.Jsv_GetError_import = () => mark;
      imports.env.JsvError_Check = (value) => (value === mark ? 1 : 0);
      void WebAssembly.instantiate(files.wasm, imports).then((made) =>
        made instanceof WebAssembly.Instance ? done(made, files.wasm) : done(made.instance, made.module),
      );
      return {};
    },
  };
  return create(settings);
}

/**
 * What WebAssembly could call to hold, make or ask a JavaScript object, to load code that a program wrote
 * (`_imp.create_dynamic`), or to reach the system: gone from under the interpreter, whatever becomes of its memory.
 */
function cutBridge(env, bridge) {
  for (const name of Object.keys(env)) {
    const call = env[name];
    if (typeof call !== 'function' || !BRIDGE.test(name)) continue;
    env[name] = (...args) => {
      // Starting Pyodide makes tables of its own.
      if (bridge.cut) throw new Error(`no bridge: ${name}`);
      return call(...args);
    };
  }
  // Python asks these on a program's behalf, and takes no for an answer.
  env._dlopen_js = env._dlsym_js = () => 0;
  env._emscripten_system = () => -1;
}

/** Python's files and pipes lie in JavaScript's memory: beyond the limit, writing says that the disk is full. */
function limitFiles({ FS, PIPEFS }) {
  const { MEMFS } = FS.filesystems;
  let left = FILES_MAX;
  const room = (bytes) => {
    if (bytes > left) throw new FS.ErrnoError(NO_SPACE);
  };
  for (const name of ['expandFileStorage', 'resizeFileStorage']) {
    const change = MEMFS[name];
    MEMFS[name] = (node, size) => {
      const before = node.contents?.length ?? 0;
      room(size - before);
      change.call(MEMFS, node, size);
      left -= (node.contents?.length ?? 0) - before;
    };
  }
  const { read, write } = PIPEFS.stream_ops;
  PIPEFS.stream_ops.write = (stream, buffer, offset, length, position) => {
    room(length);
    left -= length;
    return write(stream, buffer, offset, length, position);
  };
  PIPEFS.stream_ops.read = (...args) => {
    const count = read(...args);
    left += count;
    return count;
  };
}

/** Runs Python text at the top level of `__main__`; false if it raised. */
export function execute(python, text) {
  const pointer = python.stringToNewUTF8(text);
  try {
    return python._PyRun_SimpleString(pointer) === 0;
  } catch (error) {
    // `os._exit`, or the interpreter broke: either way there is no going on.
    if (error?.name !== 'ExitStatus') console.error(error?.message ?? error);
    return false;
  }
}

/** A device for the tracer's lines. Only what begins with the run's secret word is handed on. */
function openChannel({ FS }, write) {
  let secret = new Uint8Array(0);
  const take = (_stream, buffer, offset, length) => {
    const bytes = buffer.subarray(offset, offset + length);
    if (secret.length > 0 && secret.every((value, at) => bytes[at] === value)) {
      write(bytes.subarray(secret.length));
    }
    return length;
  };
  const device = FS.makedev(64, 0);
  FS.registerDevice(device, { open: () => {}, write: take });
  FS.mkdev('/channel', device);
  return {
    open() {
      secret = Uint8Array.from({ length: 16 }, () => 97 + Math.floor(Math.random() * 26));
      FS.writeFile('/secret', secret);
    },
    close() {
      secret = new Uint8Array(0);
    },
  };
}

/** Two numbers, then Python's memory: how many functions its table has, and how large it is. */
function memoryOf(python) {
  const bytes = new Uint8Array(python.HEAPU8.length + 8);
  bytes.set(new Uint8Array(Uint32Array.from([python.wasmTable.length, python.HEAPU8.length]).buffer));
  bytes.set(python.HEAPU8, 8);
  return bytes;
}

/** False if it is not of this very interpreter. */
function putMemory(python, bytes) {
  const [functions, size] = new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + 8));
  if (functions !== python.wasmTable.length || bytes.length !== size + 8) return false;
  if (size > python.HEAPU8.length && !python.growMemory(size)) return false;
  python.HEAPU8.set(bytes.subarray(8));
  return true;
}

/** Strikes modules from every table of builtin modules in the interpreter's memory. */
function strike(module, struck) {
  const blank = module.stringToNewUTF8('-');
  const heap = module.HEAPU8;
  const words = new Uint32Array(heap.buffer, 0, heap.length >>> 2);
  execute(
    module,
    'import os, sys\nwith open("/modules", "w") as file: file.write(" ".join(sys.builtin_module_names))',
  );
  const known = new Set(module.FS.readFile('/modules', { encoding: 'utf8' }).split(' '));
  module.FS.unlink('/modules');
  const bytes = struck.map((name) => new TextEncoder().encode(`${name}\0`));
  const places = new Set();
  for (let at = heap.indexOf(UNDERSCORE); at >= 0; at = heap.indexOf(UNDERSCORE, at + 1)) {
    if (bytes.some((name) => name.every((byte, i) => heap[at + i] === byte))) places.add(at);
  }
  const isEntry = (at) => {
    const name = words[at] === blank ? '-' : textAt(heap, words[at]);
    return (name === '-' || known.has(name)) && words[at + 1] < FUNCTIONS_MAX;
  };
  // The tables are arrays of (name, function): a pointer to a struck name counts where a neighbour is such a
  // pair too. Elsewhere the same number means something else.
  for (let at = 2; at < words.length - 3; at++) {
    if (places.has(words[at]) && isEntry(at) && (isEntry(at - 2) || isEntry(at + 2))) words[at] = blank;
  }
}

function textAt(heap, pointer) {
  let text = '';
  for (let at = pointer; heap[at] > 0 && text.length < 40; at++) text += String.fromCharCode(heap[at]);
  return text;
}
