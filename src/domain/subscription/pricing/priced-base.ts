// What an offer makes of a plan base: of the first one charged, and of that of a period.

import type { RecurringInterval } from '../../enums.ts';
import { type Explanation, explain } from '../../invoicing/explanation.ts';
import type { DiscountDetails } from '../../invoicing/line.ts';
import {
  cadenceOf,
  type DiscountPhase,
  firstDiscount,
  type ReducedBase,
  reducedBase,
} from '../../offers/terms.ts';
import type { Draft } from '../state/draft.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { phaseAt } from './cadence.ts';
import type { Quoted, Terms } from './offering.ts';

/**
 * A plan base with what an offer does to it: what invoices show and what the subscription is charged.
 * `cadence` is the interval it is charged for where that is another than the plan's.
 */
export type PricedBase = ReducedBase & {
  readonly discount: DiscountDetails | null;
  readonly cadence: RecurringInterval | null;
};

/** How a phase lowers a base (OFR-2, BIL-14, BIL-16). */
function explainedDiscount(base: bigint, phase: DiscountPhase): Explanation {
  if (phase.type === 'percentage')
    return explain('BIL-16', 'percentage_off', { base, basis_points: BigInt(phase.percentage) });
  if (phase.type === 'amount_off')
    return explain('BIL-16', 'amount_off', { base, amount: BigInt(phase.amount) });
  return explain('BIL-14', 'fixed_price', { base, fixed_price: BigInt(phase.price) });
}

/** A plan base in minor units under terms and one of their phases; no discount without either. */
export function pricedBase(
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

/** The columns of a subscription that a priced base fills. */
export const basesOf = ({ shownMinor, effectiveMinor }: PricedBase) => ({
  listBaseMinor: shownMinor,
  effectiveBaseMinor: effectiveMinor,
});

/** The base of the first charge under terms (OFR-11). */
export const firstBase = (baseMinor: bigint, terms: Quoted | null): PricedBase =>
  pricedBase(baseMinor, terms, terms === null ? null : firstDiscount(terms.phases));

/**
 * The base of the period that begins at an instant, under the accepted offer whose phase it is in (OFR-10,
 * BIL-17).
 */
export function periodBase(
  draft: Draft,
  subscription: SubscriptionRow,
  baseMinor: bigint,
  periodStart: Date,
): PricedBase {
  const found = phaseAt(draft, subscription, periodStart);
  return pricedBase(baseMinor, found?.application ?? null, found?.phase ?? null);
}
