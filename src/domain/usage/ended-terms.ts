import { storedRate } from '../rates/held.ts';
import type { EndedUsageRow } from '../rows/ended-usage.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { counterIn } from './counter.ts';
import { withMeter } from './metered-terms.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the terms that priced the usage of an ended usage window (PRM-128). `currency` is the subscription's currency. */
export function endedTerms(
  { consumptionModel, includedAmount, rates, meter, cost, exchangeRateE8 }: EndedUsageRow,
  currency: string,
): UsageTerms {
  const isCharged = rates !== null;
  const terms: UsageTerms = {
    enabled: true,
    includedAmount,
    unlimited: !isCharged,
    overageEnabled: isCharged,
    rates: rates?.flatMap(storedRate) ?? null,
    derived: null,
    cost,
    model: consumptionModel,
    currency,
    exchangeRateE8,
    allowsOverage: isCharged,
    isBlocking: true,
    isPriceMissing: false,
    meter: null,
  };
  return withMeter(terms, meter);
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
