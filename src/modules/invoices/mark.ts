import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import type { Row } from '../../infra/rows.ts';
import { requireInvoice } from './service.ts';

/** Which invoice becomes what. */
export type InvoiceStatusInput = { readonly id: string; readonly status: 'paid' | 'void' };

/**
 * Marks an outstanding invoice paid or void (BIL-25, BIL-26) and answers it as it then is. Throws `invoice_not_found`, and `validation_error`
 * on `status` for one that is not outstanding or is being charged.
 */
export async function markInvoice(context: Context, { id, status }: InvoiceStatusInput): Promise<Row<'Invoice'>> {
  const { customerId } = await requireInvoice(context, id);
  await executeOne(context, customerId, { kind: 'invoice.mark', invoiceId: id, status });
  // The row read before is out of date.
  context.forget();
  return requireInvoice(context, id);
}
