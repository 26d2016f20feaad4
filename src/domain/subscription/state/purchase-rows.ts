// What is bought for a subscription, as it is stored.
import type { PlanChangePurchase } from './change-rows.ts';

/** Credits an invoice buys; a whole number. */
export type CreditsPurchase = { readonly creditPackName: string; readonly credits: number };

/** What an invoice buys, put in force when it is paid (BIL-22, SUB-43). */
export type Purchase = CreditsPurchase | { readonly addonId: string } | PlanChangePurchase;

/** An add-on on a subscription, from its activation to its deactivation. */
export type AddonActivationRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly subscriptionId: string;
  readonly addonId: string;
  readonly status: 'active' | 'inactive';
  /**
   * What the rest of the billing period cost before tax, minor units of the subscription's currency (SUB-71).
   */
  readonly proratedMinor: bigint;
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly deactivatedAt: Date | null;
};
