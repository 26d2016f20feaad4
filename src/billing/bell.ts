/** Lets those who wait go on at once, when there may be work; a ring that comes while nobody waits is remembered. */
export class Bell {
  #isRung = false;
  #wake: (() => void)[] = [];

  ring(): void {
    this.#isRung = true;
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Waits for a ring, at most so many milliseconds. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      this.#wake.push(resolve);
      await promise;
      clearTimeout(timer);
    }
    this.#isRung = false;
  }
}
