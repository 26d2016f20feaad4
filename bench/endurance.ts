import { load } from './load.ts';
import type { Memory } from './renewals.ts';
import { batchCall, withUsage } from './usage.ts';

/** Resident memory while that many events were recorded, and how fast they were. */
export type Endurance = { readonly events: number; readonly perSecond: number; readonly memory: Memory };

const batchSize = 1_000;
const sliceSeconds = 2;

/** Records so many events in batches and watches the memory of the product: warm at the start, at its highest, at the end. */
export const measureEndurance = (events: number): Promise<Endurance> =>
  withUsage(async ({ product, metered, callers }) => {
    const call = batchCall(metered, callers, batchSize);
    await load(product, call, sliceSeconds, 4);
    const start = await product.residentMb();
    let peak = start;
    let done = 0;
    let seconds = 0;
    while (done < events) {
      const slice = await load(product, call, sliceSeconds, 4);
      done += slice.count * batchSize;
      seconds += slice.count / slice.perSecond;
      peak = Math.max(peak, await product.residentMb());
    }
    return { events: done, perSecond: done / seconds, memory: { start, peak, end: await product.residentMb() } };
  });
