/**
 * @file A predictor without a model: it answers from a recorded run. With it every engine and face is tested
 * without weights; `wrong` makes it err on purpose.
 */
import { NpdbError } from '../common/errors.ts';
import type { Predictor } from '../predictor/types.ts';
import { sameState } from '../state/index.ts';
import type { Outcome } from '../state/types.ts';
import type { Place } from '../tree/types.ts';
import type { Recording } from './recording.ts';

/** Throws `E_FAKE` for a state that the recording does not hold. */
export function fakePredictor(
  recording: Recording,
  wrong: (outcome: Outcome) => Outcome = (o) => o,
): Predictor {
  const { tree } = recording;
  const places: Place[] = [];
  for (let at = tree.first; at < tree.end; at += 1) places.push({ at, call: false }, { at, call: true });
  // A state may occur more than once: the first one at or after the last answer is meant.
  let last = 0;
  return {
    name: 'a recorded run',
    async predict(batch) {
      return batch.map(({ state, action }) => {
        const found = (from: number, to: number) =>
          places.slice(from, to).findIndex((p) => sameState(recording.state(p), state));
        const ahead = found(last, places.length);
        const index = ahead >= 0 ? last + ahead : found(0, last);
        if (index < 0)
          throw new NpdbError('E_FAKE', 'The recording holds no such state.', 'Stay on its walk.');
        const move = tree.move(places[index]!, action);
        if (move.type === 'place') last = move.place.at * 2 - tree.first * 2;
        const outcome = recording.outcome(move);
        if (!outcome) throw new NpdbError('E_FAKE', 'The recording was cut here.', 'Stay before the cut.');
        return [{ outcome: wrong(outcome), confidence: 0.75, strategy: 'direct', steps: 1, tokens: 0 }];
      });
    },
    async close() {},
  };
}
