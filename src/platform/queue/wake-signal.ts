/** Lets one waiting loop go on at once when there may be work. A signal that comes while the loop does not wait is remembered. */
export class WakeSignal {
  #isRaised = false;
  #wake: (() => void) | null = null;

  /** Wakes the loop, or lets its next wait end at once. */
  raise(): void {
    this.#isRaised = true;
    this.#wake?.();
  }

  /** Waits for a signal, up to a number of milliseconds. Returns whether one came. */
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
