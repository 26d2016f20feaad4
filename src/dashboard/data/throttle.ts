// Limits how often data reloads during bursts of events.

/** Time in milliseconds during which events are collected before a reload. */
const gatherMs = 20;

/** Minimum time between two runs, in milliseconds. */
const pauseMs = 100;

export type Throttled = {
  /** Schedules a run in 20 ms, but at least 100 ms after the previous run. Calls before that run are merged into it. */
  readonly call: () => void;
  /** Cancels the scheduled run. */
  readonly stop: () => void;
};

/** Limits `run` to one call every 100 ms. */
export function throttled(run: () => void): Throttled {
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
