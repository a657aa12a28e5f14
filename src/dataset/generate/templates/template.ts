/** @file What a template is, and small helpers of all of them. */
import type { Random } from '../../../common/random.ts';
import { literal } from '../samples.ts';
import type { Ty } from '../values.ts';

export interface Template {
  readonly lines: readonly string[];
  readonly call: (r: Random) => string;
}

export type Make = (r: Random) => Template;

export const int = (r: Random, low: number, high: number) => String(r.int(low, high));

export const args =
  (name: string, ...types: readonly Ty[]) =>
  (r: Random) =>
    `${name}(${types.map((t) => literal(r, t)).join(', ')})`;

export const name = (r: Random, ...names: readonly string[]) => (r.chance(0.25) ? 'f' : r.pick(names));
