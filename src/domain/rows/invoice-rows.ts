import type { Tax } from '../tax/tax.ts';
import type { Metadata } from '../text/json.ts';
import type {
  CreditNoteReason,
  InvoiceChargeType,
  InvoiceLineType,
  InvoiceStatus,
  InvoiceType,
} from './enums.ts';
import type { Explanation } from './explanation.ts';
import type { Purchase } from './purchase-rows.ts';

/**
 * Invoice with amounts in minor units of `currency`. `number` is `null` if the engine hasn't stored the
 * invoice yet (BIL-27).
 */
export type InvoiceRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly subscriptionId: string | null;
  readonly number: bigint | null;
  readonly status: InvoiceStatus;
  readonly type: InvoiceType;
  readonly currency: string;
  readonly subtotal: bigint;
  readonly discountAmount: bigint;
  readonly creditApplied: bigint;
  readonly taxAmount: bigint;
  readonly total: bigint;
  /** Tax computation. `null` if no tax is computed, for example for a manual credit. */
  readonly tax: Tax | null;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly issueDate: Date;
  readonly dueDate: Date;
  /**
   * Time at which the collection fails if the customer hasn't paid the invoice. `null` if the invoice is charged
   * automatically (INS-24).
   */
  readonly payableUntil: Date | null;
  readonly planName: string | null;
  readonly memo: string | null;
  readonly poNumber: string | null;
  readonly reference: string | null;
  readonly metadata: Metadata;
  /** Purchase that the invoice pays for. `null` if the invoice type and subtotal identify the purchase. */
  readonly purchase: Purchase | null;
  /**
   * Time at which the invoice was finalized. A finalized invoice is outstanding or settled in the ledger. `null`
   * if the checkout can still revise the invoice, or if the invoice was canceled before it was finalized (BIL-30).
   */
  readonly finalizedAt: Date | null;
  readonly paidAt: Date | null;
  /** Time of the latest email with the invoice. `null` if it was never sent. */
  readonly sentAt: Date | null;
  /** Buyer details recorded with the invoice. `null` if the engine hasn't stored the invoice yet. */
  readonly buyerId: string | null;
  readonly sellerId: string | null;
  /**
   * Time at which the buyer and seller details were recorded, if the invoice was issued by an older version
   * that didn't record them. `null` if they were recorded at issue.
   */
  readonly frozenAt: Date | null;
  /** Part of `total` that was credited, including its tax (`creditedTax`). */
  readonly creditedAmount: bigint;
  readonly creditedTax: bigint;
  /** Part of `creditedAmount` that was credited before the invoice was settled. */
  readonly creditedDue: bigint;
  /** Part of `total` that was paid in parts while the invoice was outstanding (INS-71). */
  readonly paidInParts: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * Credit note with amounts in minor units of `currency`, at most 0. `number` is `null` if the engine hasn't
 * stored the credit note yet (DAT-11).
 */
export type CreditNoteRow = {
  readonly id: string;
  readonly seq: bigint | null;
  readonly customerId: string;
  readonly invoiceId: string;
  readonly subscriptionId: string | null;
  /** Refund that the credit note documents. `null` if the credit note has another reason. */
  readonly refundId: string | null;
  readonly number: bigint | null;
  readonly reason: CreditNoteReason;
  readonly description: string | null;
  readonly currency: string;
  readonly subtotal: bigint;
  readonly taxAmount: bigint;
  readonly total: bigint;
  readonly tax: Tax | null;
  readonly metadata: Metadata;
  readonly issueDate: Date;
  /** Buyer details of the invoice. `null` if the invoice is also new and the engine hasn't stored it yet. */
  readonly buyerId: string | null;
  readonly sellerId: string | null;
  readonly createdAt: Date;
};

/**
 * Invoice line. `amount` is in minor units and negative for reductions. `unitAmountRate` is in
 * ten-thousandths of the currency unit (10,000 = 1.00, GLO-6).
 */
export type InvoiceLineRow = {
  readonly id: string;
  readonly invoiceId: string;
  /** Position of the line item on the invoice, starting at 0. */
  readonly position: number;
  readonly lineType: InvoiceLineType;
  readonly chargeType: InvoiceChargeType;
  readonly description: string;
  readonly featureName: string | null;
  readonly quantity: bigint;
  readonly unitAmountRate: bigint;
  /** Price per unit in minor units as a decimal, if `unitAmountRate` is rounded. `null` if it's exact. */
  readonly exactUnitAmount: string | null;
  /** Exact quantity as a decimal. `null` unless the feature counts fractions of units. */
  readonly exactQuantity: string | null;
  readonly amount: bigint;
  readonly includedAmount: bigint | null;
  readonly usedAmount: bigint | null;
  readonly overageAmount: bigint | null;
  readonly discountType: string | null;
  readonly discountValue: bigint | null;
  readonly discountName: string | null;
  /** Offer that provides the line's discount. `null` if the line isn't an offer discount. */
  readonly offerId: string | null;
  /** Customer credit used by the line. `null` if the line uses no customer credit. */
  readonly creditId: string | null;
  /** Correction of usage in an ended usage window that the line charges or credits. `null` if the line has another purpose. */
  readonly correctionId: string | null;
  /**
   * Period of the line if it differs from the invoice's period. Otherwise, `periodStart` and `periodEnd` are
   * `null`.
   */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** Calculation of the line item's amount: rule, formula, and inputs. */
  readonly explanation: Explanation;
};
