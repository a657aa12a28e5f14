/** @file A real run as arrays that a timeline can draw, and what a walk has written. */
import type { RecordedDebugger } from '../../../debugger/recorded.ts';
import type { Position } from '../../../debugger/types.ts';
import type { RunView } from './types.ts';

/** Copies: what goes to the page leaves the worker. */
export function runOf({ tree, trace }: RecordedDebugger, number: number): RunView {
  const { first, end } = tree;
  const base = tree.depth[first]!;
  const cut = trace.end.status === 'cut' ? (trace.end.reason ?? 'a limit') : undefined;
  return {
    number,
    first,
    depth: Uint16Array.from(tree.depth.subarray(first, end), (depth) => Math.max(0, depth - base)),
    line: Uint32Array.from(tree.line.subarray(first, end), (line, i) =>
      tree.file[first + i] === 0 ? line : 0,
    ),
    kind: Uint8Array.from(tree.kind.subarray(first, end)),
    ...(cut === undefined ? {} : { cut }),
  };
}

/** What was written on the way, by the states themselves. */
export function outputOf(walk: readonly Position[]): string {
  return walk
    .map(({ outcome }) => {
      if (outcome.type === 'state') return (outcome.state.out ?? '') + (outcome.state.err ?? '');
      return outcome.type === 'exit' ? (outcome.out ?? '') : '';
    })
    .join('');
}
