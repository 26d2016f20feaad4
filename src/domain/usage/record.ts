// Validates and prices a single usage event, with checks in the documented order (CON-4 to CON-13).

import { defaultRejection, type Rejection, specificRejection } from '../errors/errors.ts';
import { amountOf } from '../lots/account.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { poolScale } from '../pricing/feature-cell.ts';
import { usdToLocal } from '../pricing/regional.ts';
import { isPricedByModel } from '../pricing/terms.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type DerivedRate, type EventProperties, lowestFactor } from '../rates/derived.ts';
import { type Exact, minus, plus, times } from '../rates/exact.ts';
import { drawBetween, drawOf, heldAmount, storedRate } from '../rates/held.ts';
import type { ConsumptionModel } from '../rows/enums.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { minuteMs } from '../time/period.ts';
import { type Accepted, admit, isBlocked, type Meter, type Rejected } from './admission.ts';
import type { UsageTerms } from './terms.ts';
import {
  classified,
  hasSameTokens,
  type ModelPrices,
  noTokens,
  type ProvidedTokens,
  type StoredTokenCost,
  storedTokenCost,
  tokenCost,
  tokensOf,
} from './tokens.ts';

/** Usage event that an API client sent (CON-4). */
export type UsageRequest = {
  readonly customerId: string;
  readonly featureCode: string;
  /** Event ID that the API client assigned. `null` if the event has no ID. */
  readonly eventId: string | null;
  /** Time of the usage. Defaults to the current time if `null`. */
  readonly timestamp: Date | null;
  readonly properties: EventProperties;
  readonly value: bigint | null;
  readonly model: string | null;
  readonly tokens: ProvidedTokens;
  /** Whether the number of input tokens contains the cached tokens. `true` if `null`. */
  readonly inputIncludesCache: boolean | null;
};

/** AI model with its current prices. `version` is the ID of the price history entry. */
export type ModelDetails = { readonly id: string; readonly prices: ModelPrices; readonly version: string };

/**
 * Units of an event, and their cost in credits or in money at rate scale. `required` is the amount that a blocking
 * balance must contain, which is at least the cost. `price` is the exact price in major units of the currency. `null`
 * unless the price depends on a cost. For AI models, includes the source of the price.
 */
export type Quantity = {
  readonly units: bigint;
  readonly cost: bigint | null;
  readonly required: bigint | null;
  readonly price: Exact | null;
  readonly ai: StoredTokenCost | null;
};

/** Stored fields of a usage event that are compared when its request is repeated. */
export type UsageEventDetails = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly eventId: string | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  readonly value: bigint;
  readonly model: string | null;
  readonly tokenCost: StoredTokenCost | null;
};

export type UsageEventRow = UsageEventDetails & {
  readonly consumptionModel: ConsumptionModel;
  readonly deducted: bigint | null;
  readonly remaining: bigint | null;
  readonly isBlocked: boolean | null;
  readonly properties: UsageRequest['properties'];
  readonly ts: Date;
  readonly windowStart: Date;
  readonly createdAt: Date;
};

/** Data that determines the price of an event together with the terms of the feature. */
export type PriceDetails = {
  /**
   * AI models that match the name in the request. Usage is accepted only if exactly one model matches
   * (CON-32).
   */
  readonly models: readonly ModelDetails[];
};

const invalid = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

const missingPrice: Rejection = specificRejection('insufficient_balance', 'no_unit_price');

/** Fields of a request that determine its price. */
export type PricedRequest = Pick<
  UsageRequest,
  'value' | 'model' | 'tokens' | 'inputIncludesCache' | 'properties'
>;

/** Total and exact price of the window so far. */
type WindowSoFar = Pick<UsageCounterRow, 'total' | 'price'>;

/** Returns true if a request names an AI model or token counts. */
export const hasTokens = ({ model, tokens, inputIncludesCache }: PricedRequest): boolean =>
  model !== null ||
  inputIncludesCache !== null ||
  (tokens !== noTokens && Object.values(tokens).some((count) => count !== null));

/**
 * Returns the rejection if the fields of a request contradict each other (CON-5). `null` if the fields are
 * consistent.
 */
function shapeProblem(request: PricedRequest): Rejection | null {
  const { value, model, tokens } = request;
  if (model === null) return hasTokens(request) ? invalid('model', 'Token counts require a model.') : null;
  if (value !== null) return invalid('value', 'Send either a value or a model, not both.');
  if (tokens.input === null)
    return invalid('inputTokens', 'An event with a model requires inputTokens and outputTokens.');
  return tokens.output === null
    ? invalid('outputTokens', 'An event with a model requires inputTokens and outputTokens.')
    : null;
}

/**
 * Returns the quantity of an event whose exact price is known. The event deducts the increase of the window's rounded
 * price (PRM-101).
 */
function pricedExactly(
  units: bigint,
  price: Exact,
  counter: WindowSoFar,
  ai: StoredTokenCost | null,
): Quantity {
  const before = exactDecimal(counter.price);
  const { taken, required } = drawBetween(before, plus(before, price), poolScale.balance);
  return { units, cost: taken, required, price, ai };
}

function priceTokens(
  request: PricedRequest,
  name: string,
  terms: UsageTerms,
  counter: WindowSoFar,
  details: PriceDetails,
): Quantity | Rejection {
  const [model, another] = details.models;
  if (model === undefined || another !== undefined) {
    return specificRejection('model_not_found', 'ambiguous', { values: { name }, param: 'model' });
  }
  const tokens = classified(request.tokens, request.inputIncludesCache ?? true);
  if ('code' in tokens) return tokens;
  const cost = tokenCost(model.prices, tokens);
  const total = times(cost.cost, lowestFactor(terms.derived ?? [], request.properties));
  const price = usdToLocal(total, terms.currency, terms.exchangeRateE8);
  return price === null
    ? missingPrice
    : pricedExactly(tokensOf(tokens), price, counter, storedTokenCost(model, cost, total));
}

/** Returns the quantity of units whose price is derived from a cost per unit (PRM-112). */
function priceFromCost(
  terms: UsageTerms,
  derived: readonly DerivedRate[],
  units: bigint,
  counter: WindowSoFar,
  properties: EventProperties,
): Quantity | Rejection {
  const { cost, currency, exchangeRateE8 } = terms;
  if (cost === null || 'from' in cost) return missingPrice;
  const rates = storedRate(cost);
  const rise = minus(heldAmount(rates, counter.total + units), heldAmount(rates, counter.total));
  const price = usdToLocal(times(rise, lowestFactor(derived, properties)), currency, exchangeRateE8);
  return price === null ? missingPrice : pricedExactly(units, price, counter, null);
}

/**
 * Returns the cost of a feature's units in a window. The cost is `null` if the plan only counts units. Returns a
 * rejection if there's no price in the subscription's currency (CAT-28).
 */
export function priceUnits(
  terms: UsageTerms,
  units: bigint,
  counter: WindowSoFar,
  properties: EventProperties,
): Quantity | Rejection {
  if (terms.model === 'metered') return { units, cost: null, required: null, price: null, ai: null };
  if (terms.derived !== null) return priceFromCost(terms, terms.derived, units, counter, properties);
  if (terms.rates === null) return missingPrice;
  const { taken, required } = drawOf(terms.rates, counter.total, units, poolScale[terms.model]);
  return { units, cost: taken, required, price: null, ai: null };
}

/**
 * Returns the units and cost of a request in a window. Checks, in this order: contradictory fields, fields that don't
 * match the pricing mode (`pricing_mode_mismatch`), an unknown or ambiguous AI model, impossible token counts, and a
 * missing price in the subscription's currency.
 */
export function quantityOf(
  request: PricedRequest,
  terms: UsageTerms,
  counter: WindowSoFar,
  details: PriceDetails,
): Quantity | Rejection {
  const problem = shapeProblem(request);
  if (problem !== null) return problem;
  const isAiFeature = terms.model === 'balance' && isPricedByModel(terms);
  if (isAiFeature !== (request.model !== null)) {
    const message = isAiFeature
      ? 'The feature is priced by AI model. Send `model` and token counts instead of `value`.'
      : "The feature isn't priced by AI model. Send `value` instead of `model` and token counts.";
    return { code: 'pricing_mode_mismatch', message };
  }
  return request.model === null
    ? priceUnits(terms, request.value ?? 1n, counter, request.properties)
    : priceTokens(request, request.model, terms, counter, details);
}

/**
 * Returns the rejection if the event ID already belongs to a different event (CON-8). `null` if the stored
 * event is identical.
 */
export function repetitionProblem(
  stored: UsageEventDetails,
  requested: { readonly customerId: string; readonly featureId: string },
  quantity: Quantity,
): Rejection | null {
  const isSame =
    stored.customerId === requested.customerId &&
    stored.featureId === requested.featureId &&
    stored.value === quantity.units &&
    stored.model === (quantity.ai?.model ?? null) &&
    hasSameTokens(stored.tokenCost, quantity.ai);
  return isSame ? null : specificRejection('duplicate', 'event_id', { param: 'eventId' });
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
 * Returns the credits or balance after an event, in API format (CON-12). All fields are `null` if the plan is
 * metered.
 */
export function consumptionOf(terms: UsageTerms, quantity: Quantity, meter: Meter) {
  const { account } = meter;
  if (terms.model === 'metered') return { deducted: null, remaining: null, isBlocked: null };
  return {
    deducted: quantity.cost,
    remaining: amountOf(account, terms.model, meter.counter.featureId),
    isBlocked: isBlocked(terms, meter),
  };
}

export const draw = (terms: UsageTerms, meter: Meter, quantity: Quantity): Accepted | Rejected =>
  admit(terms, meter, quantity);

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
