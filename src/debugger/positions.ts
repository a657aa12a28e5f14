/** @file The positions of one session: what every engine keeps, whatever it predicts or runs. */
import { NpdbError } from '../common/errors.ts';
import type { State } from '../state/types.ts';
import type { Position } from './types.ts';

export class Positions {
  readonly #all: Position[] = [];
  #current = 0;

  get current(): Position {
    return this.#all[this.#current]!;
  }

  at(id: number): Position {
    const position = this.#all[id];
    if (!position) {
      throw new NpdbError(
        'E_POSITION',
        `There is no position ${id} in this session.`,
        `Positions so far: 0 to ${this.#all.length - 1}.`,
      );
    }
    return position;
  }

  /** Adds a position and moves there. */
  add(position: Omit<Position, 'id'>): Position {
    const made: Position = { id: this.#all.length, ...position };
    this.#all.push(made);
    this.#current = made.id;
    return made;
  }

  goto(id: number): Position {
    this.#current = this.at(id).id;
    return this.current;
  }

  /** The current state; an error where the program has ended. */
  state(): State {
    const { outcome } = this.current;
    if (outcome.type === 'state') return outcome.state;
    throw new NpdbError(
      'E_ENDED',
      outcome.type === 'entry' ? 'This is before the first state.' : 'The program has ended here.',
      'Step back, or go to a position that has a state.',
    );
  }

  /** The walk that led here, oldest first, without the current position. */
  path(): Position[] {
    const path: Position[] = [];
    for (let from = this.current.from; from !== undefined; from = path[path.length - 1]!.from) {
      path.push(this.at(from));
    }
    return path.reverse();
  }
}
