/** Signal that wakes a waiting loop. If the loop isn't waiting, the signal ends the loop's next wait. */
export class WakeSignal {
  #isRaised = false;
  #wake: (() => void) | null = null;

  /** Wakes the loop if it's waiting, otherwise ends the loop's next wait. */
  raise(): void {
    this.#isRaised = true;
    this.#wake?.();
  }

  /** Wakes the loop after the given number of milliseconds if it's still waiting then. No effect if the loop isn't waiting. */
  raiseWithin(ms: number): void {
    const wake = this.#wake;
    if (wake !== null) setTimeout(wake, ms).unref();
  }

  /** Waits for a signal, but at most for the given number of milliseconds. Returns true if a signal was raised. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#isRaised) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#wake = resolve;
      await promise;
      clearTimeout(timer);
      this.#wake = null;
    }
    const wasRaised = this.#isRaised;
    this.#isRaised = false;
    return wasRaised;
  }
}
