import { QuittanceError } from '../../../domain/errors/errors.ts';
import {
  type AccessDetails,
  type CanUse,
  canUse,
  type FeatureAccess,
  featureAccess,
} from '../../../domain/usage/access.ts';
import type { BaseAccess } from '../../../domain/usage/plan-grant-terms.ts';
import { readFeatureAccess, withLimitReasons } from '../../../engine/usage/access.ts';
import { type Page, pageOfAll } from '../../../graphql/reading/connections.ts';
import { encodeCursor, newestFirst } from '../../../graphql/reading/cursors.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import { listRequest, type PageArguments } from '../../../graphql/reading/pages.ts';
import type { Position } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireAccessSubscription } from '../../subscriptions/active-addons/store.ts';
import { loadAccess } from '../../subscriptions/subscriptions/load-consumption.ts';
import { hasAccess } from '../../subscriptions/subscriptions/load-terms.ts';
import { loadCurrentSubscription } from '../../subscriptions/subscriptions/store.ts';

/**
 * Access to a feature, with the result of checking one more unit, and with the access that the customer would have without the active plan
 * grant.
 */
export type AccessShape = FeatureAccess & { readonly canUse: CanUse; readonly baseAccess: BaseAccess | null };

const shapeOf = (details: AccessDetails): AccessShape => ({
  ...featureAccess(details),
  canUse: canUse(details),
  baseAccess: details.base,
});

/** Default page size of feature lists. Large, so that clients that don't paginate still get all features. */
export const defaultSize = 1_000;

const compare = (a: Position, b: Position): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || Number(b.seq - a.seq);

type PlacedAccess = AccessShape & Position;

/** Returns a page of a subscription's features, newest first. Reads all features, because plans have few. */
async function pageOfAccess(
  ctx: Context,
  details: readonly AccessDetails[],
  args: PageArguments,
): Promise<Page<PlacedAccess>> {
  const request = listRequest({ model: 'Feature', order: newestFirst }, args, defaultSize);
  const placed = await Promise.all(
    details.map(async (held): Promise<PlacedAccess> => {
      const { createdAt, seq } = await loadExistingRow(ctx, 'Feature', held.feature.id);
      return { ...shapeOf(held), createdAt, seq };
    }),
  );
  return pageOfAll(placed.sort(compare), request, {
    cursorOf: (row) => encodeCursor(newestFirst, row),
    compare: (row, [createdAt, seq]) => compare(row, { createdAt, seq } as Position),
  });
}

/** Returns the access of a subscription's customer to each feature, with the limits that reject one more unit. Batched. */
const limitedAccess = async (
  ctx: Context,
  subscription: Parameters<typeof loadAccess>[1],
): Promise<AccessDetails[]> =>
  withLimitReasons(ctx, subscription.customerId, await loadAccess(ctx, subscription));

/** Lists a customer's access to each feature. Throws `customer_not_found` and `no_active_subscription`. */
export async function listAccess(
  ctx: Context,
  customerId: string,
  args: PageArguments,
): Promise<Page<PlacedAccess>> {
  const subscription = await requireAccessSubscription(ctx, customerId);
  return pageOfAccess(ctx, await limitedAccess(ctx, subscription), args);
}

/** Returns a customer's feature access, sorted by feature code. Empty if no subscription gives access. Batched. */
async function detailsOf(ctx: Context, customerId: string): Promise<AccessDetails[]> {
  const subscription = await loadCurrentSubscription(ctx, customerId);
  return subscription === null || !hasAccess(subscription) ? [] : limitedAccess(ctx, subscription);
}

/** Returns a page of a customer's feature access. Empty if no subscription gives access. Batched. */
export const loadAccessPage = async (
  ctx: Context,
  customerId: string,
  args: PageArguments,
): Promise<Page<PlacedAccess>> => pageOfAccess(ctx, await detailsOf(ctx, customerId), args);

/** Returns a customer's access to all features, sorted by feature code. Empty if no subscription gives access. Batched. */
export const loadAllAccess = async (ctx: Context, customerId: string): Promise<AccessShape[]> =>
  (await detailsOf(ctx, customerId)).map(shapeOf);

/**
 * Returns a customer's access to one feature. Throws `customer_not_found`, `no_active_subscription`, `feature_not_found`, and
 * `feature_not_in_plan` if neither the plan nor an add-on contains the feature.
 */
export async function findAccess(
  ctx: Context,
  { customerId, code }: { customerId: string; code: string },
): Promise<AccessShape> {
  const details = await readFeatureAccess(ctx, { customerId, featureCode: code });
  if (!('code' in details)) return shapeOf(details);
  throw new QuittanceError(details);
}
