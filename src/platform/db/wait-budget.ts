import { monotonicMs } from '../clock.ts';

/** Maximum time that a request may wait for the database, over all its statements and waits for connections. The time of concurrent waits is counted only once. */
export class WaitBudget {
  #leftMs: number;
  #active = 0;
  #since = 0;

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds;
  }

  /** Begins a wait. Returns the time at which the budget is used up, in milliseconds of the monotonic clock. */
  begin(): number {
    if (this.#active++ === 0) this.#since = monotonicMs();
    return this.#since + this.#leftMs;
  }

  end(): void {
    if (--this.#active === 0) this.#leftMs -= monotonicMs() - this.#since;
  }
}
