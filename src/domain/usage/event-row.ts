import type { EventHold } from '../holds/hold.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { storedPool } from '../pricing/pools.ts';
import type { Meter } from './admission.ts';
import { consumptionOf } from './draw.ts';
import type { Consumer } from './event-data.ts';
import { type PriceAndCost, storedPriceAndCost } from './price-and-cost.ts';
import type { Quantity, UsageEventRow, UsageRequest } from './record.ts';
import type { UsageTerms } from './terms.ts';
import type { AccountDetails } from './usage-account.ts';

/** Returns the row of a recorded event. `meter` contains the account and the counter after the event. */
export const eventOf = (
  { eventId, properties }: Pick<UsageRequest, 'eventId' | 'properties'>,
  {
    customer,
    subscription,
    feature,
    terms,
  }: Consumer & { readonly feature: FeatureRow; readonly terms: UsageTerms },
  quantity: Quantity,
  meter: Meter,
  {
    details,
    ts,
    amounts,
    budgetId,
    hold = null,
    sourceEventId = null,
  }: {
    readonly details: Pick<AccountDetails, 'newId' | 'now'>;
    readonly ts: Date;
    readonly amounts: PriceAndCost;
    readonly budgetId: string | null;
    readonly hold?: EventHold | null;
    readonly sourceEventId?: string | null;
  },
): UsageEventRow => ({
  id: details.newId('evt'),
  seq: null,
  eventId,
  customerId: customer.id,
  subscriptionId: subscription.id,
  featureId: feature.id,
  budgetId,
  hold,
  sourceEventId,
  levelKind: quantity.level?.kind ?? null,
  levelChange: quantity.level?.change ?? null,
  level: quantity.level?.after ?? null,
  levelSeq: null,
  value: quantity.measured.value,
  quantity: quantity.measured.quantity,
  units: terms.meter === null && quantity.units === quantity.measured.value ? null : quantity.units,
  model: quantity.ai?.model ?? null,
  tokenCost: quantity.ai,
  ...storedPriceAndCost(amounts, terms),
  ...storedPool(terms.pool),
  ...consumptionOf(terms, quantity, meter),
  properties,
  ts,
  windowStart: meter.counter.windowStart,
  createdAt: details.now,
});
