import type { Rejection } from '../errors/errors.ts';
import type { NodeLimit } from '../limits/entry.ts';
import type { Throttle } from '../limits/throttle.ts';
import { planAmountOf, shownAmountOf } from '../lots/account.ts';
import { maxOf } from '../money/money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { isCustom } from '../pricing/pools.ts';
import { isPricedByModel } from '../pricing/terms.ts';
import { exactText } from '../rates/exact.ts';
import type { SubscriptionStatus } from '../rows/enums.ts';
import { admit, type Draw, type Meter } from './admission.ts';
import { heldUnits } from './held-usage.ts';
import { hasFinalTotal, shownUnits, unitScale } from './metered-terms.ts';
import { priceUnits } from './record.ts';
import { type UsageTerms, unitPriceOf, wholeUnitPriceOf } from './terms.ts';

type Shared = {
  readonly allowed: boolean;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly featureCode: string;
  readonly quantity: bigint;
  /** Error code with which the usage event would be rejected. `null` if the event would be accepted. */
  readonly reason: string | null;
  readonly message: string | null;
  /** Limits that apply to the usage, and the largest quantity that fits. Absent if no limit applies. */
  readonly limits?: readonly NodeLimit[];
  readonly maxQuantity?: bigint | null;
  /** Delay that limits would ask for. Absent or `null` if no limit throttles the usage. */
  readonly throttle?: Throttle | null;
};

/**
 * Result of a usage check, with the values on which the result depends (CON-54). Rates are in
 * ten-thousandths of the currency unit (10,000 = 1.00).
 */
export type UsageCheckResult = Shared &
  (
    | {
        readonly consumptionModel: 'metered';
        readonly current: bigint;
        readonly included: bigint;
        readonly remaining: bigint;
        readonly unlimited: boolean;
        readonly overageEnabled: boolean;
        readonly overageUnitPrice: bigint | null;
        /** True if the total is known only at the end of the window. `null` otherwise. */
        readonly isEstimate: true | null;
      }
    | {
        readonly consumptionModel: 'credits';
        readonly creditsPerUnit: bigint;
        readonly estimatedCredits: bigint;
        readonly planCredits: bigint;
        readonly purchasedCredits: bigint;
        readonly totalCredits: bigint;
      }
    | {
        readonly consumptionModel: 'balance';
        readonly unitPrice: bigint;
        readonly estimatedAmount: bigint;
        /** Exact price in major units of the currency, as a decimal. `null` unless the price depends on a cost. */
        readonly estimatedPrice: string | null;
        readonly currentBalance: bigint;
        readonly blockOnExhaustion: boolean;
        readonly currency: string;
      }
  );

/** Usage feature to check, with its terms and the status of the subscription. */
export type CheckSubject = {
  readonly feature: Pick<FeatureRow, 'code'>;
  readonly subscription: { readonly status: SubscriptionStatus };
  readonly terms: UsageTerms;
};

/**
 * Checks whether a usage event with this number of units would be accepted (CON-54). Returns a rejection only
 * if there's no price in the subscription's currency (CAT-28).
 */
export function checkUnits(subject: CheckSubject, meter: Meter, units: bigint): UsageCheckResult | Rejection {
  const { terms } = subject;
  // The cost of an AI model call isn't known without its tokens, so any positive balance is sufficient (CON-53).
  if (terms.pool !== null && isPricedByModel(terms))
    return checkDraw(subject, meter, { units, cost: 1n, required: 1n }, units, 0n);
  const quantity = priceUnits(terms, units * unitScale(terms), meter.counter, []);
  return 'code' in quantity ? quantity : checkDraw(subject, meter, quantity, units);
}

/**
 * Checks whether usage with a known cost would be accepted (CON-54). `quantity` is the number of units to show.
 * `estimate` is the cost to show, and defaults to the cost of the usage.
 */
export function checkDraw(
  { feature, subscription, terms }: CheckSubject,
  meter: Meter,
  draw: Draw,
  quantity: bigint,
  estimate = draw.cost ?? 0n,
): UsageCheckResult {
  const result = admit(terms, meter, draw);
  const rejection = 'rejection' in result ? result.rejection : null;
  const shared: Shared = {
    allowed: rejection === null,
    subscriptionStatus: subscription.status,
    featureCode: feature.code,
    quantity,
    reason: rejection?.code ?? null,
    message: rejection?.message ?? null,
  };
  const { account, counter } = meter;
  const { pool } = terms;
  if (pool === null) {
    return {
      ...shared,
      consumptionModel: 'metered',
      current: shownUnits(terms, counter.total),
      included: shownUnits(terms, terms.includedAmount),
      remaining: shownUnits(terms, maxOf(0n, terms.includedAmount - counter.total - heldUnits(counter))),
      unlimited: terms.unlimited,
      overageEnabled: terms.allowsOverage,
      overageUnitPrice: terms.overageEnabled ? unitPriceOf(terms) : null,
      isEstimate: hasFinalTotal(terms) ? true : null,
    };
  }
  const available = shownAmountOf(account, pool.pool, counter.featureId);
  if (isCustom(pool.pool)) {
    const planCredits = planAmountOf(account, pool.pool);
    return {
      ...shared,
      consumptionModel: 'credits',
      creditsPerUnit: wholeUnitPriceOf(terms),
      estimatedCredits: estimate,
      planCredits,
      purchasedCredits: available - planCredits,
      totalCredits: available,
    };
  }
  return {
    ...shared,
    consumptionModel: 'balance',
    unitPrice: unitPriceOf(terms) ?? 0n,
    estimatedAmount: estimate,
    estimatedPrice: draw.price === undefined || draw.price === null ? null : exactText(draw.price),
    currentBalance: available,
    blockOnExhaustion: !pool.canOverdraw,
    currency: terms.currency,
  };
}
