// Applies an offer to a subscription: the phases' values in the subscription's currency, the phases' dates,
// and the discount on the plan's base price.

import { minOf, shareOf } from '../money/money.ts';
import type { BillingInterval, RecurringInterval } from '../rows/enums.ts';
import type { ApplicationPhase } from '../rows/rows.ts';
import { boundary, boundaryNumber } from '../time/period.ts';
import { amountIn, type CurrencyAmount, type OfferPhase } from './phase.ts';

const undated = { startsAt: null, endsAt: null } as const;

function configured(list: readonly CurrencyAmount[], currency: string): number {
  const amount = amountIn(list, currency);
  if (amount === undefined) throw new Error(`The phase has no amount in ${currency}.`);
  return amount;
}

/**
 * Returns the interval of a fixed price that isn't billed at the plan's interval (OFR-13). `null` if the
 * plan's interval applies.
 */
export const ownCadence = (phase: OfferPhase, interval: BillingInterval): RecurringInterval | null =>
  phase.type !== 'fixed_price' || phase.durationInterval === interval ? null : phase.durationInterval;

/**
 * Returns the phases of an offer with their values in a currency and for a billing interval, without dates
 * (OFR-7). Throws if the offer has no amount in the currency.
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
 * Time of acceptance, end of the trial, and start of the first paid period. `trialEndsAt` is `null` if there
 * is no trial. Cycles are relative to `anchor`, which defaults to the start of the first paid period.
 */
export type Acceptance = {
  readonly acceptedAt: Date;
  readonly trialEndsAt: Date | null;
  readonly firstPeriodStart: Date;
  readonly anchor?: Date;
  readonly interval: BillingInterval;
};

/** Returns the time that is `cycles` cycles after a period boundary. */
const afterCycles = (anchor: Date, interval: RecurringInterval, from: Date, cycles: number): Date =>
  boundary(anchor, interval, boundaryNumber(anchor, interval, from) + cycles);

/**
 * Returns the phases with their dates (OFR-12). A trial starts when the offer is accepted. Each later phase starts when
 * the previous phase ends and lasts its number of billing cycles (OFR-9). If a fixed price has a separate interval, the
 * cycles of that interval start with the phase. Later phases are then anchored to the end of that phase (OFR-13).
 * `endsAt` is `null` if the phase is unlimited or the price is one-time.
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

/** Phase that discounts the plan's base price. */
export type DiscountPhase = Exclude<ApplicationPhase, { readonly type: 'free_trial' }>;

const isDiscount = (phase: ApplicationPhase): phase is DiscountPhase => phase.type !== 'free_trial';

/** Returns the billing interval during a phase. `null` if it's the plan's interval (OFR-13). */
export const cadenceOf = (phase: DiscountPhase | null): RecurringInterval | null =>
  phase?.type === 'fixed_price' ? (phase.cadence ?? null) : null;

/**
 * Returns the first phase that discounts the plan's base price. Its first cycle begins with the first charge
 * (OFR-11). `null` if the offer is only a trial.
 */
export const firstDiscount = (phases: readonly ApplicationPhase[]): DiscountPhase | null =>
  phases.find(isDiscount) ?? null;

/**
 * Returns the phase that discounts the period starting at a given time. `null` if no phase applies (OFR-10).
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

/** Discounted base price of the plan in minor units: the displayed price, the discount, and the charged amount. */
export type ReducedBase = {
  readonly shownMinor: bigint;
  readonly discountMinor: bigint;
  readonly effectiveMinor: bigint;
};

/**
 * Applies a phase to a plan's base price (OFR-2, BIL-14, BIL-16). The result is never negative. A fixed price below the
 * base price is treated as a discount. Other fixed prices replace the base price, and so do fixed prices with a
 * different interval, because the amounts aren't comparable (OFR-13).
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
