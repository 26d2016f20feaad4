// One usage event: its possible rejections, in the documented order, and what it moves (CON-4 to CON-13).

import type { ConsumptionModel } from '../enums.ts';
import { defaultRejection, type Rejection, specificRejection } from '../errors.ts';
import { minuteMs } from '../period.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { localRateUp } from '../pricing/regional.ts';
import { type Accepted, admit, isBlocked, type Meter, type Rejected } from './admission.ts';
import { creditsOf } from './pools.ts';
import type { UsageTerms } from './terms.ts';
import { type TokenCost, type TokenCounts, type TokenPrices, tokenCost } from './tokens.ts';

/** Tokens as a caller gave them; null where it gave none. */
export type ProvidedTokens = {
  readonly input: bigint | null;
  readonly output: bigint | null;
  readonly cacheRead: bigint | null;
  readonly cacheWrite: bigint | null;
};

/** The consumption a caller reports (CON-4). */
export type UsageRequest = {
  readonly customerId: string;
  readonly featureCode: string;
  /** The caller's own id of the event; null for none. */
  readonly eventId: string | null;
  /** When it happened; null for now. */
  readonly timestamp: Date | null;
  readonly properties: readonly { readonly property: string; readonly value: string }[];
  readonly value: bigint | null;
  readonly model: string | null;
  readonly tokens: ProvidedTokens;
};

/** An AI model with its prices now; `version` names the entry of the price history. */
export type ModelDetails = { readonly id: string; readonly prices: TokenPrices; readonly version: string };

/** The cost of tokens as it is kept with an event (CON-31). */
export type StoredTokenCost = {
  readonly model: string;
  readonly tokens: TokenCounts;
  /** US dollars at rate scale. */
  readonly cost: TokenCost;
  readonly version: string;
};

/**
 * What an event takes: units, their price in the pool's terms, and for an AI model where the price comes
 * from.
 */
export type Quantity = {
  readonly units: bigint;
  readonly cost: bigint | null;
  readonly ai: StoredTokenCost | null;
};

/** A stored usage event, as far as a repetition is compared with it. */
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

/** A stored usage event. */
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

/** What prices an event besides the terms of its feature. */
export type PriceDetails = {
  /** AI models that go by the name of the request; one makes a match (CON-32). */
  readonly models: readonly ModelDetails[];
  /**
   * The plan's rate for the subscription's currency, in hundred-millionths; null without one. US dollars need
   * none.
   */
  readonly exchangeRateE8: bigint | null;
};

const invalid = (field: string, message: string): Rejection => ({
  code: 'validation_error',
  message,
  param: field,
  details: [{ field, message }],
});

const missingPrice: Rejection = specificRejection('insufficient_balance', 'no_unit_price');

/** The rejection of a request whose fields contradict each other (CON-5); null when they agree. */
function shapeProblem({ value, model, tokens }: UsageRequest): Rejection | null {
  const provided = Object.values(tokens).some((count) => count !== null);
  if (model === null)
    return provided ? invalid('model', 'Token counts come with the model they are of.') : null;
  if (value !== null) return invalid('value', 'An event has a value or a model, not both.');
  if (tokens.input === null)
    return invalid('inputTokens', 'An event with a model has inputTokens and outputTokens.');
  return tokens.output === null
    ? invalid('outputTokens', 'An event with a model has inputTokens and outputTokens.')
    : null;
}

/** US dollars at rate scale in another currency, rounded up (CON-33); null without a rate. */
function convertUp(usdRate: bigint, currency: string, rateE8: bigint | null): bigint | null {
  if (currency === 'usd') return usdRate;
  return rateE8 === null ? null : localRateUp(usdRate, rateE8);
}

function priceTokens(
  request: UsageRequest,
  name: string,
  terms: UsageTerms,
  details: PriceDetails,
): Quantity | Rejection {
  const [model, another] = details.models;
  if (model === undefined || another !== undefined) {
    return specificRejection('model_not_found', 'ambiguous', { values: { name }, param: 'model' });
  }
  const { input, output, cacheRead, cacheWrite } = request.tokens;
  const tokens = {
    input: input ?? 0n,
    output: output ?? 0n,
    cacheRead: cacheRead ?? 0n,
    cacheWrite: cacheWrite ?? 0n,
  };
  const cost = tokenCost(model.prices, tokens, BigInt(terms.marginBps ?? 0));
  const converted = convertUp(cost.total, terms.currency, details.exchangeRateE8);
  if (converted === null) return missingPrice;
  return {
    units: tokens.input + tokens.output,
    cost: converted,
    ai: { model: model.id, tokens, cost, version: model.version },
  };
}

/**
 * What units of a feature take from the pool of its plan; null where the plan only counts them. Rejects a
 * price missing in the currency (CAT-28).
 */
export function priceUnits(terms: UsageTerms, units: bigint): Quantity | Rejection {
  if (terms.model === 'metered') return { units, cost: null, ai: null };
  const price = terms.model === 'credits' ? terms.creditsPerUnit : terms.unitPriceRate;
  return price === null ? missingPrice : { units, cost: units * price, ai: null };
}

/**
 * What a request takes, priced. Rejects, in this order: fields that contradict each other, a shape the
 * feature is not priced by (`pricing_mode_mismatch`), an AI model that is unknown or not the only one of its
 * name, and a price missing in the currency.
 */
export function quantityOf(
  request: UsageRequest,
  terms: UsageTerms,
  details: PriceDetails,
): Quantity | Rejection {
  const problem = shapeProblem(request);
  if (problem !== null) return problem;
  const isAiFeature = terms.model === 'balance' && terms.pricingMode === 'ai_model';
  if (isAiFeature !== (request.model !== null)) {
    const message = isAiFeature
      ? 'The feature is priced by AI models: name one.'
      : 'The feature is not priced by AI models.';
    return { code: 'pricing_mode_mismatch', message };
  }
  return request.model === null
    ? priceUnits(terms, request.value ?? 1n)
    : priceTokens(request, request.model, terms, details);
}

/**
 * The rejection of an event id that stands for something else already (CON-8); null when the stored event is
 * the same.
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
    sameTokens(stored.tokenCost?.tokens ?? null, quantity.ai?.tokens ?? null);
  return isSame ? null : specificRejection('duplicate', 'event_id', { param: 'eventId' });
}

const sameTokens = (a: TokenCounts | null, b: TokenCounts | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.input === b.input &&
    a.output === b.output &&
    a.cacheRead === b.cacheRead &&
    a.cacheWrite === b.cacheWrite);

/** How far ahead of now the clock of a caller may be. */
const futureToleranceMs = 5 * minuteMs;

/** The rejection of a time too far ahead, or before the subscription began (CON-9); null for any other. */
export function timeProblem(ts: Date, now: Date, startDate: Date): Rejection | null {
  if (ts.getTime() > now.getTime() + futureToleranceMs)
    return invalid('timestamp', 'The event lies more than 5 minutes in the future.');
  return ts < startDate ? invalid('timestamp', 'The event lies before the start of the subscription.') : null;
}

/**
 * The pool of a credits or balance plan after an event, as answers show it (CON-12); nulls on metered plans.
 */
export function consumptionOf(terms: UsageTerms, quantity: Quantity, { account }: Meter) {
  if (terms.model === 'metered') return { deducted: null, remaining: null, isBlocked: null };
  const remaining = terms.model === 'credits' ? creditsOf(account) : account.balanceRate;
  return { deducted: quantity.cost, remaining, isBlocked: isBlocked(terms, account) };
}

/** Draws what an event takes; see `admit`. */
export const draw = (terms: UsageTerms, meter: Meter, { units, cost }: Quantity): Accepted | Rejected =>
  admit(terms, meter, { units, cost });

/**
 * The rejection of a feature that cannot take usage events (CON-6); null when it can. `terms` are null where
 * plan and add-ons lack it.
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
