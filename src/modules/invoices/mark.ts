import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireInvoice } from './store.ts';

/** Which invoice becomes what. */
export type InvoiceStatusInput = { readonly id: string; readonly status: 'paid' | 'void' };

/**
 * Marks an outstanding invoice paid or void (BIL-25, BIL-26) and answers it as it is at that time. Throws `invoice_not_found`, and `validation_error`
 * on `status` for one that is not outstanding or is being charged.
 */
export async function markInvoice(ctx: Context, { id, status }: InvoiceStatusInput): Promise<Row<'Invoice'>> {
  const { customerId } = await requireInvoice(ctx, id);
  await executeOne(ctx, customerId, { kind: 'invoice.mark', invoiceId: id, status });
  // The row read before is out of date.
  ctx.forget();
  return requireInvoice(ctx, id);
}
