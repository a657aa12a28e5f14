/**
 * @file The recorded engine: a real run, walked in both directions. `set` and expressions are made real by
 * running again up to that state (the run is deterministic), in the same sandbox.
 */
import { NpdbError } from '../common/errors.ts';
import type { PlannedEdit, PythonRuntime, RunRequest } from '../python/types.ts';
import { parseProgram } from '../source/index.ts';
import type { Program } from '../source/types.ts';
import { applyEdit, rootedAt, sameState, TraceStates } from '../state/index.ts';
import type { Action, Edit, Outcome, State } from '../state/types.ts';
import type { Trace } from '../trace/types.ts';
import { buildTree, KINDS } from '../tree/index.ts';
import type { Move, Place, StateTree } from '../tree/types.ts';
import { type Entry, entryEvent } from './entry.ts';
import { fullValue } from './full.ts';
import { evaluateIn } from './neural.ts';
import { Positions } from './positions.ts';
import type { Candidate, Debugger, EvaluateOptions, Evaluation, Moment, Origin, Position } from './types.ts';

/** A cut mark somewhere in the text; inside a string it only costs a run. */
const CUT = /\.\.\.|<\w+ \d+ (?:digits|elements)>/;

/** One recording and the tree of its entry call; a `set` makes another one. */
interface Run {
  readonly trace: Trace;
  readonly tree: StateTree;
  readonly states: TraceStates;
  readonly programs: readonly Program[];
  readonly depth: number;
  readonly edits: readonly PlannedEdit[];
}

export interface RecordedOptions {
  /** The program and the call; the local modules that they ran are found in the recording. */
  readonly programs: readonly Program[];
  readonly runtime: PythonRuntime;
  readonly request: RunRequest;
  readonly entry: Entry;
  readonly signal?: AbortSignal;
}

export class RecordedDebugger implements Debugger {
  readonly engine = 'recorded' as const;
  readonly #positions = new Positions();
  readonly #spots = new Map<number, { readonly run: Run; readonly place: Place | null }>();
  readonly #options: RecordedOptions;

  private constructor(options: RecordedOptions, run: Run) {
    this.#options = options;
    const first = options.entry === 'call' ? run.tree.first + 1 : run.tree.first;
    const place = { at: first, call: false };
    const state = this.#stateAt(run, place);
    this.#spots.set(this.#positions.add({ outcome: { type: 'state', state }, origin: 'real' }).id, {
      run,
      place,
    });
  }

  /** Runs the program once. Throws `E_NOT_REACHED` where the run ends before the entry call begins. */
  static async start(options: RecordedOptions): Promise<RecordedDebugger> {
    return new RecordedDebugger(options, await record(options, []));
  }

  get about(): string {
    const { header } = this.#run.trace;
    return `recorded with ${header.implementation} ${header.python}`;
  }

  /** The recording the current position is in. */
  get trace(): Trace {
    return this.#run.trace;
  }

  /** Of that recording, within the entry call. */
  get tree(): StateTree {
    return this.#run.tree;
  }

  /** Index of the current state in the recording; null at an end of the walk. */
  get at(): number | null {
    return this.#spots.get(this.current.id)!.place?.at ?? null;
  }

  get programs(): readonly Program[] {
    return this.#run.programs;
  }

  get current(): Position {
    return this.#positions.current;
  }

  get #run(): Run {
    return this.#spots.get(this.current.id)!.run;
  }

  position(id: number): Position {
    return this.#positions.at(id);
  }

  async act(action: Action): Promise<Position> {
    const { run, place } = this.#spots.get(this.current.id)!;
    if (place === null) return this.#leave(action);
    const move = run.tree.move(place, action);
    const outcome = this.#outcome(run, move);
    return this.#add(
      { outcome, origin: 'real', action, from: this.current.id },
      run,
      move.type === 'place' ? move.place : null,
    );
  }

  #leave(action: Action): Position {
    const backwards = action.type.startsWith('inv_');
    if (backwards === (this.current.outcome.type === 'entry') || this.current.from === undefined)
      return this.current;
    const before = this.#spots.get(this.current.from)!;
    // Back from an exit one meets the last state of the run, not the one the jump started from.
    const last = { at: before.run.tree.end - 1, call: false };
    const place = backwards ? last : before.place!;
    const state = this.#stateAt(before.run, place);
    const from = this.current.id;
    return this.#add({ outcome: { type: 'state', state }, origin: 'real', action, from }, before.run, place);
  }

  #add(position: Omit<Position, 'id'>, run: Run, place: Place | null): Position {
    const made = this.#positions.add(position);
    this.#spots.set(made.id, { run, place });
    return made;
  }

  #outcome(run: Run, move: Move): Outcome {
    if (move.type === 'place') return { type: 'state', state: this.#stateAt(run, move.place) };
    if (move.type === 'entry') return { type: 'entry' };
    if (move.exit === 'unknown') {
      const { end } = run.trace;
      throw new NpdbError(
        'E_CUT',
        `The recording was cut after ${end.events} events (${end.reason ?? 'unknown'}): what follows is not known.`,
        'Raise the limit, or stay before the cut.',
        4,
      );
    }
    const { exception, o: out } = run.trace.end;
    return {
      type: 'exit',
      exit: move.exit,
      ...(move.exit === 'error' && exception ? { exception } : {}),
      ...(out ? { out } : {}),
    };
  }

  #stateAt(run: Run, place: Place): State {
    const state = rootedAt(run.states.at(place.at), run.depth);
    return place.call ? { ...state, kind: 'line_call' } : state;
  }

  async set(edit: Edit, up = 0): Promise<Position> {
    const state = this.#positions.state();
    const { run, place } = this.#spots.get(this.current.id)!;
    const resumed = state.kind === 'resume';
    const planned = { at: place!.at, name: edit.name, value: edit.value, up, ...(resumed && { resumed }) };
    // The name is checked before anything runs.
    applyEdit(state, edit, up);
    const edits = [...run.edits, planned];
    const probes = [{ at: planned.at, expressions: [edit.name], up }];
    const next = await record(this.#options, edits, probes);
    if (!sameCourse(run.trace, next.trace, planned.at)) {
      throw new NpdbError(
        'E_COURSE',
        `\`${edit.name} = ${edit.value}\` was not set: run again, the program came to this point by another course.`,
        'Its threads, or the time, decide what it does: try again, or make them take fixed turns.',
      );
    }
    const set = next.probes[0]?.[0];
    if (set === undefined || 'error' in set) {
      const why = set === undefined ? 'the state was not reached again' : set.error;
      throw new NpdbError(
        'E_SET',
        `\`${edit.name} = ${edit.value}\` failed: ${why}.`,
        'Give a valid expression.',
      );
    }
    const edited = applyEdit(state, { name: edit.name, value: set.value }, up);
    const from = this.current.id;
    return this.#add(
      { outcome: { type: 'state', state: edited }, origin: 'edited', from, edit: { ...edit, up } },
      next,
      place,
    );
  }

  goto(id: number): Position {
    return this.#positions.goto(id);
  }

  place(state: State, origin: Origin): Position {
    const { run } = this.#spots.get(this.current.id)!;
    for (let at = run.tree.first; at < run.tree.end; at += 1) {
      const place = { at, call: false };
      if (sameState(this.#stateAt(run, place), state))
        return this.#add({ outcome: { type: 'state', state }, origin }, run, place);
    }
    throw new NpdbError(
      'E_NOT_RECORDED',
      'This state does not occur in the recording.',
      'Use `set` to change a value.',
    );
  }

  moments(line: number, file = 0): readonly Moment[] {
    const { tree, states } = this.#run;
    const code = KINDS.indexOf('line');
    const found: Moment[] = [];
    for (let at = tree.first; at < tree.end; at += 1) {
      if (tree.kind[at] !== code || tree.line[at] !== line || tree.file[at] !== file) continue;
      const depth = tree.depth[at]! - tree.depth[tree.first]!;
      if (depth >= 0) found.push({ at, fn: states.at(at).stack.at(-1)!.fn, depth });
    }
    return found;
  }

  travel(at: number): Position {
    const run = this.#run;
    if (!(Number.isInteger(at) && at >= run.tree.first && at < run.tree.end)) {
      const range = `${run.tree.first} to ${run.tree.end - 1}`;
      throw new NpdbError('E_POSITION', `The recording has no state ${at}.`, `Its states: ${range}.`);
    }
    const place = { at, call: false };
    const outcome = { type: 'state', state: this.#stateAt(run, place) } as const;
    return this.#add({ outcome, origin: 'real' }, run, place);
  }

  async evaluate(expression: string, up = 0, options: EvaluateOptions = {}): Promise<Evaluation> {
    // Over values that are shown in full no run is needed; what needs code, or what was cut, asks Python itself. So
    // does every frame but the current one: a callee may have changed what its caller was last seen with.
    const state = this.#positions.state();
    const quick = evaluateIn(state, this.programs, expression, up, false);
    const named = new Set(expression.match(/[\p{L}_][\p{L}\p{N}_]*/gu));
    const { locals, globals } = state.stack.at(-1)!;
    // A global that an edit made hides a builtin; the state shows only what the program's text says there is.
    const hidden = this.#run.edits.some(
      ({ name }) => named.has(name) && !locals.has(name) && !globals.has(name),
    );
    if (up === 0 && !hidden && quick.type === 'value' && !(options.full && CUT.test(quick.value)))
      return quick;
    const { run, place } = this.#spots.get(this.current.id)!;
    const { runtime, request } = this.#options;
    const asked = { up, edits: run.edits, ...(options.bytes === undefined ? {} : { bytes: options.bytes }) };
    const value = await fullValue(runtime, request, place!.at, expression, asked);
    if (value === null) return { type: 'unknown', why: 'the run did not reach this state again' };
    return 'error' in value
      ? { type: 'error', error: value.error }
      : { type: 'value', value: value.value, predicted: false };
  }

  async inverse(): Promise<Candidate[]> {
    throw new NpdbError(
      'E_NEEDS_MODEL',
      'A recording cannot propose inputs for an output.',
      'Use --engine neural or compared.',
    );
  }

  async close(): Promise<void> {
    await this.#options.runtime.close();
  }
}

/** Whether two recordings are of the same frames and lines up to an event. */
function sameCourse(one: Trace, other: Trace, at: number): boolean {
  for (let i = 0; i <= at; i += 1) {
    const [a, b] = [one.events[i]!, other.events[i]];
    if (a.e !== b?.e || a.f !== b.f || a.l !== b.l) return false;
  }
  return true;
}

/** A `set` records anew what is mostly the same. */
const parsed = new Map<string, Program>();
const PARSED = 256;

function modulesOf(trace: Trace, from: number): Program[] {
  return trace.header.files.slice(from).map(({ name, text }) => {
    const key = `${name}\0${text}`;
    const known = parsed.get(key) ?? parseProgram(text, name);
    if (parsed.size >= PARSED) parsed.clear();
    parsed.set(key, known);
    return known;
  });
}

async function record(
  options: RecordedOptions,
  edits: readonly PlannedEdit[],
  probes: RunRequest['probes'] = [],
): Promise<Run & { readonly probes: Awaited<ReturnType<PythonRuntime['run']>>['probes'] }> {
  const { runtime, request, entry, programs, signal } = options;
  const result = await runtime.run({ ...request, edits, probes }, signal ? { signal } : {});
  const { trace } = result;
  const at = entryEvent(trace, entry);
  if (at === null) {
    const how = trace.end.exception ?? trace.end.reason ?? trace.end.status;
    throw new NpdbError(
      'E_NOT_REACHED',
      `The program ended before the call began: ${how}.`,
      'The neural engine can still debug it: it never runs the program.',
      4,
    );
  }
  const whole = buildTree(trace);
  const tree = whole.entry(at);
  const all = [...programs, ...modulesOf(trace, programs.length)];
  const states = new TraceStates(trace, all);
  return {
    trace,
    tree,
    states,
    programs: all,
    depth: states.at(at).stack.length - 1,
    edits,
    probes: result.probes,
  };
}
