import type { Context } from '../../context.ts';
import { batchedByColumns, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { readPayoutEntries } from './store.ts';

/** The transfers of an invoice, the earliest first. Batched. */
export const loadTransfers = (ctx: Context, invoiceId: string): Promise<Row<'LedgerTransfer'>[]> =>
  loadRowsBy(ctx, 'LedgerTransfer', 'invoiceId', invoiceId, 'seq');

/** The last `limit` changes of the available balance that a payout is made of, its own included, the latest first. Batched. */
export const loadPayoutEntries = (
  ctx: Context,
  payoutId: string,
  limit: number,
): Promise<Row<'LedgerTransfer'>[]> =>
  ctx.once(`payoutEntries:${limit}`, () =>
    batchedByColumns<Row<'LedgerTransfer'>[]>(async (ids) => {
      const entries = Map.groupBy(await readPayoutEntries(ctx.sql, ids, limit), (row) => row.payoutId);
      return (id) => entries.get(id) ?? [];
    }),
  )(payoutId, 'all');
