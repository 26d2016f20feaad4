import { type Context, unauthorized } from '../../context.ts';
import { loadExistingRow, loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';

/** An invoice with its customer, and nothing of anybody else. */
export type HostedInvoice = { readonly invoice: Row<'Invoice'>; readonly customer: Row<'Customer'> };

/** An invoice of the environment with its customer; null without one. */
export async function findHosted(ctx: Context, invoiceId: string): Promise<HostedInvoice | null> {
  const invoice = await loadRow(ctx, 'Invoice', invoiceId);
  return invoice === null
    ? null
    : { invoice, customer: await loadExistingRow(ctx, 'Customer', invoice.customerId) };
}

/** The invoice that the caller's page token names. Throws `unauthorized` for one that is gone. */
export async function loadHosted(ctx: Context): Promise<HostedInvoice> {
  if (ctx.caller.kind !== 'page') throw new Error('An invoice was asked for without a page token.');
  const hosted = await findHosted(ctx, ctx.caller.subjectId);
  if (hosted === null) throw unauthorized();
  return hosted;
}
