// Validates and prices a single usage event, with checks in the documented order (CON-4 to CON-13).

import { type Rejection, specificRejection } from '../errors/errors.ts';
import type { EventHold } from '../holds/hold.ts';
import type { HoldStep } from '../holds/steps.ts';
import { dimensionValues } from '../meters/dimensions.ts';
import { changeLevel, type LevelChange, type LevelKind } from '../meters/level.ts';
import { type Measured, measure, riseBy } from '../meters/measure.ts';
import { holdsLevel } from '../meters/meter.ts';
import { maxOf, rateScale } from '../money/money.ts';
import { moneyPool } from '../pricing/pools.ts';
import { usdToLocal } from '../pricing/regional.ts';
import { isPricedByModel } from '../pricing/terms.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type DerivedRate, type EventProperties, lowestFactor } from '../rates/derived.ts';
import { type Exact, minus, plus, times } from '../rates/exact.ts';
import { drawBetween, hasCells } from '../rates/held.ts';
import { rateRejection } from '../rates/rejections.ts';
import type { ConsumptionModel } from '../rows/enums.ts';
import type { UsageCounterRow } from '../rows/usage-rows.ts';
import { type CellChange, isPriced, type TotalByCell, type WindowCells, withUnits } from './cells.ts';
import { invalid } from './invalid.ts';
import { costOfUnits } from './price-and-cost.ts';
import { shapeProblem } from './request-shape.ts';
import type { UsageTerms } from './terms.ts';
import {
  classified,
  type ModelPrices,
  type ProvidedTokens,
  type StoredTokenCost,
  storedTokenCost,
  tokenCost,
  tokensOf,
} from './tokens.ts';
import { drawOfUsage } from './window.ts';

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
  /** Quantity as a decimal, instead of `value`. */
  readonly quantity: string | null;
  readonly model: string | null;
  readonly tokens: ProvidedTokens;
  /** Whether the number of input tokens contains the cached tokens. `true` if `null`. */
  readonly inputIncludesCache: boolean | null;
  /** Effect on the level of a feature whose meter holds a level. Absent or `null` adds to the level. */
  readonly levelKind?: LevelKind | null;
  /** Key of the usage's budget. Absent or `null` if the usage has no budget. */
  readonly budget?: string | null;
  /** Keys of the budgets with which the named hold was opened. Absent if the request names no stored hold. */
  readonly heldPath?: readonly string[];
  /** Step of a hold. Absent if the request records an event that settles no hold. */
  readonly hold?: HoldStep;
};

/** AI model with its current prices. `version` is the ID of the price history entry. */
export type ModelDetails = { readonly id: string; readonly prices: ModelPrices; readonly version: string };

/**
 * Change of the window's total by an event in counted units, and its cost in pool units. `required` is the amount that a pool
 * that can't be overdrawn must contain, which is at least the cost. `price` is the exact price in major
 * units of the currency. `null` unless the price depends on a cost. For AI models, includes the source of the price.
 */
type Priced = {
  readonly units: bigint;
  readonly cost: bigint | null;
  readonly required: bigint | null;
  readonly price: Exact | null;
  readonly ai: StoredTokenCost | null;
};

/**
 * Price of an event, and the event's quantity. `cell` is the combination of dimension values to which the event belongs, and
 * `cells` contains the totals after the event. `cell` is `null` if the meter has no dimensions or doesn't count the event.
 */
export type Quantity = Priced &
  Pick<TotalByCell, 'cells'> & {
    readonly measured: Measured;
    readonly cell: CellChange | null;
    /** Effect on the level. Absent if the meter holds no level. */
    readonly level?: LevelChange;
  };

/** Stored fields of a usage event that are compared when its request is repeated. */
export type UsageEventDetails = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly eventId: string | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly featureId: string;
  /** ID of the usage's budget. `null` if the usage has no budget. */
  readonly budgetId: string | null;
  readonly value: bigint;
  /** Exact quantity as a decimal. `null` if it equals `value`. */
  readonly quantity: string | null;
  readonly properties: EventProperties;
  readonly model: string | null;
  readonly tokenCost: StoredTokenCost | null;
  /** Hold that the event settles. `null` if the event settles no hold. */
  readonly hold: EventHold | null;
  /** ID of the event of another feature that this event counts. `null` if the event was recorded for its own feature (PRM-13). */
  readonly sourceEventId: string | null;
  /** Effect on the level, its change, and the level after the event in counted units. `null` if the event changes no level (PRM-14). */
  readonly levelKind: LevelKind | null;
  readonly levelChange: bigint | null;
  readonly level: bigint | null;
  /** Number of the first corrected event in whose place the event changes the level. `null` if it has its own place (PRM-126). */
  readonly levelSeq: bigint | null;
};

export type UsageEventRow = UsageEventDetails & {
  readonly consumptionModel: ConsumptionModel;
  readonly deducted: bigint | null;
  readonly remaining: bigint | null;
  readonly isBlocked: boolean | null;
  /**
   * Code of the custom unit in which amounts are stated. `null` if the amounts are in credits or money, or if units are
   * invoiced.
   */
  readonly asset: string | null;
  /** Number of decimals of the custom unit. `null` if `asset` is `null`. */
  readonly decimals: number | null;
  /** Change of the window's total in counted units. `null` if it equals `value`. */
  readonly units: bigint | null;
  /**
   * Exact price as a decimal in major units of the currency (PRM-102, PRM-119). Provisional on metered plans. On credits
   * plans, the part of the paid price of the drawn credits. `null` if it's 0 and doesn't depend on a cost.
   */
  readonly price: string | null;
  /** Exact cost as a decimal in US dollars. `null` if the event has no cost. */
  readonly cost: string | null;
  /**
   * Exchange rate of the plan for the currency, in hundred-millionths. `null` if the currency is US dollars, the event has no price
   * and no cost, or the plan has no exchange rate.
   */
  readonly exchangeRateE8: bigint | null;
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
  /** Time of the event. */
  readonly ts: Date;
  /** Returns the number of events in the window with the same value of the counted property. */
  readonly knownOf: (value: string) => bigint;
  /** Totals of the window by dimension values. `null` if the meter has no dimensions. */
  readonly cells: WindowCells | null;
};

const missingPrice: Rejection = specificRejection('insufficient_balance', 'no_unit_price');

/** Fields of a request that determine its price. */
export type PricedRequest = Pick<
  UsageRequest,
  'value' | 'quantity' | 'model' | 'tokens' | 'inputIncludesCache' | 'properties' | 'levelKind'
>;

/** Total and exact price of the window so far. */
type WindowSoFar = Pick<UsageCounterRow, 'total' | 'price' | 'latestAt' | 'covered' | 'level'> &
  Pick<TotalByCell, 'cells'>;

/**
 * Returns the quantity of an event whose exact price is known. The event deducts the increase of the window's rounded
 * price (PRM-101).
 */
export function pricedExactly(
  units: bigint,
  price: Exact,
  counter: Pick<WindowSoFar, 'price'>,
  ai: StoredTokenCost | null,
): Priced {
  const before = exactDecimal(counter.price);
  const { taken, required } = drawBetween(before, plus(before, price), rateScale);
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
  if (price === null) return missingPrice;
  const units = tokensOf(tokens);
  const measured: Measured = { value: units, quantity: null, units, key: null, isCounted: true };
  return {
    ...pricedExactly(units, price, counter, storedTokenCost(model, cost, total)),
    measured,
    cell: null,
  };
}

/** Returns the quantity of units whose price is derived from a cost per unit (PRM-112). */
function priceFromCost(
  terms: UsageTerms,
  derived: readonly DerivedRate[],
  units: bigint,
  counter: WindowSoFar,
  properties: EventProperties,
): Priced | Rejection {
  const { currency, exchangeRateE8 } = terms;
  const before = costOfUnits(terms, counter.total);
  const after = costOfUnits(terms, counter.total + units);
  if (before === null || after === null) return missingPrice;
  const cost = times(minus(after, before), lowestFactor(derived, properties));
  const price = usdToLocal(cost, currency, exchangeRateE8);
  return price === null ? missingPrice : pricedExactly(units, price, counter, null);
}

/**
 * Returns the cost of a feature's units in a window. The cost is `null` if the units are invoiced. `after` contains the
 * totals by dimension values after the units. Returns a rejection if there's no price in the subscription's currency (CAT-28).
 */
export function priceUnits(
  terms: UsageTerms,
  units: bigint,
  counter: WindowSoFar,
  properties: EventProperties,
  after: TotalByCell['cells'] = undefined,
): Priced | Rejection {
  const { pool, derived, rates } = terms;
  if (pool === null) return { units, cost: null, required: null, price: null, ai: null };
  if (derived !== null) return priceFromCost(terms, derived, units, counter, properties);
  if (terms.unlimited) return { units, cost: 0n, required: 0n, price: null, ai: null };
  if (rates === null) return missingPrice;
  const { covered } = counter;
  const next =
    after === undefined
      ? { covered, ...withUnits(rates, counter, units) }
      : { covered, total: counter.total + units, cells: after };
  const { taken, required } = drawOfUsage(terms, rates, [counter, next], pool.scale);
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
  const isAiFeature = terms.pool?.pool === moneyPool && isPricedByModel(terms);
  if (isAiFeature !== (request.model !== null)) {
    const message = isAiFeature
      ? 'The feature is priced by AI model. Send `model` and token counts instead of `value`.'
      : "The feature isn't priced by AI model. Send `value` instead of `model` and token counts.";
    return { code: 'pricing_mode_mismatch', message };
  }
  return request.model === null
    ? priceMeasured(request, terms, counter, details)
    : priceTokens(request, request.model, terms, counter, details);
}

const noPriceForDimensions: Rejection = rateRejection('no_price_for_dimensions', [
  { field: 'properties', message: 'have no price in the rate card of the feature' },
]);

/** Returns the quantity of an event according to the feature's meter, and the price of the total's change. */
function priceMeasured(
  request: PricedRequest,
  terms: UsageTerms,
  counter: WindowSoFar,
  { ts, knownOf, cells }: PriceDetails,
): Quantity | Rejection {
  const meter = terms.meter?.document ?? null;
  const measured = measure(meter, request);
  if ('code' in measured) return measured;
  if (holdsLevel(meter)) return priceLevel(request, terms, counter, cells, measured);
  if (request.levelKind != null)
    return invalid('kind', 'Only features whose meter has `persists` accept `kind`.');
  const known = measured.key === null ? 0n : knownOf(measured.key);
  const units = riseBy(meter, counter, measured, ts, known);
  return priceCounted(request, terms, counter, cells, { measured, units });
}

/** Returns the quantity of an event that changes a level. The total of the window so far is the highest level. */
function priceLevel(
  request: PricedRequest,
  terms: UsageTerms,
  counter: WindowSoFar,
  cells: WindowCells | null,
  measured: Measured,
): Quantity | Rejection {
  const before = counter.level ?? 0n;
  const units = measured.isCounted ? measured.units : 0n;
  const level = changeLevel(measured.isCounted ? (request.levelKind ?? 'add') : 'add', before, units);
  if ('code' in level) return level;
  const rise = maxOf(0n, level.after - counter.total);
  const priced = priceCounted(request, terms, counter, cells, { measured, units: rise });
  return 'code' in priced ? priced : { ...priced, level };
}

/** Returns the quantity of counted units, and the price of the total's change. `units` can be a part of the measured units. */
export function priceCounted(
  request: Pick<PricedRequest, 'properties'>,
  terms: UsageTerms,
  counter: WindowSoFar,
  cells: WindowCells | null,
  { measured, units }: { readonly measured: Measured; readonly units: bigint },
): Quantity | Rejection {
  const meter = terms.meter?.document ?? null;
  const dimensions = dimensionValues(meter, request.properties);
  if (dimensions !== null && 'code' in dimensions) return dimensions;
  const cell =
    dimensions === null || !measured.isCounted ? null : (cells?.adding(dimensions.values, units) ?? null);
  const after = cell === null ? cells?.totals() : cells?.after(cell);
  if (
    terms.rates !== null &&
    hasCells(terms.rates) &&
    !isPriced(terms.rates, { total: counter.total + units, cells: after })
  )
    return noPriceForDimensions;
  const window = cells === null ? counter : { ...counter, cells: cells.totals() };
  const priced = priceUnits(terms, units, window, request.properties, after);
  return 'code' in priced ? priced : { ...priced, measured, cell, cells: after };
}
