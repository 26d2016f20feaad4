// Validates the input for creating a subscription, resolves its price and seats, and compares it with earlier
// requests (SUB-6 … SUB-12).

import { type FieldProblem, type Rejection, specificRejection } from '../../errors/errors.ts';
import type { Catalog, PlanRow } from '../../pricing/catalog.ts';
import { priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import { heldFeatures } from '../../pricing/terms.ts';
import type { PaymentProvider } from '../../rows/enums.ts';
import type { SeatCounts, StoredSelection, SubscriptionRow } from '../../rows/rows.ts';
import type { CreateSelection } from '../../rows/selection-rows.ts';
import { isoDate, utcMidnight } from '../../time/period.ts';
import { canChangeLevel } from '../../usage/system-limits.ts';
import { priceRejection } from '../state/rejections.ts';

/** Maximum length in days of a trial that an API client can set (OFR-27). */
const maximumTrialDays = 730;

export const defaultProvider: PaymentProvider = 'platform';

const controlsOf = (selection: CreateSelection): string[] => {
  const { offerId, promoCode, cardPromotionId, customTrialDays, skipTrial } = selection;
  const provided = {
    offerId,
    promoCode,
    cardPromotionId,
    customTrialDays,
    skipTrial: skipTrial === true ? true : null,
  };
  return Object.entries(provided).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [name],
  );
};

/** Returns all format errors of the input, including a start date before `now` (SUB-6, SUB-10). */
export function selectionProblems(selection: CreateSelection, now: Date): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const {
    planId = null,
    planCode = null,
    startDate = null,
    customTrialDays = null,
    initialSeats = null,
  } = selection;
  if ((planId === null) === (planCode === null))
    problems.push({ field: 'planId', message: 'Provide either planId or planCode, not both.' });
  const [first, second] = controlsOf(selection);
  if (first !== undefined && second !== undefined)
    problems.push({ field: second, message: `${second} can't be combined with ${first}.` });
  if (
    customTrialDays !== null &&
    !(Number.isInteger(customTrialDays) && customTrialDays >= 1 && customTrialDays <= maximumTrialDays)
  ) {
    problems.push({
      field: 'customTrialDays',
      message: `customTrialDays must be a whole number from 1 to ${maximumTrialDays}.`,
    });
  }
  if (startDate !== null && startDate < utcMidnight(now)) {
    problems.push({ field: 'startDate', message: "startDate can't be before the current UTC date." });
  }
  for (const [code, count] of Object.entries(initialSeats ?? {})) {
    if (!Number.isSafeInteger(count) || count < 0) {
      problems.push({
        field: `initialSeats.${code}`,
        message: 'The number of seats must be a non-negative whole number.',
      });
    }
  }
  return problems;
}

/** Returns the plan that the input refers to. `null` if the plan doesn't exist or is deleted. */
export function selectedPlan(catalog: Catalog, selection: CreateSelection): PlanRow | null {
  const { planId = null, planCode = null } = selection;
  const plan =
    planId === null
      ? [...catalog.plans.values()].find(({ code, deletedAt }) => code === planCode && deletedAt === null)
      : catalog.plans.get(planId);
  return plan === undefined || plan.deletedAt !== null ? null : plan;
}

/**
 * Returns the rejection for values that aren't available on a free plan (SUB-8). `null` if the input contains
 * no such values.
 */
export function freePlanRejection(selection: CreateSelection): Rejection | null {
  for (const field of ['billingInterval', 'priceId', 'customTrialDays', 'skipTrial'] as const) {
    const value = selection[field];
    if (value === undefined || value === null || value === false) continue;
    const message = `${field} isn't available on a free plan.`;
    return { code: 'validation_error', message, param: field, details: [{ field, message }] };
  }
  for (const field of ['offerId', 'promoCode', 'cardPromotionId'] as const) {
    const value = selection[field];
    if (value !== undefined && value !== null)
      return specificRejection('offer_not_applicable', 'free_plan', { param: field });
  }
  return null;
}

/** Returns the price for a paid plan at a given time and for a customer's country (CAT-32). */
export function selectedPrice(
  catalog: Catalog,
  plan: PlanRow,
  selection: Pick<CreateSelection, 'priceId' | 'billingInterval'>,
  at: Date,
  country: string | null,
): ResolvedPrice | Rejection {
  const { priceId = null, billingInterval = null } = selection;
  const row = selectPriceRow(catalog, plan.id, { priceId, billingInterval });
  const price = 'failure' in row ? row : priceAt(catalog, row, at, { country });
  return 'failure' in price ? priceRejection(price.failure) : price;
}

/**
 * Returns why initial seats aren't allowed: the feature is unknown or isn't a seat feature of the plan, or
 * the plan allows fewer seats (SUB-7, CON-52). `null` if they're allowed. `field` is the API input field of
 * the seats.
 */
export function seatsRejection(
  catalog: Catalog,
  plan: PlanRow,
  seats: SeatCounts,
  at: Date,
  field = 'initialSeats',
): Rejection | null {
  const codes = Object.entries(seats);
  if (codes.length === 0) return null;
  const held = heldFeatures(catalog, plan.id, at, at);
  for (const [code, count] of codes) {
    const param = `${field}.${code}`;
    const feature = [...catalog.features.values()].find((row) => row.code === code && row.deletedAt === null);
    if (feature === undefined)
      return specificRejection('feature_not_found', 'by_code', { values: { code }, param });
    if (feature.type !== 'seats') {
      const message = `The feature ${code} isn't a seat feature.`;
      return { code: 'validation_error', message, param, details: [{ field: param, message }] };
    }
    const terms = held.find((entry) => entry.feature.id === feature.id)?.terms;
    if (terms === undefined)
      return specificRejection('feature_not_in_plan', 'selected', { values: { code }, param });
    if (!terms.enabled) return specificRejection('feature_disabled', 'in_plan', { values: { code }, param });
    if (!canChangeLevel({ ...terms, allowsOverage: terms.overageEnabled }, 0n, BigInt(count))) {
      const included = Number(terms.includedAmount);
      const message = `The plan doesn't sell additional seats for ${code}. Included seats: ${included}.`;
      return {
        code: 'included_limit_reached',
        message,
        param,
        details: { current: 0, included, remaining: included },
      };
    }
  }
  return null;
}

/**
 * Returns the reason why a provider can't be used (PAY-13). `null` if no provider was provided, or if it's built in or
 * a connected account of the organization.
 */
export const providerRejection = ({
  provider = null,
  connectionId = null,
}: CreateSelection): Rejection | null =>
  provider === null || provider === defaultProvider || connectionId !== null
    ? null
    : specificRejection('provider_unsupported', 'connection_unusable', {
        values: { provider },
        param: 'provider',
      });

/**
 * Returns 00:00 UTC of the start date. `null` if no date is set or the date isn't in the future, so that the
 * subscription starts immediately (SUB-10).
 */
export function laterStart(startDate: Date | null | undefined, now: Date): Date | null {
  if (startDate === null || startDate === undefined) return null;
  const date = utcMidnight(startDate);
  return date > now ? date : null;
}

function namedProvider({
  provider,
  connectionId,
}: CreateSelection): Pick<StoredSelection, 'provider' | 'connectionId'> {
  if (connectionId != null) return { provider: 'stripe', connectionId };
  return { provider: provider === defaultProvider ? defaultProvider : null };
}

export const storedSelection = (selection: CreateSelection, plan: PlanRow, now: Date): StoredSelection => {
  const start = laterStart(selection.startDate, now);
  return {
    planId: plan.id,
    priceId: selection.priceId ?? null,
    billingInterval: selection.billingInterval ?? null,
    ...namedProvider(selection),
    offerId: selection.offerId ?? null,
    promoCode: selection.promoCode ?? null,
    cardPromotionId: selection.cardPromotionId ?? null,
    customTrialDays: selection.customTrialDays ?? null,
    skipTrial: selection.skipTrial ?? false,
    startDate: start === null ? null : isoDate(start),
    ...(selection.locale == null ? {} : { locale: selection.locale }),
  };
};

const isSameSeats = (a: SeatCounts, b: SeatCounts): boolean => {
  const codes = Object.keys(a);
  return codes.length === Object.keys(b).length && codes.every((code) => a[code] === b[code]);
};

/**
 * Returns true if a pending subscription was created with the same plan, price, interval, provider, offer, seats, and
 * start date (SUB-12).
 */
export function isSameRequest(
  pending: SubscriptionRow,
  requested: {
    readonly selection: StoredSelection;
    readonly priceId: string | null;
    readonly seats: SeatCounts;
  },
): boolean {
  const { selection } = pending;
  const controls = [
    'offerId',
    'promoCode',
    'cardPromotionId',
    'customTrialDays',
    'skipTrial',
    'startDate',
  ] as const;
  return (
    pending.planId === requested.selection.planId &&
    pending.priceId === requested.priceId &&
    pending.provider === (requested.selection.provider ?? defaultProvider) &&
    selection.connectionId === requested.selection.connectionId &&
    controls.every((name) => selection[name] === requested.selection[name]) &&
    isSameSeats(pending.initialSeats, requested.seats)
  );
}
