export { KINDS } from './arrays.ts';
export { buildTree } from './tree.ts';
export type * from './types.ts';
