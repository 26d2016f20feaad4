import { load } from './load.ts';
import type { Memory } from './renewals.ts';
import { batchCall, withUsage } from './usage.ts';

/** Resident memory while that many events were recorded, and how fast they were. */
export type Endurance = { readonly events: number; readonly perSecond: number; readonly memory: Memory };

const batchSize = 1_000;
const sliceSeconds = 2;

/**
 * Records so many events in batches and watches the memory of the product, which rises and falls as garbage is made and collected: the highest
 * of the first tenth of the events, of all, and of the last tenth.
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
