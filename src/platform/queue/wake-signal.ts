/** Signal that wakes a waiting loop. A signal while the loop isn't waiting ends its next wait. */
export class WakeSignal {
  #isRaised = false;
  #wake: (() => void) | null = null;

  /** Wakes the loop, or ends its next wait. */
  raise(): void {
    this.#isRaised = true;
    this.#wake?.();
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
