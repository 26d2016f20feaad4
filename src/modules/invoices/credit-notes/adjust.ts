import type { Metadata } from '../../../domain/rows/rows.ts';
import { executeOne } from '../../../engine/execute.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { requireInvoice } from '../invoices/store.ts';
import { type AdjustmentShape, ofCreditNote, ofInvoice } from './shape-adjustment.ts';
import { requireCreditNote } from './store.ts';

/**
 * Parameters for an adjustment. `amount` is in minor units of the invoice's currency. Without an invoice, the currency is that of the
 * customer's subscription; without a subscription, USD. `amount` can't be 0, and is negative for a credit.
 */
export type AdjustmentInput = {
  readonly customerId: string;
  readonly amount: number;
  readonly description: string;
  readonly invoiceId?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/**
 * Issues an adjustment (BIL-23). Returns the adjustment's invoice, or its credit note if `invoiceId` is set. Locks the customer even if the
 * customer has a subscription. Throws `customer_not_found`, and `validation_error` if the invoice can't be credited.
 */
export async function adjustCustomer(ctx: Context, input: AdjustmentInput): Promise<AdjustmentShape> {
  const { id } = await requireCustomer(ctx, input.customerId, 'customerId');
  const named = input.invoiceId ?? null;
  const creditNoteId = newId('crn');
  const { invoiceId } = await executeOne(ctx, id, {
    kind: 'invoice.adjust',
    amountMinor: BigInt(input.amount),
    description: input.description,
    invoiceId: named,
    creditNoteId,
    // The schema accepts only JSON objects.
    metadata: (input.metadata ?? {}) as Metadata,
  });
  if (invoiceId === null) throw new Error('An adjustment has no invoice.');
  // The cached invoice may be older than the credit note.
  ctx.forget();
  return named === null
    ? ofInvoice(await requireInvoice(ctx, invoiceId))
    : ofCreditNote(await requireCreditNote(ctx, creditNoteId));
}
