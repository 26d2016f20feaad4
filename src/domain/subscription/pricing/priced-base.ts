// Base prices of plans with an offer's discount, for the first charge or a later period.

import type { DiscountDetails } from '../../invoicing/line.ts';
import {
  cadenceOf,
  type DiscountPhase,
  firstDiscount,
  type ReducedBase,
  reducedBase,
} from '../../offers/terms.ts';
import type { RecurringInterval } from '../../rows/enums.ts';
import { type Explanation, explain } from '../../rows/explanation.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';
import { phaseAt } from './cadence.ts';
import type { Quoted, Terms } from './offering.ts';

/**
 * Base price of a plan with an offer applied: the amount shown on invoices and the amount charged. `cadence` is the
 * billing interval if it differs from the plan's.
 */
export type PricedBase = ReducedBase & {
  readonly discount: DiscountDetails | null;
  readonly cadence: RecurringInterval | null;
};

/** Returns the explanation of an offer phase's discount on a plan's base price (OFR-2, BIL-14, BIL-16). */
function explainedDiscount(base: bigint, phase: DiscountPhase): Explanation {
  if (phase.type === 'percentage')
    return explain('BIL-16', 'percentage_off', { base, basis_points: BigInt(phase.percentage) });
  if (phase.type === 'amount_off')
    return explain('BIL-16', 'amount_off', { base, amount: BigInt(phase.amount) });
  return explain('BIL-14', 'fixed_price', { base, fixed_price: BigInt(phase.price) });
}

/** Applies an offer phase to a plan's base price, in minor units. Applies no discount if `terms` or `phase` is `null`. */
function pricedBase(
  baseMinor: bigint,
  terms: Pick<Terms, 'name' | 'offerId' | 'source'> | null,
  phase: DiscountPhase | null,
): PricedBase {
  const reduced = { ...reducedBase(baseMinor, phase), cadence: cadenceOf(phase) };
  if (terms === null || phase === null || reduced.discountMinor === 0n) return { ...reduced, discount: null };
  const { name, offerId, source } = terms;
  const isPercentage = phase.type === 'percentage';
  const value = isPercentage
    ? BigInt(phase.percentage)
    : phase.type === 'amount_off'
      ? BigInt(phase.amount)
      : reduced.discountMinor;
  const type = isPercentage ? 'percentage' : 'amount';
  const explanation = explainedDiscount(baseMinor, phase);
  return {
    ...reduced,
    discount: {
      isPromoCode: source === 'promo_code',
      type,
      value,
      name,
      offerId,
      amountMinor: reduced.discountMinor,
      explanation,
    },
  };
}

export const basesOf = ({ shownMinor, effectiveMinor }: PricedBase) => ({
  listBaseMinor: shownMinor,
  effectiveBaseMinor: effectiveMinor,
});

/** Returns the plan's base price for the first charge, with the offer applied (OFR-11). */
export const firstBase = (baseMinor: bigint, terms: Quoted | null): PricedBase =>
  pricedBase(baseMinor, terms, terms === null ? null : firstDiscount(terms.phases));

/** Returns the plan's base price for the period that starts at a given time, with the accepted offer's phase applied (OFR-10, BIL-17). */
export function periodBase(
  draft: Draft,
  subscription: SubscriptionRow,
  baseMinor: bigint,
  periodStart: Date,
): PricedBase {
  const found = phaseAt(draft, subscription, periodStart);
  return pricedBase(baseMinor, found?.application ?? null, found?.phase ?? null);
}
