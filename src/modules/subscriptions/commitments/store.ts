import { specificError } from '../../../domain/errors/errors.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { commitmentList } from './list.ts';

type CommitmentRow = Row<'Lot'> & { readonly subscriptionId: string };

const isCommitment = (lot: Row<'Lot'> | null): lot is CommitmentRow =>
  lot !== null && lot.commitment !== null && lot.subscriptionId !== null;

/** Returns a commitment. Throws `not_found` if it doesn't exist. */
export async function requireCommitment(ctx: Context, id: string): Promise<CommitmentRow> {
  const lot = await ctx.db.lot.findFirst({ where: { id } });
  if (!isCommitment(lot)) throw specificError('not_found', 'commitment', { param: 'id' });
  return lot;
}

/** Returns the commitment that an invoice paid for. Throws if no commitment was found, which indicates a bug. */
export async function requirePaidCommitment(ctx: Context, invoiceId: string): Promise<Row<'Lot'>> {
  const lot = await ctx.db.lot.findFirst({ where: { sourceId: invoiceId, source: 'commitment' } });
  if (lot === null) throw new Error(`The invoice ${invoiceId} paid for no commitment.`);
  return lot;
}

/** Returns a page of a subscription's commitments, newest first. Batched. */
export const loadCommitments = (
  ctx: Context,
  subscriptionId: string,
  args: PageArguments,
): Promise<Page<Row<'Lot'>>> =>
  loadPageBy(ctx, commitmentList, 'subscriptionId', subscriptionId, args, 'all', 'commitments');
