/**
 * Long work in the process that answers requests, in pieces: after so many steps or so much time the event loop gets
 * its turn, so that nobody waits for the rest. `if (turns.due()) await turns.give();` once a step.
 */
import { setImmediate } from 'node:timers/promises';

const STEPS = 50;
const PIECE_MS = 12;

export class Turns {
  #steps = 0;
  #since = performance.now();

  due(): boolean {
    this.#steps += 1;
    return this.#steps >= STEPS || performance.now() - this.#since >= PIECE_MS;
  }

  async give(): Promise<void> {
    await setImmediate();
    this.#steps = 0;
    this.#since = performance.now();
  }
}
