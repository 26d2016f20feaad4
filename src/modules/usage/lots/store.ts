import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { amountOf, isExpired, isOfKind } from '../../../domain/lots/account.ts';
import { usableCredits } from '../../../domain/lots/credits.ts';
import { assetOf, poolsOf } from '../../../domain/pricing/pools.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { loadOrganization } from '../../organization/organizations/store.ts';
import { loadAccount } from '../../subscriptions/subscriptions/load-consumption.ts';
import { hasAccess } from '../../subscriptions/subscriptions/load-terms.ts';
import {
  loadCurrentSubscription,
  requireSubscription,
  type SubscriptionRow,
} from '../../subscriptions/subscriptions/store.ts';

export type LotRow = Row<'Lot'>;

/** Lots of one asset, in draw order, and the sum of the lots that haven't expired. Usage or invoices draw on the lots. */
export type LotAccount = {
  readonly drawnBy: 'usage' | 'invoices';
  readonly asset: string;
  readonly amount: bigint;
  readonly lots: readonly LotRow[];
};

/** Returns a lot. Throws `not_found` if it doesn't exist. */
export async function requireLot(ctx: Context, id: string): Promise<LotRow> {
  const lot = await ctx.db.lot.findFirst({ where: { id } });
  if (lot === null) throw specificError('not_found', 'lot', { param: 'id' });
  return lot;
}

/**
 * Returns the subscription to which a lot is granted, and the IDs of the lot's features. Throws `customer_not_found`,
 * `subscription_not_found` if the customer doesn't have the subscription, `no_active_subscription` if no subscription
 * is given and the customer has none, and `feature_not_found`.
 */
export async function findGrantSubject(
  ctx: Context,
  input: {
    readonly customerId: string;
    readonly subscriptionId?: string | null | undefined;
    readonly features?: readonly string[] | null | undefined;
  },
  path: string,
): Promise<{ readonly id: string; readonly customerId: string; readonly features: readonly string[] }> {
  const { id: customerId } = await requireCustomer(ctx, input.customerId, `${path}customerId`);
  const subscription =
    input.subscriptionId == null
      ? await loadCurrentSubscription(ctx, customerId)
      : await requireSubscription(ctx, input.subscriptionId);
  if (subscription === null)
    throw specificError('no_active_subscription', 'in_force', { param: `${path}customerId` });
  if (subscription.customerId !== customerId)
    throw specificError('subscription_not_found', 'missing', {
      values: { missing: subscription.id },
      param: `${path}subscriptionId`,
    });
  const codes = [...new Set(input.features ?? [])];
  const features = await ctx.db.feature.findMany({ where: { code: { in: codes }, deletedAt: null } });
  const missing = codes.find((code) => !features.some((feature) => feature.code === code));
  if (missing !== undefined)
    throw specificError('feature_not_found', 'by_code', {
      values: { code: missing },
      param: `${path}features`,
    });
  return { id: subscription.id, customerId, features: features.map(({ id }) => id) };
}

/** Worth of a lot's remaining amount, in minor units of the currency in which the lot was paid. */
export type LotWorth = { readonly amountMinor: bigint; readonly currency: string };

/**
 * Returns the worth of a purchased lot's remaining amount: its share of the price before tax, rounded down (PRM-23).
 * `null` if the lot wasn't purchased. Batched.
 */
export async function loadWorth(
  ctx: Context,
  lot: Pick<LotRow, 'subscriptionId' | 'paidMinor' | 'amount' | 'remaining' | 'expiresAt' | 'endsWithWindow'>,
): Promise<LotWorth | null> {
  const { paidMinor, subscriptionId } = lot;
  if (paidMinor === null || subscriptionId === null) return null;
  const { currency } = await loadExistingRow(ctx, 'Subscription', subscriptionId, new Set(['currency']));
  const remaining = isExpired(lot, ctx.clock.now()) ? 0n : lot.remaining;
  return { amountMinor: (paidMinor * remaining) / lot.amount, currency };
}

/** Returns the worth of a purchased lot's remaining amount. Throws `validation_error` if the lot wasn't purchased. */
export async function requireRefund(ctx: Context, id: string): Promise<LotWorth> {
  const worth = await loadWorth(ctx, await requireLot(ctx, id));
  if (worth === null) throw validationError([{ field: 'id', message: 'must be the ID of a purchased lot' }]);
  return worth;
}

/** Returns the codes of features by ID. Batched. */
export const loadFeatureCodes = (ctx: Context, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await loadExistingRow(ctx, 'Feature', id)).code));

/**
 * Returns the pools of a subscription, in the order of the plan. Empty if the subscription doesn't give access, or if the
 * plan has no pool.
 */
export async function loadPools(ctx: Context, subscription: SubscriptionRow): Promise<LotAccount[]> {
  if (!hasAccess(subscription)) return [];
  const pools = poolsOf(await loadExistingRow(ctx, 'Plan', subscription.planId));
  if (pools.length === 0) return [];
  const account = await loadAccount(ctx, subscription);
  return pools.map(({ pool }) => ({
    drawnBy: 'usage',
    asset: assetOf(pool, subscription.currency),
    amount: amountOf(account, pool),
    lots: account.lots
      .filter((lot) => isOfKind(lot, pool) && !isExpired(lot, ctx.clock.now()))
      .map((lot) => ({ ...lot, seq: lot.seq ?? 0n, environmentId: ctx.environment.id })),
  }));
}

/** Returns the pools of a customer's current subscription. */
export async function loadCurrentPools(ctx: Context, customerId: string): Promise<LotAccount[]> {
  const subscription = await loadCurrentSubscription(ctx, customerId);
  return subscription === null ? [] : loadPools(ctx, subscription);
}

/** Returns a customer's credits by currency, in the order in which invoices draw on them. */
async function loadCredits(ctx: Context, customerId: string): Promise<LotAccount[]> {
  const lots = await ctx.db.lot.findMany({
    where: { customerId, subscriptionId: null, isOpen: true },
    orderBy: { seq: 'asc' },
  });
  if (lots.length === 0) return [];
  const { creditOrder } = await loadOrganization(ctx);
  return [...new Set(lots.map(({ asset }) => asset))].sort().flatMap((asset): LotAccount[] => {
    const usable = usableCredits(lots, asset, ctx.clock.now(), creditOrder);
    const rows = usable.flatMap(({ id }) => lots.find((lot) => lot.id === id) ?? []);
    const amount = rows.reduce((sum, { remaining }) => sum + remaining, 0n);
    return rows.length === 0 ? [] : [{ drawnBy: 'invoices', asset, amount, lots: rows }];
  });
}

/** Returns the pools of a customer's current subscription, and the customer's credits (PRM-141). */
export const loadAccounts = async (ctx: Context, customerId: string): Promise<LotAccount[]> => [
  ...(await loadCurrentPools(ctx, customerId)),
  ...(await loadCredits(ctx, customerId)),
];
