import { load } from './load.ts';
import type { Memory } from './renewals.ts';
import { batchCall, withUsage } from './usage.ts';

/** Result of an endurance run: number of recorded events, events per second, and resident memory. */
export type Endurance = { readonly events: number; readonly perSecond: number; readonly memory: Memory };

const batchSize = 1_000;
const sliceSeconds = 2;

/**
 * Records events in batches. Measures the maximum resident memory during the first tenth of the events, the whole run, and the last tenth.
 * Uses the maximum because memory varies with garbage collection.
 */
export const measureEndurance = (events: number): Promise<Endurance> =>
  withUsage(async ({ product, metered, callers }) => {
    const call = batchCall(metered, callers, batchSize);
    await load(product, call, sliceSeconds, 4);
    const memory = { start: 0, peak: 0, end: 0 };
    let done = 0;
    let seconds = 0;
    while (done < events) {
      const slice = await load(product, call, sliceSeconds, 4);
      done += slice.count * batchSize;
      seconds += slice.count / slice.perSecond;
      const resident = await product.residentMb();
      if (done <= events / 10 || memory.start === 0) memory.start = Math.max(memory.start, resident);
      if (done >= (events * 9) / 10) memory.end = Math.max(memory.end, resident);
      memory.peak = Math.max(memory.peak, resident);
    }
    return { events: done, perSecond: done / seconds, memory };
  });
