import DataLoader from 'dataloader';
import { specificError } from '../../../domain/errors/errors.ts';
import type { CommitmentTerms } from '../../../domain/rows/purchase-rows.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import { loadPageBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import { commitmentList } from './list.ts';

type CommitmentRow = Row<'Lot'> & { readonly subscriptionId: string };

const isCommitment = (lot: Row<'Lot'> | null): lot is CommitmentRow =>
  lot !== null && lot.commitment !== null && lot.subscriptionId !== null;

/** Returns the terms of a commitment's lot. Throws for other lots, which indicates a bug. */
export function termsOf({ commitment }: { readonly commitment: CommitmentTerms | null }): CommitmentTerms {
  if (commitment === null) throw new Error('The lot is no commitment.');
  return commitment;
}

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

/**
 * Returns the amount that usage and invoices drew from a commitment, without returned amounts and including the overdraft that the
 * commitment offset. Lookups are batched.
 */
export function loadDrawn(ctx: Context, id: string): Promise<bigint> {
  const loader = ctx.once(
    'commitment:drawn',
    () =>
      new DataLoader<string, bigint>(async (ids) => {
        const sums = await ctx.sql<{ readonly lotId: string; readonly drawn: bigint }>(
          `SELECT "lotId", -sum(amount)::bigint AS drawn FROM "ConsumptionEntry"
           WHERE "environmentId" = $1 AND "lotId" = ANY($2) AND type IN ('consumption', 'return', 'applied', 'reversed') GROUP BY "lotId"`,
          [ids],
        );
        const found = new Map(sums.map(({ lotId, drawn }) => [lotId, drawn]));
        return ids.map((lotId) => found.get(lotId) ?? 0n);
      }),
  );
  return loader.load(id);
}

/**
 * Returns the running commitments of a subscription, the next to end first. Up to 50. Empty if the subscription doesn't give
 * access.
 */
export async function loadRunning(
  ctx: Context,
  subscription: Pick<Row<'Subscription'>, 'id' | 'status'>,
): Promise<Row<'Lot'>[]> {
  if (!hasAccess(subscription)) return [];
  return ctx.db.lot.findMany({
    where: {
      subscriptionId: subscription.id,
      source: 'commitment',
      isOpen: true,
      expiresAt: { gt: ctx.clock.now() },
    },
    orderBy: [{ expiresAt: 'asc' }, { seq: 'asc' }],
  });
}
