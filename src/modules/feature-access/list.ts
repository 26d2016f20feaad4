import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import {
  type AccessDetails,
  type CanUse,
  canUse,
  type FeatureAccess,
  featureAccess,
} from '../../domain/usage/access.ts';
import type { BaseAccess } from '../../domain/usage/plan-grant-terms.ts';
import { readFeatureAccess } from '../../engine/usage/access.ts';
import { type Page, pageOfAll } from '../../graphql/connections.ts';
import { encodeCursor, newestFirst } from '../../graphql/cursors.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { listRequest, type PageArguments } from '../../graphql/pages.ts';
import type { Position } from '../../platform/db/rows.ts';
import { requireAccessSubscription } from '../active-addons/store.ts';
import { loadAccess } from '../subscriptions/load-consumption.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import { loadCurrentSubscription } from '../subscriptions/store.ts';

/** Access to a feature, with whether one unit more could be used, and what the plan alone gives while a plan grant widens it. */
export type AccessShape = FeatureAccess & { readonly canUse: CanUse; readonly baseAccess: BaseAccess | null };

const shapeOf = (details: AccessDetails): AccessShape => ({
  ...featureAccess(details),
  canUse: canUse(details),
  baseAccess: details.base,
});

/** Answered when no page is asked for, so that a client that never pages loses nothing. */
export const defaultSize = 1_000;

/** Below 0 for what comes before the other place, the newest first. */
const compare = (a: Position, b: Position): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || Number(b.seq - a.seq);

type PlacedAccess = AccessShape & Position;

/** A page of what a subscription holds, the feature created last first. A plan has few features, so that they are read at once. */
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

/** What a customer may do with each feature. Throws `customer_not_found` and `no_active_subscription`. */
export async function listAccess(
  ctx: Context,
  customerId: string,
  args: PageArguments,
): Promise<Page<PlacedAccess>> {
  const subscription = await requireAccessSubscription(ctx, customerId);
  return pageOfAccess(ctx, await loadAccess(ctx, subscription), args);
}

/** Every feature of the customer with this id, by code; none without access. Batched. */
async function detailsOf(ctx: Context, customerId: string): Promise<AccessDetails[]> {
  const subscription = await loadCurrentSubscription(ctx, customerId);
  return subscription === null || !hasAccess(subscription) ? [] : loadAccess(ctx, subscription);
}

/** A page of what the customer with this id may do; an empty one without access. Batched. */
export const loadAccessPage = async (
  ctx: Context,
  customerId: string,
  args: PageArguments,
): Promise<Page<PlacedAccess>> => pageOfAccess(ctx, await detailsOf(ctx, customerId), args);

/** What the customer with this id may do with every feature, by code; nothing without access. Batched. */
export const loadAllAccess = async (ctx: Context, customerId: string): Promise<AccessShape[]> =>
  (await detailsOf(ctx, customerId)).map(shapeOf);

/**
 * What a customer may do with one feature. Throws `customer_not_found`, `no_active_subscription`, `feature_not_found`, and
 * `feature_not_in_plan` for a feature that neither plan nor add-ons contain.
 */
export async function findAccess(
  ctx: Context,
  { customerId, code }: { customerId: string; code: string },
): Promise<AccessShape> {
  const details = await readFeatureAccess(ctx, { customerId, featureCode: code });
  if (!('code' in details)) return shapeOf(details);
  throw new QuittanceError(details);
}
