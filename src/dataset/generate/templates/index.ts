/**
 * @file Programs whose shape random statements do not reach. Each template is a small family: constants, names and branches vary
 * with the seed.
 */
import type { Random } from '../../../common/random.ts';
import { classes } from './classes.ts';
import { closures } from './closures.ts';
import { endless } from './endless.ts';
import { errors } from './errors.ts';
import { balanced, recursion } from './recursion.ts';
import type { Make, Template } from './template.ts';

/** One program of a template, drawn with the seed. */
export const template = (r: Random): Template =>
  r.pick(
    r.weighted<readonly Make[]>([
      [10, [...recursion, balanced]],
      [6, closures],
      [8, classes],
      [6, errors],
      [3, endless],
    ]),
  )(r);
