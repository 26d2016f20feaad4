import type { Context } from '../../context.ts';
import { loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';

/** The transfers of an invoice, the earliest first. Batched. */
export const loadTransfers = (ctx: Context, invoiceId: string): Promise<Row<'LedgerTransfer'>[]> =>
  loadRowsBy(ctx, 'LedgerTransfer', 'invoiceId', invoiceId, 'seq');
