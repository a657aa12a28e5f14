/**
 * @file How honest confidences are: reliability over bins of equal mass, expected calibration error (Naeini et al.
 * 2015, with equal-mass bins), AUROC of telling right from wrong; and the logistic fit that mends them.
 */
import { type Fit, features } from '../predictor/calibration.ts';

export interface Judged {
  /** 0..1. */
  readonly confidence: number;
  readonly right: boolean;
}

export interface Bin {
  readonly n: number;
  /** Means within the bin, 0..1. */
  readonly confidence: number;
  readonly accuracy: number;
}

export interface Reliability {
  readonly n: number;
  /** Sorted by confidence; sizes differ by one at most. */
  readonly bins: readonly Bin[];
  /** Mean gap between confidence and accuracy, weighted by size; 0..1. */
  readonly ece: number;
  /** Chance that a right answer has the higher confidence of a right and a wrong one; null where there is only one kind. */
  readonly auroc: number | null;
}

export function reliability(judged: readonly Judged[], bins = 15): Reliability {
  const sorted = [...judged].sort((a, b) => a.confidence - b.confidence);
  const n = sorted.length;
  const made: Bin[] = [];
  for (let i = 0; i < bins; i += 1) {
    const part = sorted.slice(Math.floor((i * n) / bins), Math.floor(((i + 1) * n) / bins));
    if (part.length === 0) continue;
    const mean = (of: (one: Judged) => number) => part.reduce((sum, one) => sum + of(one), 0) / part.length;
    made.push({
      n: part.length,
      confidence: mean((one) => one.confidence),
      accuracy: mean((one) => Number(one.right)),
    });
  }
  const ece = made.reduce((sum, bin) => sum + (bin.n / n) * Math.abs(bin.confidence - bin.accuracy), 0);
  return { n, bins: made, ece, auroc: auroc(sorted) };
}

/** By ranks; equal confidences share theirs (Mann and Whitney 1947). `sorted`: by rising confidence. */
function auroc(sorted: readonly Judged[]): number | null {
  const right = sorted.filter((one) => one.right).length;
  const wrong = sorted.length - right;
  if (right === 0 || wrong === 0) return null;
  let ranks = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.confidence === sorted[from]!.confidence) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let i = from; i < to; i += 1) if (sorted[i]!.right) ranks += rank;
    from = to;
  }
  return (ranks - (right * (right + 1)) / 2) / (right * wrong);
}

export interface Observed {
  /** Natural logarithm of the probability the model gave its answer. */
  readonly logProbability: number;
  readonly tokens: number;
  readonly right: boolean;
}

/** What the weights are drawn towards: the model's own probability. */
const PRIOR: Fit = [1, 0, 0];

/**
 * Logistic regression by Newton's method, each step halved until it helps, the weights drawn towards the prior as if by
 * `ridge` observations: few or separable ones leave it where it is. Null where all are right or all wrong.
 */
export function fitLogistic(observed: readonly Observed[], ridge = 1, rounds = 50): Fit | null {
  if (observed.every((o) => o.right) || !observed.some((o) => o.right)) return null;
  const rows = observed.map((o) => ({ x: features(o.logProbability, o.tokens), y: Number(o.right) }));
  const sum = (w: Fit, x: Fit) => w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
  /** Negative log likelihood with the prior's; stable for large sums. */
  const loss = (w: Fit) => {
    let total = 0;
    for (const { x, y } of rows) {
      const z = sum(w, x);
      total += Math.max(z, 0) - y * z + Math.log1p(Math.exp(-Math.abs(z)));
    }
    return total + w.reduce((a, v, i) => a + 0.5 * ridge * (v - PRIOR[i]!) ** 2, 0);
  };
  let w: Fit = PRIOR;
  for (let round = 0; round < rounds; round += 1) {
    const g = w.map((v, i) => -ridge * (v - PRIOR[i]!));
    const h = PRIOR.map((_, i) => PRIOR.map((__, j) => (i === j ? ridge : 0)));
    for (const { x, y } of rows) {
      const p = 1 / (1 + Math.exp(-sum(w, x)));
      for (let i = 0; i < 3; i += 1) {
        g[i]! += (y - p) * x[i]!;
        for (let j = 0; j < 3; j += 1) h[i]![j]! += p * (1 - p) * x[i]! * x[j]!;
      }
    }
    const step = solve(h, g);
    const at = (size: number): Fit => [
      w[0] + size * step[0]!,
      w[1] + size * step[1]!,
      w[2] + size * step[2]!,
    ];
    let size = 1;
    while (size > 1e-6 && !(loss(at(size)) < loss(w))) size /= 2;
    if (size <= 1e-6) break;
    w = at(size);
  }
  return w;
}

/** Gaussian elimination with row exchange; the matrix is positive definite. */
function solve(matrix: number[][], right: number[]): number[] {
  const n = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  for (let i = 0; i < n; i += 1) {
    let best = i;
    for (let k = i + 1; k < n; k += 1) if (Math.abs(rows[k]![i]!) > Math.abs(rows[best]![i]!)) best = k;
    [rows[i], rows[best]] = [rows[best]!, rows[i]!];
    for (let k = i + 1; k < n; k += 1) {
      const factor = rows[k]![i]! / rows[i]![i]!;
      for (let j = i; j <= n; j += 1) rows[k]![j]! -= factor * rows[i]![j]!;
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i -= 1) {
    let sum = rows[i]![n]!;
    for (let j = i + 1; j < n; j += 1) sum -= rows[i]![j]! * x[j]!;
    x[i] = sum / rows[i]![i]!;
  }
  return x;
}

/** One jump answered both ways. */
export interface BothWays {
  /** Of the direct answer, 0..1. */
  readonly confidence: number;
  readonly direct: boolean;
  readonly rollout: boolean;
}

/** How sure a direct answer must be to be taken, so that most jumps are right; 1.01: never. Of equals the lower: it is faster. */
export function fitThreshold(jumps: readonly BothWays[]): number {
  const sorted = [...jumps].sort((a, b) => a.confidence - b.confidence);
  // From all direct to all by rollout: each jump in turn changes sides.
  let right = sorted.filter((jump) => jump.direct).length;
  let [best, threshold] = [right, 0];
  for (const [i, jump] of sorted.entries()) {
    right += Number(jump.rollout) - Number(jump.direct);
    const above = sorted[i + 1]?.confidence ?? 1.01;
    if (right > best && above > jump.confidence) [best, threshold] = [right, (jump.confidence + above) / 2];
  }
  return threshold;
}
