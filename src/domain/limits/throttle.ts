// Delays that slow usage down to an even pace through the window of a limit.
import { compare, dividedBy, type Exact, minus, roundedUp, times, whole, zero } from '../rates/exact.ts';
import { mostOf, type Tried, valueAfter } from './admission.ts';
import { movedGauge } from './gauge.ts';
import { lengthOf } from './windows.ts';

/** Delay that a limit asks for before the next usage. */
export type Throttle = { readonly limitId: string; readonly delayMs: number };

/** Longest delay. */
const mostMs = 60_000n;

/** Returns the length of a limit's window and the part that has elapsed, in milliseconds. A rolling window has elapsed completely. */
function paceOf(tried: Tried): { readonly length: number; readonly elapsed: number } | null {
  const { limit, gauge, delta, at } = tried;
  if (limit.window.kind === 'rolling') {
    const length = lengthOf(limit.window);
    return { length, elapsed: length };
  }
  const { span } = movedGauge(limit, gauge, { used: delta, held: zero }, at);
  return span?.end == null ? null : { length: span.end - span.start, elapsed: at - span.start };
}

/** Returns the time by which usage is ahead of an even pace, up to 60 seconds. */
function delayOf(tried: Tried, amount: bigint): bigint {
  const window = paceOf(tried);
  if (window === null) return 0n;
  const used: Exact = times(valueAfter(tried), whole(BigInt(window.length)));
  const lead = minus(used, whole(amount * BigInt(window.elapsed)));
  if (compare(lead, zero) <= 0) return 0n;
  if (amount === 0n) return mostMs;
  const delay = roundedUp(dividedBy(lead, amount));
  return delay < mostMs ? delay : mostMs;
}

/** Returns the longest delay of the limits that throttle a movement. `null` if no limit throttles it. */
export function throttleOf(tried: readonly Tried[]): Throttle | null {
  let longest: Throttle | null = null;
  for (const one of tried) {
    const most = mostOf(one);
    if (one.limit.action !== 'throttle' || most === null) continue;
    const delayMs = Number(delayOf(one, most));
    if (longest === null || delayMs > longest.delayMs) longest = { limitId: one.limit.id, delayMs };
  }
  return longest;
}
