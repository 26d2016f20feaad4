// Amounts to invoice after a correction in ended usage windows (PRM-128).
import type { FeatureRow } from '../pricing/catalog.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { PendingCorrection } from '../rows/rows.ts';
import type { UsageCorrectionRow } from '../rows/usage-rows.ts';

/** Difference to invoice to a subscription. */
export type PendingOf = { readonly subscriptionId: string; readonly correction: PendingCorrection };

/** Changes to write, in addition to the changes in the book. */
export type EndedCorrection = {
  readonly correction: UsageCorrectionRow;
  readonly isRepetition: boolean;
  /** Changed usage of ended windows. */
  readonly usage: readonly EndedUsageRow[];
  /** Differences to invoice. Empty if the amount to pay doesn't change. */
  readonly pending: readonly PendingOf[];
};

/** Ended window with its prices before and after a correction, in minor units. */
type PricedWindow = { readonly usage: EndedUsageRow; readonly billed: bigint; readonly price: bigint };

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Returns the differences to invoice: one for each subscription, over all its windows. */
export function pendingOf(
  { id: correctionId }: Pick<UsageCorrectionRow, 'id'>,
  { name: featureName }: Pick<FeatureRow, 'name'>,
  windows: readonly PricedWindow[],
): PendingOf[] {
  const changed = windows
    .filter(({ billed, price }) => billed !== price)
    .toSorted((a, b) => a.usage.windowStart.getTime() - b.usage.windowStart.getTime());
  return [...Map.groupBy(changed, ({ usage }) => usage.subscriptionId)].flatMap(
    ([subscriptionId, own]): PendingOf[] => {
      const [first, last] = [own[0], own.at(-1)];
      const [billed, price] = [sumOf(own.map((one) => one.billed)), sumOf(own.map((one) => one.price))];
      if (first === undefined || last === undefined || price === billed) return [];
      const correction = {
        correctionId,
        featureName,
        billed: String(billed),
        price: String(price),
        amount: String(price - billed),
        windowStart: first.usage.windowStart.toISOString(),
        windowEnd: last.usage.windowEnd.toISOString(),
      };
      return [{ subscriptionId, correction }];
    },
  );
}
