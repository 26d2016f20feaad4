import type { PlanChangePurchase } from './change-rows.ts';

/**
 * Purchase of a credit pack. `credits` is an amount in pool units of `asset`. `asset` is absent if the pack sells credits.
 * `validDays` is absent if the credits don't expire (PRM-142). `refundTakesBack` is absent if refunds don't change the lot
 * (PRM-23).
 */
export type CreditsPurchase = {
  readonly creditPackName: string;
  readonly credits: number;
  readonly asset?: string;
  readonly validDays?: number;
  readonly refundTakesBack?: true;
};

/** Purchase that takes effect when its invoice is paid (BIL-22, SUB-43). */
export type Purchase = CreditsPurchase | { readonly addonId: string } | PlanChangePurchase;

/** Period during which an add-on is active on a subscription. */
export type AddonActivationRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly addonId: string;
  readonly status: 'active' | 'inactive';
  /**
   * Price for the remaining billing period before tax, in minor units of the subscription's currency
   * (SUB-71).
   */
  readonly proratedMinor: bigint;
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
  /**
   * End of the paid days (exclusive). Set at activation and deactivation (SUB-73). `null` if the charge
   * failed or was refunded.
   */
  readonly paidUntil: Date | null;
};
