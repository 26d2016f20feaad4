import { batchedByColumns, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { readPayoutEntries } from './store.ts';

/** Returns the transfers for an invoice, oldest first. Lookups are batched. */
export const loadTransfers = (ctx: Context, invoiceId: string): Promise<Row<'LedgerTransfer'>[]> =>
  loadRowsBy(ctx, 'LedgerTransfer', 'invoiceId', invoiceId, 'seq');

/**
 * Returns up to `limit` of the latest balance changes that make up a payout, including the payout itself, newest first.
 * Lookups are batched.
 */
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
