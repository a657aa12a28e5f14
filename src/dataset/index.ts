export { BUILD_DEFAULTS, type BuildOptions, type BuildResult, buildDataset, type Progress } from './build.ts';
export { DOCUMENT_DEFAULTS, type DocumentOptions, makeDocuments } from './documents.ts';
export { Forbidden, sift } from './exclude.ts';
export { buildExits, EXITS, type ExitOptions, type ExitRow, exitSources, exitsOf } from './exits.ts';
export {
  type GenerateOptions,
  generateEndless,
  generateLevel,
  generatePrograms,
  type LevelCounts,
  shareOut,
} from './generate/index.ts';
export { makePlan, type Plan, type PlanOptions } from './plan.ts';
export { POLICY_NAMES, policyOf } from './policy.ts';
export { decodeShard, encodeShard } from './shards.ts';
export { sampleTrajectory } from './trajectory.ts';
export type * from './types.ts';
