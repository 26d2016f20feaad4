// End of the time in which a payer can follow a payment instruction.
import { addDays, dayMs, hourMs, minuteMs, utcMidnight } from '../../time/period.ts';
import type { Calendar } from './calendars.ts';
import type { Instrument } from './instrument.ts';

/** Hours between UTC and the local time in which the last day of a payment slip ends. */
const offsets: { readonly [calendar in Calendar]?: number } = { br: -3, mx: -6 };

/**
 * Returns the time until which an instruction issued now can be paid. A payment slip is payable until 23:59 local time of its last day.
 * `null` if the instruction doesn't expire.
 */
export function payableUntil({ expiry, shows, calendar }: Instrument, now: Date): Date | null {
  if (expiry === null) return null;
  const until = now.getTime() + expiry.default * 1_000;
  if (shows !== 'voucher') return new Date(until);
  const offsetMs = (offsets[calendar] ?? 0) * hourMs;
  const localDay = utcMidnight(new Date(until + offsetMs));
  return new Date(localDay.getTime() + dayMs - minuteMs - offsetMs);
}

/** Days for which a checkout waits for an instruction that doesn't expire, such as a bank transfer. */
const checkoutWaitDays = 14;

/** Returns the time until which a checkout waits for an instruction that doesn't expire. Money that arrives later is late money. */
export const checkoutWaitsUntil = (now: Date): Date => addDays(now, checkoutWaitDays);
