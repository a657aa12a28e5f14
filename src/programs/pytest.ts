/** @file What pytest made of a recorded run: its exit status (docs.pytest.org, "Exit codes") and its own last words. */
import type { Trace } from '../trace/types.ts';

const OUTCOMES = ['passed', 'failed', 'interrupted', 'internal error', 'usage error', 'no tests'] as const;

export interface PytestOutcome {
  /** `cut`: the recording was stopped before pytest ended; `unknown`: it did not end as pytest does. */
  readonly outcome: (typeof OUTCOMES)[number] | 'cut' | 'unknown';
  /** `1 passed, 2 skipped`; empty where pytest printed none. */
  readonly summary: string;
}

/** Of a run of `-m pytest`. */
export function pytestOutcome({ events, end }: Trace): PytestOutcome {
  const written = [...events, end].map(({ o }) => o ?? '').join('');
  // The time it took is no part of what happened.
  const [, summary = ''] = /(?:^|\n)=* ?([^\n]*?) in [\d.]+s[^\n]*\s*$/.exec(written) ?? [];
  if (end.status === 'cut') return { outcome: 'cut', summary };
  const outcome = end.status === 'exit' ? OUTCOMES[end.code ?? 0] : undefined;
  return { outcome: outcome ?? 'unknown', summary };
}
