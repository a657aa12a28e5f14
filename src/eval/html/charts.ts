/**
 * @file Plots as inline SVG, drawn here because a report needs two kinds only and must load nothing: shares as bars with their
 * 95 % interval and the baseline as a tick, and a reliability diagram. Colours are the page's (`currentColor`, CSS variables).
 */
import type { Reliability } from '../calibration.ts';
import type { Group } from '../groups.ts';
import { percent, safe } from './text.ts';

const ROW = 22;
const LABEL = 140;
const BAR = 240;
const COUNT = 180;

/** A row a group, shares from 0 to 1. `what` names the plot for those who cannot see it. */
export function bars(groups: readonly Group[], what: string): string {
  const height = groups.length * ROW + 22;
  const x = (share: number) => (LABEL + share * BAR).toFixed(1);
  const grid = [0, 0.25, 0.5, 0.75, 1].map(
    (at) =>
      `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="0" y2="${groups.length * ROW}"/>` +
      `<text class="small" x="${x(at)}" y="${height - 6}" text-anchor="middle">${100 * at}</text>`,
  );
  const rows = groups.map(({ name, right, baseline }, i) => {
    const y = i * ROW;
    const middle = y + ROW / 2;
    return [
      `<text x="${LABEL - 8}" y="${middle + 4}" text-anchor="end">${safe(name)}</text>`,
      `<rect class="bar" x="${LABEL}" y="${y + 4}" width="${(right.share * BAR).toFixed(1)}" height="${ROW - 8}"/>`,
      `<line class="interval" x1="${x(right.low)}" x2="${x(right.high)}" y1="${middle}" y2="${middle}"/>`,
      `<line class="baseline" x1="${x(baseline.share)}" x2="${x(baseline.share)}" y1="${y + 2}" y2="${y + ROW - 2}"/>`,
      `<text class="small" x="${LABEL + BAR + 10}" y="${middle + 4}">${percent(right.share)} of ${right.n}; baseline ${percent(baseline.share)}</text>`,
    ].join('');
  });
  return svg(LABEL + BAR + COUNT, height, what, [...grid, ...rows].join(''));
}

const SIDE = 200;
const EDGE = 30;

/** Mean confidence of each bin across, its accuracy up; the diagonal is honesty. */
export function reliabilityDiagram(reliability: Reliability, what: string): string {
  const x = (value: number) => (EDGE + value * SIDE).toFixed(1);
  const y = (value: number) => (8 + (1 - value) * SIDE).toFixed(1);
  const axis = [0, 0.5, 1].map(
    (at) =>
      `<line class="grid" x1="${x(at)}" x2="${x(at)}" y1="${y(0)}" y2="${y(1)}"/>` +
      `<line class="grid" x1="${x(0)}" x2="${x(1)}" y1="${y(at)}" y2="${y(at)}"/>` +
      `<text class="small" x="${x(at)}" y="${SIDE + 24}" text-anchor="middle">${at}</text>` +
      `<text class="small" x="${EDGE - 6}" y="${Number(y(at)) + 4}" text-anchor="end">${at}</text>`,
  );
  const points = reliability.bins.map(({ confidence, accuracy }) => `${x(confidence)},${y(accuracy)}`);
  const dots = reliability.bins.map(
    ({ confidence, accuracy, n }) =>
      `<circle class="dot" cx="${x(confidence)}" cy="${y(accuracy)}" r="3.5"><title>${n} states: confidence ${confidence.toFixed(2)}, right ${accuracy.toFixed(2)}</title></circle>`,
  );
  return svg(
    SIDE + EDGE + 14,
    SIDE + 30,
    what,
    [
      ...axis,
      `<line class="baseline" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>`,
      `<polyline class="curve" points="${points.join(' ')}"/>`,
      ...dots,
    ].join(''),
  );
}

// --- internal ---

const svg = (width: number, height: number, what: string, inside: string): string =>
  `<svg role="img" aria-label="${safe(what)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${inside}</svg>`;
