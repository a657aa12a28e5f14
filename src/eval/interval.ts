/** @file Shares with their uncertainty. */

export interface Share {
  /** 0..1; NaN-free: 0 where there is nothing to count. */
  readonly share: number;
  readonly hits: number;
  readonly n: number;
  /** 95 % Wilson interval. */
  readonly low: number;
  readonly high: number;
}

const Z = 1.959964;

/** A share with its 95 % Wilson score interval (Wilson 1927); [0, 1] for n = 0. */
export function share(hits: number, n: number): Share {
  if (n === 0) return { share: 0, hits, n, low: 0, high: 1 };
  const p = hits / n;
  const z2 = Z * Z;
  const middle = p + z2 / (2 * n);
  const spread = Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const scale = 1 + z2 / n;
  return {
    share: p,
    hits,
    n,
    low: Math.max(0, (middle - spread) / scale),
    high: Math.min(1, (middle + spread) / scale),
  };
}

/** `81.3 % [78.4, 83.8]` */
export function shareText(s: Share): string {
  if (s.n === 0) return '-';
  const percent = (x: number) => (100 * x).toFixed(1);
  return `${percent(s.share)} % [${percent(s.low)}, ${percent(s.high)}]`;
}
