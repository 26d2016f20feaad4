// What an offer comes to on one subscription: phases with the values of its currency, their dates, and what
// they take off the plan base.

import type { BillingInterval, RecurringInterval } from '../enums.ts';
import { minOf, shareOf } from '../money.ts';
import { boundary, boundaryNumber } from '../period.ts';
import type { ApplicationPhase } from '../subscription/state/rows.ts';
import { amountIn, type CurrencyAmount, type OfferPhase } from './phase.ts';

const undated = { startsAt: null, endsAt: null } as const;

function configured(list: readonly CurrencyAmount[], currency: string): number {
  const amount = amountIn(list, currency);
  if (amount === undefined) throw new Error(`The phase has no amount in ${currency}.`);
  return amount;
}

/**
 * The interval of a fixed price that is billed in another one than the plan's (OFR-13); null for every other
 * phase.
 */
export const ownCadence = (phase: OfferPhase, interval: BillingInterval): RecurringInterval | null =>
  phase.type !== 'fixed_price' || phase.durationInterval === interval ? null : phase.durationInterval;

/**
 * The phases of an offer with their values in a currency, for a price of an interval, not dated yet (OFR-7).
 * Throws for a currency the offer does not have.
 */
export const resolvedPhases = (
  phases: readonly OfferPhase[],
  currency: string,
  interval: BillingInterval,
): ApplicationPhase[] =>
  phases.map((phase): ApplicationPhase => {
    if (phase.type === 'free_trial') return { ...phase, durationInterval: null, ...undated };
    const { durationCycles, durationInterval } = phase;
    const shared = { durationCycles, durationInterval, ...undated };
    if (phase.type === 'percentage') return { type: phase.type, percentage: phase.percentage, ...shared };
    if (phase.type === 'amount_off')
      return { type: phase.type, amount: configured(phase.amounts, currency), ...shared };
    const cadence = ownCadence(phase, interval);
    return {
      type: phase.type,
      price: configured(phase.prices, currency),
      ...shared,
      ...(cadence !== null && { cadence }),
    };
  });

/**
 * When terms were accepted, when their trial ends (null without one), and where the first paid period begins.
 * Cycles count on the grid of the anchor, which is that beginning by default.
 */
export type Acceptance = {
  readonly acceptedAt: Date;
  readonly trialEndsAt: Date | null;
  readonly firstPeriodStart: Date;
  readonly anchor?: Date;
  readonly interval: BillingInterval;
};

/** The instant a number of cycles after a boundary of an anchor's grid. */
const afterCycles = (anchor: Date, interval: RecurringInterval, from: Date, cycles: number): Date =>
  boundary(anchor, interval, boundaryNumber(anchor, interval, from) + cycles);

/**
 * The phases with their dates (OFR-12): a trial from the acceptance to its end, then each phase from the end
 * of the one before for its cycles, counted in billing periods (OFR-9). A fixed price with an interval of its
 * own counts its cycles from its beginning, and its end is the anchor of what follows (OFR-13). An open end,
 * and every phase of a price that is charged once, ends at null.
 */
export function datedPhases(
  phases: readonly ApplicationPhase[],
  { acceptedAt, trialEndsAt, firstPeriodStart, anchor = firstPeriodStart, interval }: Acceptance,
): ApplicationPhase[] {
  let next: Date | null = firstPeriodStart;
  let grid = anchor;
  const endOf = (start: Date | null, phase: DiscountPhase): Date | null => {
    if (start === null || phase.durationCycles === null) return null;
    const cadence = cadenceOf(phase);
    if (cadence === null)
      return interval === 'one_time' ? null : afterCycles(grid, interval, start, phase.durationCycles);
    grid = boundary(start, cadence, phase.durationCycles);
    return grid;
  };
  return phases.map((phase) => {
    if (phase.type === 'free_trial') {
      return {
        ...phase,
        startsAt: acceptedAt.toISOString(),
        endsAt: (trialEndsAt ?? firstPeriodStart).toISOString(),
      };
    }
    const start = next;
    next = endOf(start, phase);
    return { ...phase, startsAt: start?.toISOString() ?? null, endsAt: next?.toISOString() ?? null };
  });
}

/** A phase that lowers the plan base. */
export type DiscountPhase = Exclude<ApplicationPhase, { readonly type: 'free_trial' }>;

const isDiscount = (phase: ApplicationPhase): phase is DiscountPhase => phase.type !== 'free_trial';

/**
 * The interval the base is billed in during a phase, where that is another than the plan's (OFR-13); null
 * otherwise.
 */
export const cadenceOf = (phase: DiscountPhase | null): RecurringInterval | null =>
  phase?.type === 'fixed_price' ? (phase.cadence ?? null) : null;

/**
 * The first phase that lowers the plan base: cycle 1 of what is charged first (OFR-11); null for a trial
 * alone.
 */
export const firstDiscount = (phases: readonly ApplicationPhase[]): DiscountPhase | null =>
  phases.find(isDiscount) ?? null;

/**
 * The dated phase that lowers the base of the period beginning at an instant; null when none does (OFR-10).
 */
export const discountAt = (phases: readonly ApplicationPhase[], periodStart: Date): DiscountPhase | null =>
  phases
    .filter(isDiscount)
    .find(
      ({ startsAt, endsAt }) =>
        startsAt !== null &&
        new Date(startsAt) <= periodStart &&
        (endsAt === null || periodStart < new Date(endsAt)),
    ) ?? null;

/**
 * A plan base under a phase, minor units: what is shown as its price, what is taken off, and what is left.
 */
export type ReducedBase = {
  readonly shownMinor: bigint;
  readonly discountMinor: bigint;
  readonly effectiveMinor: bigint;
};

/**
 * What a phase makes of a plan base (OFR-2, BIL-14, BIL-16): never less than nothing. A fixed price above the
 * base replaces it, and so does one for another interval, with which the base cannot be compared (OFR-13).
 */
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
  return price < baseMinor && cadenceOf(phase) === null
    ? less(baseMinor, baseMinor - price)
    : less(price, 0n);
}
