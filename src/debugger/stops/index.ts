export { type HitCondition, readHitCondition } from './hits.ts';
export { exceptionOf, exceptionType, type RuleEvents, StopRules } from './rules.ts';
export type * from './types.ts';
export { readTarget, type Target } from './watch.ts';
