// The choices of a creating call: their shape, their price, their seats, and whether they are those of an
// earlier call (SUB-6 … SUB-12).

import type { PaymentProvider } from '../../enums.ts';
import { type FieldProblem, type Rejection, specificRejection } from '../../errors.ts';
import { isoDate, utcMidnight } from '../../period.ts';
import type { Catalog, PlanRow } from '../../pricing/catalog.ts';
import { priceAt, type ResolvedPrice, selectPriceRow } from '../../pricing/resolve.ts';
import { allowedCount, heldFeatures } from '../../pricing/terms.ts';
import { priceRejection } from '../state/rejections.ts';
import type { SeatCounts, StoredSelection, SubscriptionRow } from '../state/rows.ts';
import type { CreateSelection } from '../state/selection-rows.ts';

/** The most days a trial given by the caller may have (OFR-27). */
export const maximumTrialDays = 730;

/** The connection used when none is named (PAY-13); the only one that can be used so far. */
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

/** All problems of the shape of a selection. Start dates before `now` are one (SUB-6, SUB-10). */
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
    problems.push({ field: 'planId', message: 'Give exactly one of planId and planCode.' });
  const [first, second] = controlsOf(selection);
  if (first !== undefined && second !== undefined)
    problems.push({ field: second, message: `${second} cannot be combined with ${first}.` });
  if (
    customTrialDays !== null &&
    !(Number.isInteger(customTrialDays) && customTrialDays >= 1 && customTrialDays <= maximumTrialDays)
  ) {
    problems.push({
      field: 'customTrialDays',
      message: `customTrialDays is a whole number from 1 to ${maximumTrialDays}.`,
    });
  }
  if (startDate !== null && startDate < utcMidnight(now)) {
    problems.push({ field: 'startDate', message: 'startDate lies before the current UTC date.' });
  }
  for (const [code, count] of Object.entries(initialSeats ?? {})) {
    if (!Number.isSafeInteger(count) || count < 0) {
      problems.push({
        field: `initialSeats.${code}`,
        message: 'A number of seats is a whole number of at least 0.',
      });
    }
  }
  return problems;
}

/** The selectable plan a selection names; null when there is none. */
export function selectedPlan(catalog: Catalog, selection: CreateSelection): PlanRow | null {
  const { planId = null, planCode = null } = selection;
  const plan =
    planId === null
      ? [...catalog.plans.values()].find(({ code, deletedAt }) => code === planCode && deletedAt === null)
      : catalog.plans.get(planId);
  return plan === undefined || plan.deletedAt !== null ? null : plan;
}

/** What a free plan rejects (SUB-8); null when nothing of it was given. */
export function freePlanRejection(selection: CreateSelection): Rejection | null {
  for (const field of ['billingInterval', 'priceId', 'customTrialDays', 'skipTrial'] as const) {
    const value = selection[field];
    if (value === undefined || value === null || value === false) continue;
    const message = `A free plan takes no ${field}.`;
    return { code: 'validation_error', message, param: field, details: [{ field, message }] };
  }
  for (const field of ['offerId', 'promoCode', 'cardPromotionId'] as const) {
    const value = selection[field];
    if (value !== undefined && value !== null)
      return specificRejection('offer_not_applicable', 'free_plan', { param: field });
  }
  return null;
}

/** The price a selection means on a paid plan at an instant, for a customer of a country (CAT-32). */
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
 * Why initial seats are not possible: an unknown feature, one that is no seats feature of the plan, or more
 * than it allows (SUB-7, CON-52). `field` is what the caller calls them.
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
      const message = `The feature ${code} has no seats.`;
      return { code: 'validation_error', message, param, details: [{ field: param, message }] };
    }
    const terms = held.find((entry) => entry.feature.id === feature.id)?.terms;
    if (terms === undefined)
      return specificRejection('feature_not_in_plan', 'selected', { values: { code }, param });
    if (!terms.enabled) return specificRejection('feature_disabled', 'in_plan', { values: { code }, param });
    if (allowedCount(terms, BigInt(count)) < BigInt(count)) {
      const included = Number(terms.includedAmount);
      const message = `The plan includes ${included} of ${code} and sells no more.`;
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
 * Why a connection cannot be used (PAY-13); null for the built-in one, one of the organization, and when none
 * is named.
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

/** A later start as 00:00Z of its UTC date; null when the subscription starts at once (SUB-10). */
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

/** The choices to keep with the subscription. */
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
 * Whether a pending subscription is what is asked for again: same plan, price, interval, provider, control,
 * seats and start (SUB-12).
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
