// Checks of a usage event that don't depend on the amount of usage (CON-6 to CON-9).
import { defaultRejection, type Rejection, specificRejection } from '../errors/errors.ts';
import { dimensionValues } from '../meters/dimensions.ts';
import { type Measured, measure, propertyOf } from '../meters/measure.ts';
import { hasDimensions, isFinal, type MeterDocument, meterOfVersion, storesValues } from '../meters/meter.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { modelOf } from '../pricing/pools.ts';
import { minuteMs } from '../time/period.ts';
import { hasSameValues } from './cells.ts';
import { invalid } from './invalid.ts';
import type { PricedRequest, Quantity, UsageEventDetails } from './record.ts';
import { hasTokens } from './request-shape.ts';
import type { UsageTerms } from './terms.ts';
import { hasSameTokens } from './tokens.ts';
import type { RequestedBudget } from './usage-limits.ts';

/** Returns true if the events have the same value of the property that the meter counts. */
const hasSameKey = (
  { properties }: UsageEventDetails,
  meter: MeterDocument | null,
  { key }: Measured,
): boolean => key === null || propertyOf(properties, meter?.property ?? '') === key;

/** Returns true if the events belong to the same combination of dimension values. */
function hasSameDimensions(
  { properties }: UsageEventDetails,
  meter: MeterDocument | null,
  { cell }: Quantity,
): boolean {
  if (cell === null) return true;
  const dimensions = dimensionValues(meter, properties);
  return dimensions !== null && 'values' in dimensions && hasSameValues(dimensions.values, cell.of);
}

/** Rejection of an event ID that belongs to a different event (CON-8). */
export const otherEvent: Rejection = specificRejection('duplicate', 'event_id', { param: 'eventId' });

/**
 * Returns the rejection if the event ID already belongs to a different event (CON-8). `null` if the stored
 * event is identical.
 */
export function repetitionProblem(
  stored: UsageEventDetails,
  requested: {
    readonly customerId: string;
    readonly featureId: string;
    readonly budgetId: RequestedBudget;
    readonly meter: MeterDocument | null;
  },
  quantity: Quantity,
): Rejection | null {
  const isSame =
    stored.customerId === requested.customerId &&
    stored.featureId === requested.featureId &&
    stored.budgetId === requested.budgetId &&
    stored.value === quantity.measured.value &&
    stored.quantity === quantity.measured.quantity &&
    hasSameKey(stored, requested.meter, quantity.measured) &&
    hasSameDimensions(stored, requested.meter, quantity) &&
    stored.levelKind === (quantity.level?.kind ?? null) &&
    stored.model === (quantity.ai?.model ?? null) &&
    hasSameTokens(stored.tokenCost, quantity.ai);
  return isSame ? null : otherEvent;
}

/**
 * Returns true if a request without an AI model and with the same properties repeats a stored event according to any meter
 * that the feature has had. A changed meter can calculate another quantity from the same request (CON-8).
 */
export function repeatsMeasured(
  stored: UsageEventDetails,
  { customer, feature }: { readonly customer: { readonly id: string }; readonly feature: FeatureRow },
  budgetId: RequestedBudget,
  request: PricedRequest,
): boolean {
  if (stored.customerId !== customer.id || stored.featureId !== feature.id) return false;
  if (stored.budgetId !== budgetId) return false;
  if (stored.model !== null || hasTokens(request)) return false;
  if (stored.levelKind !== (request.levelKind ?? (stored.levelKind === null ? null : 'add'))) return false;
  if (JSON.stringify(stored.properties) !== JSON.stringify(request.properties)) return false;
  return [null, ...feature.meters.map(meterOfVersion)].some((meter) => {
    const measured = measure(meter, request);
    return !('code' in measured) && stored.value === measured.value && stored.quantity === measured.quantity;
  });
}

/** Maximum time by which an API client's clock can be ahead. */
const futureToleranceMs = 5 * minuteMs;

/**
 * Returns the rejection if a timestamp is too far in the future or before the start of the subscription
 * (CON-9). `null` if the timestamp is accepted.
 */
export function timeProblem(ts: Date, now: Date, startDate: Date): Rejection | null {
  if (ts.getTime() > now.getTime() + futureToleranceMs)
    return invalid('timestamp', "The timestamp can't be more than 5 minutes in the future.");
  return ts < startDate
    ? invalid('timestamp', "The timestamp can't be before the start of the subscription.")
    : null;
}

/**
 * Returns the rejection if a feature doesn't accept usage events (CON-6). `null` if the feature accepts them.
 * `terms` is `null` if neither the plan nor an add-on includes the feature.
 */
export function featureProblem(
  feature: FeatureRow | null,
  terms: UsageTerms | null,
  type: FeatureRow['type'],
): Rejection | null {
  if (feature === null) return defaultRejection('feature_not_found', { param: 'featureCode' });
  if (feature.type !== type)
    return invalid('featureCode', `The feature is of type ${feature.type}, not ${type}.`);
  if (terms === null)
    return specificRejection('feature_not_in_plan', 'by_code', {
      values: { code: feature.code },
      param: 'featureCode',
    });
  return terms.enabled
    ? null
    : specificRejection('feature_disabled', 'by_code', {
        values: { code: feature.code },
        param: 'featureCode',
      });
}

/**
 * Returns the rejection if the total of a feature can't be set (CON-14). The units must be invoiced, the meter's total must
 * be known after each event, and the meter must not depend on the values of a property.
 */
export function settingProblem({ pool, meter }: UsageTerms): Rejection | null {
  if (pool !== null) {
    const message = `Usage can only be set on metered plans. This is a ${modelOf(pool.pool)} plan.`;
    return invalid('featureCode', message);
  }
  if (meter === null) return null;
  return storesValues(meter.document) || isFinal(meter.document) || hasDimensions(meter.document)
    ? invalid('featureCode', "The usage of a feature with this meter can't be set.")
    : null;
}
