import { describe, expect, it } from 'vitest';
import { Random } from '../common/random.ts';
import { calibrated } from '../predictor/calibration.ts';
import { fitLogistic, fitThreshold, reliability } from './calibration.ts';

describe('reliability', () => {
  it('is perfect where confidence is accuracy', () => {
    const judged = Array.from({ length: 1500 }, (_, i) => ({
      confidence: Math.floor(i / 100) / 15,
      right: i % 100 < Math.round((Math.floor(i / 100) / 15) * 100),
    }));
    const { ece, bins } = reliability(judged);
    expect(bins.map((bin) => bin.n)).toEqual(new Array(15).fill(100));
    expect(ece).toBeLessThan(0.006);
  });

  it('is the gap where all are equally sure', () => {
    const judged = Array.from({ length: 30 }, (_, i) => ({ confidence: 0.9, right: i < 15 }));
    // Equal masses: within the bins accuracy is 1 or 0.
    expect(reliability(judged, 1).ece).toBeCloseTo(0.4);
    expect(reliability(judged).auroc).toBe(0.5);
  });

  it('ranks right above wrong', () => {
    const of = (confidences: number[], right: boolean) =>
      confidences.map((confidence) => ({ confidence, right }));
    expect(reliability([...of([0.8, 0.9], true), ...of([0.1, 0.2], false)]).auroc).toBe(1);
    expect(reliability([...of([0.1, 0.9], true), ...of([0.5, 0.5], false)]).auroc).toBe(0.5);
    expect(reliability(of([0.1], true)).auroc).toBeNull();
    expect(reliability([]).n).toBe(0);
  });
});

describe('the logistic fit', () => {
  it('finds the weights that drew the answers', () => {
    const random = new Random('fit', 1);
    const observed = Array.from({ length: 20_000 }, () => {
      const logProbability = -4 * random.next();
      const tokens = 1 + Math.floor(60 * random.next());
      const p = calibrated([0.8, -0.5, 2], logProbability, tokens);
      return { logProbability, tokens, right: random.next() < p };
    });
    const fit = fitLogistic(observed)!;
    expect(Math.abs(fit[0] - 0.8)).toBeLessThan(0.1);
    expect(Math.abs(fit[1] + 0.5)).toBeLessThan(0.1);
    expect(Math.abs(fit[2] - 2)).toBeLessThan(0.3);
  });

  it('stays within reason where a line tells right from wrong, or there are few', () => {
    const observed = Array.from({ length: 40 }, (_, i) => ({
      logProbability: -i / 4,
      tokens: 3 + (i % 5),
      right: i < 20,
    }));
    const fit = fitLogistic(observed)!;
    expect(Math.max(...fit.map(Math.abs))).toBeLessThan(30);
    expect(calibrated(fit, 0, 5)).toBeGreaterThan(0.9);
    expect(calibrated(fit, -9, 5)).toBeLessThan(0.1);
    const few = fitLogistic(observed.slice(19, 21))!;
    expect(Math.max(...few.map(Math.abs))).toBeLessThan(3);
  });

  it('needs both kinds', () => {
    expect(fitLogistic([{ logProbability: -1, tokens: 3, right: true }])).toBeNull();
  });
});

describe('a confidence', () => {
  it("is the model's own where nothing was fitted", () => {
    expect(calibrated(undefined, Math.log(0.3), 7)).toBeCloseTo(0.3);
  });
});

describe('the threshold of direct jumps', () => {
  const jump = (confidence: number, direct: boolean, rollout: boolean) => ({ confidence, direct, rollout });

  it('takes direct answers where they are right more often', () => {
    const jumps = [
      jump(0.1, false, true),
      jump(0.2, false, true),
      jump(0.6, true, false),
      jump(0.9, true, true),
    ];
    expect(fitThreshold(jumps)).toBeCloseTo(0.4);
  });

  it('is 0 where direct is never worse, and out of reach where rollout always wins', () => {
    expect(fitThreshold([jump(0.1, true, true), jump(0.9, true, false)])).toBe(0);
    expect(fitThreshold([jump(0.1, false, true), jump(0.9, false, true)])).toBeGreaterThan(0.9);
    expect(fitThreshold([])).toBe(0);
  });
});
