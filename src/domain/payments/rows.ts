// One-time payments as they are stored (PAY-1): money asked for without a plan or a subscription behind it.

import type { PaymentProvider } from '../enums.ts';
import type { Address, Metadata, MethodDetails } from '../subscription/state/rows.ts';
import type { Tax } from '../tax.ts';

/** How a payment is made: the payer opens a page, or a stored method is charged in its absence. */
export type PaymentKind = 'link' | 'charge';

/**
 * Statuses of a payment (PAY-4, PAY-5); `succeeded` and `canceled` are terminal, for a charge `failed` and
 * `requires_action` are too.
 */
export type PaymentStatus =
  | 'pending'
  | 'processing'
  | 'requires_action'
  | 'failed'
  | 'succeeded'
  | 'canceled';

/**
 * An attempt that is under way: what the payer typed in, kept until the gateway has answered or the payer has
 * authenticated.
 */
export type PaymentAttempt = {
  /**
   * The id under which the gateway was asked: the transaction's, or a fresh one where the method is only
   * verified.
   */
  readonly attemptId: string;
  /** Null where too little is due to be charged (BIL-35). */
  readonly transactionId: string | null;
  /** What is to be stored once it has paid; null for a method that is stored already. */
  readonly method: MethodDetails | null;
  readonly billingAddress: Address | null;
  readonly taxDocument: string | null;
  /** The name of the company that pays; absent where none was typed in. */
  readonly companyName?: string;
  /** The tax in the amount that was asked for, whatever the rates are when the answer comes. */
  readonly tax: Tax;
};

/** A payment; amounts in minor units of `currency`, total = subtotal + tax. */
export type PaymentRow = {
  readonly id: string;
  readonly seq: bigint | null;
  /** Null on a link without customer until it is paid (PAY-2). */
  readonly customerId: string | null;
  /** Who pays, or last tried to; null before that. */
  readonly payerId: string | null;
  readonly kind: PaymentKind;
  readonly status: PaymentStatus;
  /** Of the connection it goes through, as far as that is known. */
  readonly provider: PaymentProvider;
  /** The kind of connection it was made for by name; null where the payer's country tells (PAY-13). */
  readonly namedProvider: PaymentProvider | null;
  /** The account of the organization that was named. */
  readonly connectionId: string | null;
  readonly currency: string;
  readonly subtotalMinor: bigint;
  readonly taxMinor: bigint;
  readonly totalMinor: bigint;
  readonly description: string;
  /** Null when none was given. */
  readonly metadata: Metadata | null;
  /** Where the page leads back to; null to stay. */
  readonly successUrl: string | null;
  /** Null while no attempt is under way. */
  readonly attempt: PaymentAttempt | null;
  /** Why the latest attempt failed; null unless it did. */
  readonly failureCode: string | null;
  readonly failureMessage: string | null;
  /** Wrong security codes that were typed in for a stored card at the link. */
  readonly wrongCodes: number;
  /** Null until it is paid. */
  readonly invoiceId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
