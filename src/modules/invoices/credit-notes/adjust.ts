import type { Metadata } from '../../../domain/rows/rows.ts';
import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { requireInvoice } from '../invoices/store.ts';
import { type AdjustmentShape, ofCreditNote, ofInvoice } from './shape-adjustment.ts';
import { requireCreditNote } from './store.ts';

/**
 * Parameters for an adjustment. `amount` is in minor units of the invoice's currency. Without an invoice, the customer's subscription
 * determines the currency, which is USD if the customer has no subscription. `amount` can't be 0, and is negative for a credit.
 */
type AdjustmentInput = {
  readonly amount: number;
  readonly description: string;
  readonly invoiceId?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

/** Returns the command that issues an adjustment. */
export const adjustCommand = ({ amount, description, invoiceId, metadata }: AdjustmentInput) => ({
  kind: 'invoice.adjust' as const,
  amountMinor: BigInt(amount),
  description,
  invoiceId: invoiceId ?? null,
  creditNoteId: newId('crn'),
  // The GraphQL schema accepts only JSON objects as metadata.
  metadata: (metadata ?? {}) as Metadata,
});

/** Executed adjustment command, with its result. */
type Executed = { readonly command: ReturnType<typeof adjustCommand>; readonly done: CommandResult };

/** Returns the invoice of an adjustment, or the credit note if the adjustment credits an invoice. */
export async function adjustmentOf(
  ctx: Context,
  { command, done: { invoiceId } }: Executed,
): Promise<AdjustmentShape> {
  if (invoiceId === null) throw new Error('An adjustment has no invoice.');
  // The cached invoice may be older than the credit note.
  ctx.forget();
  return command.invoiceId === null
    ? ofInvoice(await requireInvoice(ctx, invoiceId))
    : ofCreditNote(await requireCreditNote(ctx, command.creditNoteId));
}
