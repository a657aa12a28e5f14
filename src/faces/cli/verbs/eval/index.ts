/** @file `npdb eval`: how good a model is. */
import type { Command } from 'commander';
import { NpdbError } from '../../../../common/errors.ts';
import { calibrationVerb } from './calibration.ts';
import { cruxevalVerb } from './cruxeval.ts';
import { drevalVerb } from './dreval.ts';
import { exitsVerb } from './exits.ts';
import { nextStateVerb } from './nextState.ts';
import { reportVerb } from './report.ts';

export function evalVerb(npdb: Command): void {
  const verb = npdb.command('eval').description('Judge a model.');
  verb.action(() => {
    verb.outputHelp({ error: true });
    throw new NpdbError(
      'E_USAGE',
      'Which evaluation?',
      'Say: npdb eval next-state | cruxeval | dreval | calibration | exits | report.',
    );
  });
  nextStateVerb(verb);
  cruxevalVerb(verb);
  drevalVerb(verb);
  calibrationVerb(verb);
  exitsVerb(verb);
  reportVerb(verb);
}
