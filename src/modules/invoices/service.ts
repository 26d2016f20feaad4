import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';

/** The invoice with this id. Throws `invoice_not_found`. */
export async function requireInvoice(context: Context, id: string): Promise<Row<'Invoice'>> {
  const invoice = await loadRow(context, 'Invoice', id);
  if (invoice === null) throw new QuittanceError('invoice_not_found', 'No such invoice.', { param: 'id' });
  return invoice;
}
