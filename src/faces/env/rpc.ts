/**
 * @file JSON-RPC 2.0 over environments: any language that can write a line of JSON can train on them. Requests of one
 * environment are answered in order; those of different ones, and the members of a batch, side by side, so that a
 * model answers them together. Knows no transport.
 */
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import { loadPrograms } from '../../programs/index.ts';
import type { Shared } from '../shared.ts';
import { DebugEnvironment } from './environment.ts';
import { ACTIONS, type EnvOptions, type EnvProgram } from './types.ts';

/** Grows with every change that an old client would notice. */
export const PROTOCOL_VERSION = 1;
/** Environments at a time: each holds the positions of its episode. */
const MOST_ENVIRONMENTS = 256;

type Json = unknown;
interface Response {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly result?: Json;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Json };
}

/** JSON-RPC's own codes; ours come in `data.code`. */
const PARSE = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const REFUSED = -32000;

const request = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

const environment = z.string().default('default');
const program = z.strictObject({
  id: z.string().optional(),
  code: z.string(),
  call: z.string().optional(),
  expected: z.string().optional(),
});
const reward = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('none') }),
  z.strictObject({
    type: z.literal('goal'),
    line: z.number().int().optional(),
    function: z.string().optional(),
    kind: z.string().optional(),
    value: z.string().optional(),
    locals: z.record(z.string(), z.string()).optional(),
  }),
  z.strictObject({ type: z.literal('answer') }),
  z.strictObject({ type: z.literal('agreement') }),
]);
const make = z.strictObject({
  env: environment,
  programs: z.array(program).optional(),
  set: z.string().optional(),
  engine: z.enum(['neural', 'recorded', 'compared']).default('neural'),
  strategy: z.enum(['auto', 'direct', 'rollout']).optional(),
  resync: z.boolean().optional(),
  reward: reward.optional(),
  stepCost: z.number().optional(),
  maxSteps: z.number().int().min(1).optional(),
  endOnExit: z.boolean().optional(),
});
const reset = z.strictObject({
  env: environment,
  seed: z.number().int().optional(),
  program: z.string().optional(),
});
const step = z.strictObject({
  env: environment,
  action: z.union([
    z.number(),
    z.string(),
    z.strictObject({
      type: z.enum(ACTIONS),
      line: z.number().optional(),
      name: z.string().optional(),
      value: z.string().optional(),
    }),
  ]),
});
const close = z.strictObject({ env: environment });

interface Held {
  readonly environment: DebugEnvironment;
  turn: Promise<unknown>;
}

export class EnvironmentServer {
  readonly #shared: Shared;
  readonly #held = new Map<string, Held>();
  #made = 0;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  /** Makes an environment that needs no `make`: the one named `default`. */
  async add(name: string, options: EnvOptions): Promise<void> {
    await this.#held.get(name)?.environment.close();
    this.#held.set(name, {
      environment: new DebugEnvironment(options, this.#shared),
      turn: Promise.resolve(),
    });
  }

  /** One line in, one line out; null where nothing is to be answered (notifications). Never throws. */
  async handle(line: string): Promise<string | null> {
    let message: Json;
    try {
      message = JSON.parse(line);
    } catch {
      return JSON.stringify(failed(null, PARSE, 'This is no JSON.'));
    }
    if (!Array.isArray(message)) {
      const response = await this.#answer(message);
      return response && JSON.stringify(response);
    }
    if (message.length === 0) return JSON.stringify(failed(null, INVALID_REQUEST, 'The batch is empty.'));
    const responses = await Promise.all(message.map((one) => this.#answer(one)));
    const said = responses.filter((response) => response !== null);
    return said.length === 0 ? null : JSON.stringify(said);
  }

  async close(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    await Promise.allSettled(all.map(({ environment: env, turn }) => turn.then(() => env.close())));
  }

  async #answer(message: Json): Promise<Response | null> {
    const parsed = request.safeParse(message);
    if (!parsed.success) {
      const { id } = (message ?? {}) as { id?: unknown };
      const known = typeof id === 'string' || typeof id === 'number' ? id : null;
      return failed(known, INVALID_REQUEST, `No request: ${issueOf(parsed.error)}.`);
    }
    const { id, method, params = {} } = parsed.data;
    const response = await this.#call(id ?? null, method, params);
    return id === undefined ? null : response;
  }

  async #call(id: string | number | null, method: string, params: Json): Promise<Response> {
    try {
      const result = await this.#dispatch(method, params);
      if (result === undefined) {
        return failed(id, METHOD_NOT_FOUND, `There is no method ${method}.`, {
          hint: 'Methods: spec, make, reset, step, close.',
        });
      }
      return { jsonrpc: '2.0', id, result };
    } catch (error) {
      if (error instanceof z.ZodError) return failed(id, INVALID_PARAMS, `${method}: ${issueOf(error)}.`);
      if (error instanceof NpdbError) {
        const { code, message, hint } = error;
        return failed(id, REFUSED, message, { code, hint });
      }
      return failed(id, INTERNAL, error instanceof Error ? error.message : String(error));
    }
  }

  async #dispatch(method: string, params: Json): Promise<Json> {
    switch (method) {
      case 'spec':
        return { protocol: PROTOCOL_VERSION, actions: ACTIONS, environments: [...this.#held.keys()] };
      case 'make':
        return this.#make(make.parse(params));
      case 'reset': {
        const { env, ...options } = reset.parse(params);
        return this.#inTurn(env, (of) => of.reset(options));
      }
      case 'step': {
        const { env, action } = step.parse(params);
        return this.#inTurn(env, (of) => of.step(action));
      }
      case 'close': {
        const { env } = close.parse(params);
        await this.#inTurn(env, (of) => of.close());
        this.#held.delete(env);
        return { closed: env };
      }
      default:
        return undefined;
    }
  }

  async #make({ env, programs: given, set, ...options }: z.infer<typeof make>): Promise<Json> {
    if (this.#held.size >= MOST_ENVIRONMENTS && !this.#held.has(env)) {
      throw new NpdbError('E_ENV', `There are ${this.#held.size} environments.`, 'Close some.', 4);
    }
    const inline = (given ?? []).map((p, i): EnvProgram => ({ ...defined(p), id: p.id ?? `program-${i}` }));
    const programs = [...inline, ...(set === undefined ? [] : await programsOf(set))];
    await this.add(env, { ...defined(options), programs });
    this.#made += 1;
    return { env, programs: programs.length, actions: ACTIONS };
  }

  #inTurn<T>(name: string, work: (environment: DebugEnvironment) => Promise<T>): Promise<T> {
    const held = this.#held.get(name);
    if (!held) {
      const known = [...this.#held.keys()].join(', ') || 'none';
      throw new NpdbError('E_ENV', `There is no environment ${name}.`, `There are: ${known}.`);
    }
    const mine = held.turn.then(() => work(held.environment));
    held.turn = mine.catch(() => {});
    return mine;
  }
}

/** Every call of every program of a set, as programs of their own. */
export async function programsOf(path: string): Promise<EnvProgram[]> {
  const entries = await loadPrograms([path]);
  return entries.flatMap(({ id, code, calls, expected }) => {
    if (calls.length === 0) return [{ id, code }];
    return calls.map((call, i) => {
      const value = expected?.[i];
      return { id: `${id}#${i}`, code, call, ...(value == null ? {} : { expected: value }) };
    });
  });
}

// --- internal ---

function failed(id: string | number | null, code: number, message: string, data?: Json): Response {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}

function issueOf(error: z.ZodError): string {
  const issue = error.issues[0]!;
  return issue.path.length > 0 ? `${issue.path.join('.')}: ${issue.message}` : issue.message;
}

/** Without the keys whose value is undefined. */
function defined<T extends object>(
  of: T,
): {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as never;
}
