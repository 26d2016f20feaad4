import { poolOfStored, scaleOf } from '../pricing/pools.ts';
import { storedRate } from '../rates/held.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { WindowCells } from './cells.ts';
import { counterId, counterIn } from './counter.ts';
import { withMeter } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the terms that priced the usage of an ended usage window (PRM-128). `currency` is the subscription's currency. */
export function endedTerms(
  { includedAmount, rates, meter, cost, exchangeRateE8, ...stored }: EndedUsageRow,
  currency: string,
): UsageTerms {
  const isCharged = rates !== null;
  const pool = poolOfStored(stored);
  const decimals = stored.decimals ?? 0;
  const terms: UsageTerms = {
    enabled: true,
    includedAmount,
    unlimited: !isCharged,
    overageEnabled: isCharged,
    rates: rates?.flatMap(storedRate) ?? null,
    derived: null,
    cost,
    settle: null,
    pool: pool === null ? null : { pool, decimals, scale: scaleOf({ pool, decimals }), canOverdraw: false },
    currency,
    exchangeRateE8,
    allowsOverage: isCharged,
    isPriceMissing: false,
    meter: null,
  };
  return withMeter(terms, meter);
}

/** Returns the totals of an ended usage window by dimension values. `null` if the meter has no dimensions. */
export function endedCells(
  customerId: string,
  { subscriptionId, featureId, windowStart, meter, cells }: EndedUsageRow,
  { rates }: UsageTerms,
  hash: (text: string) => string,
): WindowCells | null {
  if (cells === null) return null;
  const of = { customerId, subscriptionId, featureId, windowStart };
  return new WindowCells(
    { ...of, counterId: counterId(subscriptionId, featureId) },
    { rates, dimensions: meter?.dimensions?.length ?? 0 },
    cells.map(({ values, total }, index) => ({
      ...of,
      id: String(index),
      seq: null,
      values,
      total: BigInt(total),
    })),
    hash,
  );
}

/** Returns the counter of an ended usage window at its end. */
export const endedCounter = (
  customerId: string,
  { subscriptionId, featureId, windowStart, total, covered, meter }: EndedUsageRow,
): UsageCounterRow => ({
  ...counterIn(null, { customerId, subscriptionId, featureId }, windowStart, meter),
  total,
  covered,
});
