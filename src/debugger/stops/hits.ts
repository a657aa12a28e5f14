/** @file Hit conditions as editors write them: `3` or `== 3` the third hit, `>= 3` from it on, `% 3` every third. */
import { NpdbError } from '../../common/errors.ts';

export interface HitCondition {
  readonly op: '==' | '>=' | '>' | '<=' | '<' | '%';
  readonly count: number;
}

/** Throws `E_HIT_CONDITION`. */
export function readHitCondition(text: string): HitCondition {
  const [, op = '==', count] = /^\s*(==|=|>=|>|<=|<|%)?\s*(\d{1,9})\s*$/.exec(text) ?? [];
  if (count === undefined || (op === '%' && Number(count) === 0)) {
    throw new NpdbError(
      'E_HIT_CONDITION',
      `\`${text}\` is no hit condition.`,
      'Write a count, with ==, >=, >, <=, < or % before it.',
    );
  }
  return { op: op === '=' ? '==' : (op as HitCondition['op']), count: Number(count) };
}

/** Whether the `hits`-th hit (from 1) stops. */
export function hitHolds(condition: HitCondition | undefined, hits: number): boolean {
  if (!condition) return true;
  const { op, count } = condition;
  switch (op) {
    case '==':
      return hits === count;
    case '>=':
      return hits >= count;
    case '>':
      return hits > count;
    case '<=':
      return hits <= count;
    case '<':
      return hits < count;
    case '%':
      return hits % count === 0;
  }
}
