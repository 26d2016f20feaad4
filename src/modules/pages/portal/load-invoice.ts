import { loadExistingRow, loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { type Context, unauthorized } from '../../../request/context.ts';

export type HostedInvoice = { readonly invoice: Row<'Invoice'>; readonly customer: Row<'Customer'> };

/** Returns an invoice of the environment with its customer. `null` if it doesn't exist. */
export async function findHosted(ctx: Context, invoiceId: string): Promise<HostedInvoice | null> {
  const invoice = await loadRow(ctx, 'Invoice', invoiceId);
  return invoice === null
    ? null
    : { invoice, customer: await loadExistingRow(ctx, 'Customer', invoice.customerId) };
}

/** Returns the invoice of the caller's page token. Throws `unauthorized` if the invoice no longer exists. */
export async function loadHosted(ctx: Context): Promise<HostedInvoice> {
  if (ctx.caller.kind !== 'page') throw new Error('An invoice was requested without its token.');
  const hosted = await findHosted(ctx, ctx.caller.subjectId);
  if (hosted === null) throw unauthorized();
  return hosted;
}
