/**
 * @file `verify`: a prediction is shown at once; a real run of the same walk follows, in the sandbox, and reports or
 * corrects it. Only where the launch configuration asks for it: the neural engine never runs the program by itself.
 */
import { NpdbError } from '../../common/errors.ts';
import type { Position } from '../../debugger/types.ts';
import type { Adapter } from './adapter.ts';
import { stopped } from './arrive.ts';
import { differenceText } from './show.ts';

export async function verify(adapter: Adapter, position: Position): Promise<void> {
  const { launch, session } = adapter.needOpened();
  if (launch.verify === 'off' || !session.compare || position.origin !== 'predicted') return;
  let found: Awaited<ReturnType<typeof session.compare>>;
  try {
    found = await session.compare(position);
  } catch (error) {
    if (!(error instanceof NpdbError)) throw error;
    if (isStill(adapter, position)) adapter.output('console', `Not verified: ${error.line()}\n`);
    return;
  }
  if (!isStill(adapter, position) || found.differences.length === 0) return;
  const lines = found.differences.map((d) => `  ${differenceText(d)}\n`).join('');
  const real = found.real.type === 'state' ? found.real.state : null;
  const corrects = launch.verify === 'correct' && real !== null;
  adapter.output(
    'important',
    `The prediction ${corrects ? 'is corrected by' : 'parts from'} the real run:\n${lines}`,
  );
  if (!corrects) return;
  await adapter.exclusive(async () => {
    if (!isStill(adapter, position)) return;
    adapter.debug.place(real, 'real', position);
    if (adapter.client.invalidated) adapter.invalidate(['all']);
    else stopped(adapter, 'step', { text: 'Corrected by a real run.' });
  });
}

/** The user may have gone on while the run took its time. */
function isStill(adapter: Adapter, position: Position): boolean {
  return adapter.phase === 'open' && adapter.motion === null && adapter.debug.current.id === position.id;
}
