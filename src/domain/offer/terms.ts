// What an offer comes to on one subscription: phases with the values of its currency, their dates, and what they take off the plan base.
import { minOf, shareOf } from '../money.ts';
import { boundary, boundaryNumber } from '../period.ts';
import type { ApplicationPhase } from '../subscription/rows.ts';
import type { BillingInterval } from '../words.ts';
import { amountIn, type CurrencyAmount, type OfferPhase } from './phase.ts';

const undated = { startsAt: null, endsAt: null } as const;

function configured(list: readonly CurrencyAmount[], currency: string): number {
  const amount = amountIn(list, currency);
  if (amount === undefined) throw new Error(`The phase has no amount in ${currency}.`);
  return amount;
}

/** The phases of an offer with their values in a currency, not dated yet (OFR-7). Throws for a currency the offer does not have. */
export const resolvedPhases = (phases: readonly OfferPhase[], currency: string): ApplicationPhase[] =>
  phases.map((phase): ApplicationPhase => {
    if (phase.type === 'free_trial') return { ...phase, durationInterval: null, ...undated };
    const { durationCycles, durationInterval } = phase;
    const shared = { durationCycles, durationInterval, ...undated };
    if (phase.type === 'percentage') return { type: phase.type, percentage: phase.percentage, ...shared };
    if (phase.type === 'amount_off') return { type: phase.type, amount: configured(phase.amounts, currency), ...shared };
    return { type: phase.type, price: configured(phase.prices, currency), ...shared };
  });

/**
 * When terms were accepted, when their trial ends (null without one), and where the first paid period begins. Cycles count on the grid of the
 * anchor, which is that beginning unless told.
 */
export type Acceptance = {
  readonly acceptedAt: Date;
  readonly trialEndsAt: Date | null;
  readonly firstPeriodStart: Date;
  readonly anchor?: Date;
  readonly interval: BillingInterval;
};

/**
 * The phases with their dates (OFR-12): a trial from the acceptance to its end, then each phase from the end of the one before for its
 * cycles, counted in billing periods (OFR-9). An open end, and every phase of a price that is charged once, ends at null.
 */
export function datedPhases(
  phases: readonly ApplicationPhase[],
  { acceptedAt, trialEndsAt, firstPeriodStart, anchor = firstPeriodStart, interval }: Acceptance,
): ApplicationPhase[] {
  let cycles: number | null = 0;
  const instantAfter = (count: number | null): string | null => {
    if (count === null || (interval === 'one_time' && count > 0)) return null;
    if (interval === 'one_time') return firstPeriodStart.toISOString();
    return boundary(anchor, interval, boundaryNumber(anchor, interval, firstPeriodStart) + count).toISOString();
  };
  return phases.map((phase) => {
    if (phase.type === 'free_trial') {
      return { ...phase, startsAt: acceptedAt.toISOString(), endsAt: (trialEndsAt ?? firstPeriodStart).toISOString() };
    }
    const startsAt = instantAfter(cycles);
    cycles = cycles === null || phase.durationCycles === null ? null : cycles + phase.durationCycles;
    return { ...phase, startsAt, endsAt: instantAfter(cycles) };
  });
}

/** A phase that lowers the plan base. */
export type DiscountPhase = Exclude<ApplicationPhase, { readonly type: 'free_trial' }>;

const isDiscount = (phase: ApplicationPhase): phase is DiscountPhase => phase.type !== 'free_trial';

/** The first phase that lowers the plan base: cycle 1 of what is charged first (OFR-11); null for a trial alone. */
export const firstDiscount = (phases: readonly ApplicationPhase[]): DiscountPhase | null => phases.find(isDiscount) ?? null;

/** The dated phase that lowers the base of the period beginning at an instant; null when none does (OFR-10). */
export const discountAt = (phases: readonly ApplicationPhase[], periodStart: Date): DiscountPhase | null =>
  phases
    .filter(isDiscount)
    .find(
      ({ startsAt, endsAt }) =>
        startsAt !== null && new Date(startsAt) <= periodStart && (endsAt === null || periodStart < new Date(endsAt)),
    ) ?? null;

/** A plan base under a phase, minor units: what is shown as its price, what is taken off, and what is left. */
export type ReducedBase = { readonly shownMinor: bigint; readonly discountMinor: bigint; readonly effectiveMinor: bigint };

/** What a phase makes of a plan base (OFR-2, BIL-14, BIL-16): never less than nothing. A fixed price above the base replaces it. */
export function reducedBase(baseMinor: bigint, phase: DiscountPhase | null): ReducedBase {
  const less = (shownMinor: bigint, discountMinor: bigint): ReducedBase => ({
    shownMinor,
    discountMinor,
    effectiveMinor: shownMinor - discountMinor,
  });
  if (phase === null) return less(baseMinor, 0n);
  if (phase.type === 'percentage') return less(baseMinor, shareOf(baseMinor, BigInt(phase.percentage)));
  if (phase.type === 'amount_off') return less(baseMinor, minOf(BigInt(phase.amount), baseMinor));
  const price = BigInt(phase.price);
  return price < baseMinor ? less(baseMinor, baseMinor - price) : less(price, 0n);
}
