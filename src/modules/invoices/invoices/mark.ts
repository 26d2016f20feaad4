import { executeOne } from '../../../engine/execute.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { readWasMailed, requireInvoice } from './store.ts';

export type InvoiceStatusInput = { readonly id: string; readonly status: 'paid' | 'void' };

/**
 * Marks an outstanding invoice as paid or void (BIL-25, BIL-26) and returns the updated invoice. Throws `invoice_not_found`, and
 * `validation_error` on `status` if the invoice isn't outstanding or a charge is in progress.
 */
export async function markInvoice(ctx: Context, { id, status }: InvoiceStatusInput): Promise<Row<'Invoice'>> {
  const { customerId } = await requireInvoice(ctx, id);
  const wasSent = status === 'void' && (await readWasMailed(ctx, id));
  await executeOne(ctx, customerId, { kind: 'invoice.mark', invoiceId: id, status, wasSent });
  // The cached row is outdated.
  ctx.forget();
  return requireInvoice(ctx, id);
}
