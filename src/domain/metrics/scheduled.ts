// Scheduled changes in recurring revenue, by effective date (MET-5).
import type { MrrEntryRow, MrrReason } from '../rows/recurring-rows.ts';
import { type Day, dayOf } from './range.ts';
import { mrrOf } from './recurring.ts';

/** Revenue entry that a scheduled deadline is expected to create. */
export type ScheduledEntry = Pick<MrrEntryRow, 'reason' | 'before' | 'after'> & {
  readonly dueAt: Date;
  readonly isTrial: boolean;
};

/** Revenue changes on one day for one reason, in ten-thousandths of the currency unit (10,000 = 1.00). */
export type ScheduledChange = {
  readonly reason: MrrReason;
  readonly amount: bigint;
  readonly subscriptions: number;
};

/** Revenue changes on one day in one currency. Excludes the first charges of trials. */
export type ScheduledDay = {
  readonly day: Day;
  readonly amount: bigint;
  readonly changes: readonly ScheduledChange[];
  readonly trialMrr: bigint;
  readonly trials: number;
};

export type ScheduledSeries = {
  readonly currency: string;
  readonly amount: bigint;
  readonly trialMrr: bigint;
  readonly days: readonly ScheduledDay[];
};

type Change = {
  readonly day: Day;
  readonly reason: MrrReason;
  readonly amount: bigint;
  readonly isTrial: boolean;
};

const sum = (changes: readonly Change[]): bigint => changes.reduce((total, { amount }) => total + amount, 0n);

const byKey = <T>(groups: ReadonlyMap<string, T>): [string, T][] =>
  [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));

function dayOfChanges(day: Day, all: readonly Change[]): ScheduledDay {
  const [trials, others] = [all.filter(({ isTrial }) => isTrial), all.filter(({ isTrial }) => !isTrial)];
  const reasons = Map.groupBy(others, ({ reason }) => reason);
  return {
    day,
    amount: sum(others),
    changes: [...reasons]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([reason, own]) => ({ reason, amount: sum(own), subscriptions: own.length })),
    trialMrr: sum(trials),
    trials: trials.length,
  };
}

/**
 * Groups scheduled entries into one series per currency, sorted by currency code. Omits entries that change
 * only the revenue at risk.
 */
export function scheduledSeries(entries: readonly ScheduledEntry[]): ScheduledSeries[] {
  const changes = entries.flatMap(({ reason, before, after, dueAt, isTrial }) => {
    const currency = after?.currency ?? before?.currency;
    const amount = mrrOf(after) - mrrOf(before);
    return currency === undefined || amount === 0n
      ? []
      : [{ currency, day: dayOf(dueAt), reason, amount, isTrial }];
  });
  return byKey(Map.groupBy(changes, ({ currency }) => currency)).map(([currency, own]) => ({
    currency,
    amount: sum(own.filter(({ isTrial }) => !isTrial)),
    trialMrr: sum(own.filter(({ isTrial }) => isTrial)),
    days: byKey(Map.groupBy(own, ({ day }) => day)).map(([day, all]) => dayOfChanges(day, all)),
  }));
}
