// The stored rows of invoices and their lines; see `rows.ts`.

import type { InvoiceChargeType, InvoiceLineType, InvoiceStatus, InvoiceType } from '../../enums.ts';
import type { Explanation } from '../../invoicing/explanation.ts';
import type { Metadata } from '../../json.ts';
import type { Tax } from '../../tax.ts';
import type { Purchase } from './purchase-rows.ts';

/**
 * An invoice; amounts in minor units of `currency`. `number` is null until the engine stores the invoice
 * (BIL-27).
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
  /** How the tax was computed; null where none is computed, as on a manual credit. */
  readonly tax: Tax | null;
  readonly periodStart: Date;
  readonly periodEnd: Date;
  readonly issueDate: Date;
  readonly dueDate: Date;
  readonly planName: string | null;
  readonly memo: string | null;
  readonly poNumber: string | null;
  readonly reference: string | null;
  readonly metadata: Metadata;
  /** Null for all but the purchases whose type and subtotal do not tell what is bought. */
  readonly purchase: Purchase | null;
  readonly paidAt: Date | null;
  /** The parties frozen with it; null until the engine stores the invoice. */
  readonly buyerId: string | null;
  readonly sellerId: string | null;
  /** When the parties were frozen, of an invoice older than that; null where it was at the issue. */
  readonly frozenAt: Date | null;
  /** The invoice a credit note corrects; null for other invoices, and for a credit that names none. */
  readonly correctsInvoiceId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/**
 * One line of an invoice; `amount` in minor units, negative for reductions, `unitAmountRate` at 10 000 = 1.00
 * (GLO-6).
 */
export type InvoiceLineRow = {
  readonly id: string;
  readonly invoiceId: string;
  /** 0 for the first line. */
  readonly position: number;
  readonly lineType: InvoiceLineType;
  readonly chargeType: InvoiceChargeType;
  readonly description: string;
  readonly featureName: string | null;
  readonly quantity: bigint;
  readonly unitAmountRate: bigint;
  readonly amount: bigint;
  readonly includedAmount: bigint | null;
  readonly usedAmount: bigint | null;
  readonly overageAmount: bigint | null;
  readonly discountType: string | null;
  readonly discountValue: bigint | null;
  readonly discountName: string | null;
  /** The offer by which the line takes something off. */
  readonly offerId: string | null;
  /** The customer credit the line draws on. */
  readonly creditId: string | null;
  /** The span the line is about where it is not that of the invoice; both null elsewhere. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
  /** How the amount was computed. */
  readonly explanation: Explanation;
};
