/**
 * @file A call whose value the host reads itself: the program runs with none of our Python around it (no tracer,
 * no channel, no frame below its own), and what it returns is read out of the interpreter from JavaScript, object by
 * object, by exact type. No method, hook, codec or audit hook of the program's runs while that happens: what a program
 * does to the Python it can reach (`__eq__`, `builtins`, the tracer) changes nothing of what is read here.
 * Part of `walled.mjs`; the other end is `reading.ts`.
 */

const EVAL = 258;
const FILE = 257;
/** Objects in one value, and how deep: more is no plain data. A cycle ends at the depth. */
const OBJECTS_MAX = 1_000_000;
const DEPTH_MAX = 200;
const TYPES = 'NoneType bool int float complex str bytes list tuple dict set frozenset ellipsis'.split(' ');

class NotPlain extends Error {}
/** The program wrote more than it may. */
class TooMuch extends Error {}

/** `say`: writes a line to the host. Made before the program runs; the result runs one request. */
export function createReader(python, say) {
  const at = (pointer) => new DataView(python.HEAPU8.buffer).getInt32(pointer, true);
  const typeOf = (object) => at(object + 4);
  const run = (text, start, space) => {
    const source = python.stringToNewUTF8(text);
    return python._PyRun_String(source, start, space, space);
  };
  const main = python._PyModule_GetDict(python._PyImport_AddModule(python.stringToNewUTF8('__main__')));
  const read = reader(python, at, typeOf, run, main);
  const output = openOutput(python);
  const prepare = run('npdb_prepare', EVAL, main);
  const fatal = run('(SystemExit, MemoryError)', EVAL, main);
  const [leave, memory] = [python._PyTuple_GetItem(fatal, 0), python._PyTuple_GetItem(fatal, 1)];

  return (request) => {
    output.room = request.limits.outputBytes;
    const render = python._PyObject_CallNoArgs(prepare);
    if (render === 0) return false;
    // A new one: the interpreter's first `__main__` holds our functions.
    const space = python._PyModule_GetDict(python._PyImport_AddModule(python.stringToNewUTF8('__main__')));
    python._Py_IncRef(space);
    say({ e: 'begun' });
    const end = outcome(() => {
      if (evaluate(request.file.text, 'main.py', FILE, space) === 0) return raised();
      const value = evaluate(request.call.trim(), '<call>', EVAL, space);
      if (value === 0) return raised();
      const plain = attempt(() => read(value));
      return plain ? { status: 'normal', plain } : { status: 'normal', told: told(render, value) };
    });
    say({ e: 'read', ...end, o: output.text(1), err: output.text(2) });
    return true;
  };

  function evaluate(text, name, start, space) {
    const code = python._Py_CompileString(python.stringToNewUTF8(text), python.stringToNewUTF8(name), start);
    return code === 0 ? 0 : python._PyEval_EvalCode(code, space, space);
  }

  /** What the pending exception is: its class' name and, if they are plain data, its arguments. */
  function raised() {
    const error = python._PyErr_GetRaisedException();
    const is = (kind) => python._PyErr_GivenExceptionMatches(error, kind) === 1;
    if (is(memory)) return { status: 'cut', reason: 'memory' };
    const args = attempt(() => read(python._PyException_GetArgs(error)));
    if (is(leave)) return { status: 'exit', args };
    return { status: 'error', name: python.UTF8ToString(python._PyExceptionClass_Name(typeOf(error))), args };
  }

  /** What is no plain data is told by our renderer, in the program's interpreter: no more than its word. */
  function told(render, value) {
    const text = python._PyObject_CallOneArg(render, value);
    if (text === 0) python._PyErr_Clear();
    const shown = text === 0 ? null : attempt(() => read(text));
    return shown?.[0] === 's' ? shown[1] : null;
  }
}

function outcome(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof TooMuch) return { status: 'cut', reason: 'output' };
    if (error?.name === 'ExitStatus')
      return { status: 'exit', args: ['(', ['i', (error.status & 255).toString(16)]] };
    return { status: 'cut', reason: 'killed' };
  }
}

function attempt(run) {
  try {
    return run();
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

/** Objects as JSON: a letter for the exact type, then what it holds. */
function reader(python, at, typeOf, run, space) {
  const names = TYPES.map((name) => (name === 'NoneType' || name === 'ellipsis' ? '' : name));
  const found = run(`(type(None), ${names.filter(Boolean).join(', ')}, type(...))`, EVAL, space);
  const kinds = new Map(TYPES.map((name, i) => [python._PyTuple_GetItem(found, i), name]));
  const truth = run('True', EVAL, space);
  const place = python._malloc(12);
  let left = 0;

  const items = (object, size, item, depth) =>
    Array.from({ length: size }, (_, i) => walk(item(object, i), depth + 1));
  const listed = (list, depth) => items(list, python._PyList_Size(list), python._PyList_GetItem, depth);
  const unordered = (object, depth) => {
    const list = python._PySequence_List(object);
    const shown = listed(list, depth);
    python._Py_DecRef(list);
    return shown;
  };

  function walk(object, depth) {
    if (--left < 0 || depth > DEPTH_MAX) throw new NotPlain();
    switch (kinds.get(typeOf(object))) {
      case 'NoneType':
        return ['N'];
      case 'ellipsis':
        return ['.'];
      case 'bool':
        return [object === truth ? 'T' : 'F'];
      case 'int':
        return ['i', digits(object)];
      case 'float':
        return ['f', number(python._PyFloat_AsDouble(object))];
      case 'complex':
        return [
          'c',
          number(python._PyComplex_RealAsDouble(object)),
          number(python._PyComplex_ImagAsDouble(object)),
        ];
      case 'str':
        return ['s', characters(object)];
      case 'bytes':
        return ['b', bytes(object)];
      case 'list':
        return ['[', ...listed(object, depth)];
      case 'tuple':
        return ['(', ...items(object, python._PyTuple_Size(object), python._PyTuple_GetItem, depth)];
      case 'set':
        return ['<', ...unordered(object, depth)];
      case 'frozenset':
        return ['>', ...unordered(object, depth)];
      case 'dict':
        return ['{', ...pairs(object, depth)];
      default:
        throw new NotPlain();
    }
  }

  /** Base 16: the interpreter's limit on decimal digits does not count. */
  function digits(object) {
    const text = python._PyNumber_ToBase(object, 16);
    const shown = characters(text).replace('0x', '');
    python._Py_DecRef(text);
    return shown;
  }

  /** By code point: an encoder would ask the program's error handlers about surrogates. */
  function characters(object) {
    const size = python._PyUnicode_GetLength(object);
    const copy = python._PyUnicode_AsUCS4Copy(object);
    if (copy === 0) throw new NotPlain();
    const view = new Uint32Array(python.HEAPU8.buffer, copy, size);
    let text = '';
    for (const point of view) text += String.fromCodePoint(point);
    python._PyMem_Free(copy);
    return text;
  }

  function bytes(object) {
    const from = python._PyBytes_AsString(object);
    const view = python.HEAPU8.subarray(from, from + python._PyBytes_Size(object));
    return Array.from(view, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }

  function pairs(object, depth) {
    const shown = [];
    new DataView(python.HEAPU8.buffer).setInt32(place, 0, true);
    while (python._PyDict_Next(object, place, place + 4, place + 8)) {
      const [key, value] = [at(place + 4), at(place + 8)];
      shown.push(walk(key, depth + 1), walk(value, depth + 1));
    }
    return shown;
  }

  return (object) => {
    left = OBJECTS_MAX;
    return walk(object, 0);
  };
}

/** JSON has none of `inf`, `nan`, `-0.0`. */
function number(value) {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** The devices behind the program's `sys.stdout` and `sys.stderr`. */
function openOutput({ FS }) {
  const state = { room: 0, text };
  const kept = { 1: [], 2: [] };
  for (const descriptor of [1, 2]) {
    const write = (_stream, buffer, offset, length) => {
      const taken = Math.min(length, state.room);
      kept[descriptor].push(buffer.slice(offset, offset + taken));
      state.room -= taken;
      if (taken < length) throw new TooMuch();
      return length;
    };
    const device = FS.makedev(65, descriptor);
    FS.registerDevice(device, { open: () => {}, write });
    FS.mkdev(`/output${descriptor}`, device);
  }
  function text(descriptor) {
    const size = kept[descriptor].reduce((sum, part) => sum + part.length, 0);
    const all = new Uint8Array(size);
    let at = 0;
    for (const part of kept[descriptor]) {
      all.set(part, at);
      at += part.length;
    }
    return new TextDecoder().decode(all);
  }
  return state;
}
