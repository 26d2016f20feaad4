import type { SubscriptionStatus } from '../enums.ts';
import type { Rejection } from '../errors.ts';
import { maxOf } from '../money.ts';
import type { FeatureRow } from '../pricing/catalog.ts';
import { admit, type Meter } from './admission.ts';
import { creditsOf } from './pools.ts';
import { priceUnits } from './record.ts';
import type { UsageTerms } from './terms.ts';

type Shared = {
  readonly allowed: boolean;
  readonly subscriptionStatus: SubscriptionStatus;
  readonly featureCode: string;
  readonly quantity: bigint;
  /** The code an event would be rejected with now; null when it would be accepted. */
  readonly reason: string | null;
  readonly message: string | null;
};

/**
 * The answer to whether something could be consumed, with what decides it (CON-54). Rates at 10 000 = 1.00.
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
        readonly currentBalance: bigint;
        readonly blockOnExhaustion: boolean;
        readonly currency: string;
      }
  );

/** What is asked about: a usage feature on the terms held, by a subscription of this status. */
export type CheckSubject = {
  readonly feature: Pick<FeatureRow, 'code'>;
  readonly subscription: { readonly status: SubscriptionStatus };
  readonly terms: UsageTerms;
};

/**
 * Evaluates a number of units by the rules of an event (CON-54). Rejects only where no price can be shown
 * (CAT-28).
 */
export function checkUnits(
  { feature, subscription, terms }: CheckSubject,
  meter: Meter,
  units: bigint,
): UsageCheckResult | Rejection {
  // What a call of an AI model will cost is not known before, so that anything left allows it (CON-53).
  const isOpenPrice = terms.model === 'balance' && terms.pricingMode === 'ai_model';
  const quantity = isOpenPrice ? { units, cost: 0n } : priceUnits(terms, units);
  if ('code' in quantity) return quantity;
  const result = admit(terms, meter, isOpenPrice ? { units, cost: 1n } : quantity);
  const rejection = 'rejection' in result ? result.rejection : null;
  const shared: Shared = {
    allowed: rejection === null,
    subscriptionStatus: subscription.status,
    featureCode: feature.code,
    quantity: units,
    reason: rejection?.code ?? null,
    message: rejection?.message ?? null,
  };
  const { account, counter } = meter;
  const cost = quantity.cost ?? 0n;
  if (terms.model === 'metered') {
    return {
      ...shared,
      consumptionModel: 'metered',
      current: counter.total,
      included: terms.includedAmount,
      remaining: maxOf(0n, terms.includedAmount - counter.total),
      unlimited: terms.unlimited,
      overageEnabled: terms.allowsOverage,
      overageUnitPrice: terms.overageEnabled ? terms.unitPriceRate : null,
    };
  }
  if (terms.model === 'credits') {
    return {
      ...shared,
      consumptionModel: 'credits',
      creditsPerUnit: terms.creditsPerUnit ?? 0n,
      estimatedCredits: cost,
      planCredits: account.planCredits,
      purchasedCredits: account.purchasedCredits,
      totalCredits: creditsOf(account),
    };
  }
  return {
    ...shared,
    consumptionModel: 'balance',
    unitPrice: terms.unitPriceRate ?? 0n,
    estimatedAmount: cost,
    currentBalance: account.balanceRate,
    blockOnExhaustion: terms.isBlocking,
    currency: terms.currency,
  };
}
