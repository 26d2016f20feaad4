// Events come in bursts: what is read again because of them is read soon, but not for each of them.

/** How long events of one change gather, in ms. */
const gatherMs = 20;

/** How much lies between two readings at least, in ms. */
const pauseMs = 100;

/** Something that is done at a measured pace. */
export type Pace = {
  /** Has it done soon: 20 ms later, or 100 ms after the last time. Calls until then are one. */
  readonly call: () => void;
  /** Forgets what is due. */
  readonly stop: () => void;
};

/** Does `run` at a pace: soon where nothing was done before, and never more often than each 100 ms. */
export function paced(run: () => void): Pace {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  return {
    call: () => {
      timer ??= setTimeout(
        () => {
          timer = null;
          last = performance.now();
          run();
        },
        Math.max(gatherMs, last + pauseMs - performance.now()),
      );
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
