// Draws the cost of an event from its pool.
import { amountOf } from '../lots/account.ts';
import { latestAfter } from '../meters/measure.ts';
import { type Accepted, admit, type Draw, type Meter, type Rejected, rejectsUnit } from './admission.ts';
import { type PriceAndCost, priceAndCostOf, recordedAfter, windowOf } from './price-and-cost.ts';
import type { Quantity } from './record.ts';
import type { UsageTerms } from './terms.ts';

/** Returns the amount of the pool after an event, in API format (CON-12). All fields are `null` if the units are invoiced. */
export function consumptionOf(terms: UsageTerms, quantity: Quantity, meter: Meter) {
  const { account } = meter;
  const { pool: of } = terms;
  if (of === null) return { deducted: null, remaining: null, isBlocked: null };
  const { pool } = of;
  return {
    deducted: quantity.cost,
    remaining: amountOf(account, pool, meter.counter.featureId),
    isBlocked: rejectsUnit(terms, meter),
  };
}

/** Accepts or rejects an event. `ts` is its time. Returns the exact price and cost of an accepted event. */
export function draw(
  terms: UsageTerms,
  meter: Meter,
  quantity: Quantity & Pick<Draw, 'held' | 'isForced'>,
  ts: Date,
): (Accepted & { readonly amounts: PriceAndCost }) | Rejected {
  const result = admit(terms, meter, quantity);
  if ('rejection' in result) return result;
  const after = result.meter.counter;
  const amounts = priceAndCostOf(terms, windowOf(meter), windowOf(result.meter), quantity, result.entries);
  const recorded = recordedAfter(after.recorded, amounts.price);
  const latestAt =
    terms.meter === null
      ? after.latestAt
      : latestAfter(terms.meter.document, meter.counter, quantity.measured, ts);
  const level = quantity.level?.after ?? after.level;
  return { ...result, amounts, meter: { ...result.meter, counter: { ...after, latestAt, recorded, level } } };
}
