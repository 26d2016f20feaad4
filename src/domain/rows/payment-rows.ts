// Stored one-time payments, which have no plan or subscription (PAY-1).

import type { Tax } from '../tax/tax.ts';
import type { PaymentProvider } from './enums.ts';
import type { Address, Metadata, MethodDetails } from './rows.ts';

/** Type of a payment: `link` is paid on a page, `charge` charges a stored payment method. */
type PaymentKind = 'link' | 'charge';

/**
 * Setting that determines whether the card of a payment link's payer is saved (PAY-8). With `always`, the
 * page states that paying saves the card. With `optional`, the payer chooses. Charges use `never`, because
 * their payment method is already saved.
 */
export type CardSaving = 'always' | 'optional' | 'never';

/**
 * Statuses of a payment (PAY-4, PAY-5). `succeeded` and `canceled` are final. For a charge, `failed` and
 * `requires_action` are also final.
 */
export type PaymentStatus =
  | 'pending'
  | 'processing'
  | 'requires_action'
  | 'failed'
  | 'succeeded'
  | 'canceled';

/**
 * Pending payment attempt. Stores the values that the payer entered until the provider responds or the payer
 * authenticates.
 */
export type PaymentAttempt = {
  /** ID that was sent to the provider: the transaction ID, or a new ID if the payment method is only verified. */
  readonly attemptId: string;
  /** ID of the attempt's transaction. `null` if the amount is too small to charge (BIL-35). */
  readonly transactionId: string | null;
  /** Payment method to store after the payment. `null` if it's already stored. */
  readonly method: MethodDetails | null;
  /** True if the payer agreed to save the payment method for later charges (PAY-8). */
  readonly savesMethod: boolean;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** Name of the paying company. Absent if the payer entered no company. */
  readonly companyName?: string;
  /** Tax included in the requested amount. Later tax rate changes don't affect it. */
  readonly tax: Tax;
};

/** One-time payment. Amounts are in minor units of `currency`. Total = subtotal + tax. */
export type PaymentRow = {
  readonly id: string;
  readonly seq: bigint | null;
  /** ID of the customer. `null` if the link has no customer and isn't paid yet (PAY-2). */
  readonly customerId: string | null;
  /** Customer of the latest attempt. `null` if there was no attempt. */
  readonly payerId: string | null;
  readonly kind: PaymentKind;
  readonly status: PaymentStatus;
  readonly provider: PaymentProvider;
  /** Provider that was requested by name. `null` if the payer's country determines the provider (PAY-13). */
  readonly namedProvider: PaymentProvider | null;
  /** Connected account that was requested. `null` if no account was requested. */
  readonly connectionId: string | null;
  readonly currency: string;
  readonly subtotalMinor: bigint;
  readonly taxMinor: bigint;
  readonly totalMinor: bigint;
  readonly description: string;
  /** Description in normalized form, for searches. */
  readonly searchText: string;
  /** Metadata of the payment. `null` if not set. */
  readonly metadata: Metadata | null;
  /** URL that the page redirects to after the payment. `null` if the page doesn't redirect. */
  readonly successUrl: string | null;
  readonly saveCard: CardSaving;
  /** Time at which the payer agreed to save the card. `null` if the card isn't saved. */
  readonly cardSavedAt: Date | null;
  /** Pending payment attempt. `null` if no attempt is pending. */
  readonly attempt: PaymentAttempt | null;
  /** Failure code of the latest attempt. `null` if the attempt didn't fail. */
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** Number of wrong security codes entered for a saved card. */
  readonly wrongCodes: number;
  /** ID of the payment's invoice. `null` if the payment isn't paid yet. */
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
