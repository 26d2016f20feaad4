import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { amountOf } from '../../../domain/lots/account.ts';
import { poolOfAsset } from '../../../domain/pricing/pools.ts';
import type { MonthUse } from '../../../domain/rows/topup-rows.ts';
import { addDays } from '../../../domain/time/period.ts';
import { monthOf } from '../../../domain/topups/decide.ts';
import type { Page } from '../../../graphql/reading/connections.ts';
import { loadExistingRow, loadPageBy, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { PageArguments } from '../../../graphql/reading/pages.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { loadAccount } from '../subscriptions/load-consumption.ts';
import { loadCurrentSubscription, type SubscriptionRow } from '../subscriptions/store.ts';
import { attemptList } from './list.ts';

export type TopUpRow = Row<'AutoTopUp'>;

/** Returns the automatic top-ups of a customer in order of creation. Excludes removed ones. */
const findTopUps = (ctx: Context, customerId: string): Promise<TopUpRow[]> =>
  ctx.db.autoTopUp.findMany({ where: { customerId, removedAt: null }, orderBy: { seq: 'asc' } });

/**
 * Returns the automatic top-up of a customer's account. Throws `not_found` if it doesn't exist. Throws `validation_error` if no
 * asset is given and the customer has several top-ups.
 */
export async function requireTopUp(
  ctx: Context,
  reference: string,
  asset: string | null,
  path = '',
): Promise<TopUpRow> {
  const { id } = await requireCustomer(ctx, reference, `${path}customerId`);
  const all = await findTopUps(ctx, id);
  const [found, ...others] = asset === null ? all : all.filter((row) => row.asset === asset);
  if (found === undefined) throw specificError('not_found', 'auto_topup', { param: `${path}customerId` });
  if (others.length > 0)
    throw validationError([
      { field: `${path}asset`, message: 'is required because several accounts are topped up automatically' },
    ]);
  return found;
}

/** Returns the automatic top-ups of a customer in order of creation. Batched. */
export const loadTopUpsOf = (ctx: Context, customerId: string): Promise<TopUpRow[]> =>
  loadRowsBy(ctx, 'AutoTopUp', 'customerId', customerId, 'seq', { removedAt: null });

/** Returns a top-up by ID. Throws if it doesn't exist, which indicates a bug. */
export const loadTopUp = (ctx: Context, id: string): Promise<TopUpRow> =>
  loadExistingRow(ctx, 'AutoTopUp', id);

/** Returns the current subscription of a customer. Throws `customer_not_found` and `no_active_subscription`. */
export async function requireSubscriptionOf(
  ctx: Context,
  reference: string,
  path: string,
): Promise<SubscriptionRow> {
  const { id } = await requireCustomer(ctx, reference, `${path}customerId`);
  const subscription = await loadCurrentSubscription(ctx, id);
  if (subscription === null)
    throw specificError('no_active_subscription', 'in_force', { param: `${path}customerId` });
  return subscription;
}

/** Returns the top-up of a subscription's account after it was set. `null` selects the only account that is topped up. */
export async function requireSetTopUp(
  ctx: Context,
  subscriptionId: string,
  asset: string | null,
): Promise<TopUpRow> {
  const row = await ctx.db.autoTopUp.findFirst({
    where: { subscriptionId, removedAt: null, ...(asset === null ? {} : { asset }) },
    orderBy: { updatedAt: 'desc' },
  });
  if (row === null) throw new Error(`The subscription ${subscriptionId} has no automatic top-up.`);
  return row;
}

/** Returns the available amount of a top-up's account, in pool units. */
export async function loadAvailable(
  ctx: Context,
  { subscriptionId, asset }: Pick<TopUpRow, 'subscriptionId' | 'asset'>,
): Promise<bigint> {
  const subscription = await loadExistingRow(ctx, 'Subscription', subscriptionId);
  return amountOf(await loadAccount(ctx, subscription), poolOfAsset(asset));
}

/** Number of days that contain every calendar month. */
const monthDays = 33;

/** Returns the purchases of a top-up in the current calendar month of the customer's time zone. */
export async function loadMonthUse(
  ctx: Context,
  { id, customerId }: Pick<TopUpRow, 'id' | 'customerId'>,
): Promise<MonthUse> {
  const now = ctx.clock.now();
  const [{ timezone }, attempts] = await Promise.all([
    loadExistingRow(ctx, 'Customer', customerId),
    ctx.db.autoTopUpAttempt.findMany({
      where: {
        autoTopUpId: id,
        status: { in: ['processing', 'succeeded'] },
        createdAt: { gte: addDays(now, -monthDays) },
      },
    }),
  ]);
  return monthOf(attempts, timezone, now);
}

/** Returns a page of a top-up's attempts, newest first. Batched. */
export const loadAttempts = (
  ctx: Context,
  autoTopUpId: string,
  args: PageArguments,
): Promise<Page<Row<'AutoTopUpAttempt'>>> =>
  loadPageBy(ctx, attemptList, 'autoTopUpId', autoTopUpId, args, 'all', 'attempts');
