import type { Context } from '../../context.ts';
import { type AccessFacts, type CanUse, canUse, type FeatureAccess, featureAccess } from '../../domain/consumption/access.ts';
import type { BaseAccess } from '../../domain/consumption/plan-grant-terms.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { readFeatureAccess } from '../../engine/usage/access.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { type Page, type PageArguments, pageOf, pageRequest } from '../../graphql/pagination.ts';
import type { Position } from '../../infra/rows.ts';
import { requireAccessSubscription } from '../active-addons/service.ts';
import { loadAccess } from '../subscriptions/consumption.ts';
import { loadCurrentSubscription } from '../subscriptions/service.ts';
import { hasAccess } from '../subscriptions/terms.ts';

/** Access to a feature, with whether one unit more could be used, and what the plan alone gives while a plan grant widens it. */
export type AccessShape = FeatureAccess & { readonly canUse: CanUse; readonly baseAccess: BaseAccess | null };

const shapeOf = (facts: AccessFacts): AccessShape => ({ ...featureAccess(facts), canUse: canUse(facts), baseAccess: facts.base });

/** Answered when no page is asked for, so that a client that never pages loses nothing (protocols C6). */
export const defaultSize = 1_000;

const newestFirst = (a: Position, b: Position): number => b.createdAt.getTime() - a.createdAt.getTime() || Number(b.seq - a.seq);

/** A page of what a subscription holds, the feature created last first. A plan has few features, so that they are read at once. */
async function pageOfAccess(context: Context, facts: readonly AccessFacts[], args: PageArguments): Promise<Page<AccessShape & Position>> {
  const { size, after } = pageRequest(args, defaultSize);
  const placed = await Promise.all(
    facts.map(async (held) => {
      const { createdAt, seq } = await loadExistingRow(context, 'Feature', held.feature.id);
      return { held, createdAt, seq };
    }),
  );
  const rest = placed.sort(newestFirst).filter((row) => after === null || newestFirst(after, row) < 0);
  return pageOf(
    rest.slice(0, size + 1).map(({ held, createdAt, seq }) => ({ ...shapeOf(held), createdAt, seq })),
    size,
  );
}

/** What a customer may do with each feature. Throws `customer_not_found` and `no_active_subscription`. */
export async function listAccess(context: Context, customerId: string, args: PageArguments): Promise<Page<AccessShape & Position>> {
  const subscription = await requireAccessSubscription(context, customerId);
  return pageOfAccess(context, await loadAccess(context, subscription), args);
}

/** Every feature of the customer with this id, by code; none without access. Batched. */
async function factsOf(context: Context, customerId: string): Promise<AccessFacts[]> {
  const subscription = await loadCurrentSubscription(context, customerId);
  return subscription === null || !hasAccess(subscription) ? [] : loadAccess(context, subscription);
}

/** A page of what the customer with this id may do; an empty one without access. Batched. */
export const loadAccessPage = async (context: Context, customerId: string, args: PageArguments): Promise<Page<AccessShape & Position>> =>
  pageOfAccess(context, await factsOf(context, customerId), args);

/** What the customer with this id may do with every feature, by code; nothing without access. Batched. */
export const loadAllAccess = async (context: Context, customerId: string): Promise<AccessShape[]> =>
  (await factsOf(context, customerId)).map(shapeOf);

/**
 * What a customer may do with one feature. Throws `customer_not_found`, `no_active_subscription`, `feature_not_found`, and
 * `feature_not_in_plan` for a feature that neither plan nor add-ons contain.
 */
export async function findAccess(context: Context, { customerId, code }: { customerId: string; code: string }): Promise<AccessShape> {
  const facts = await readFeatureAccess(context, { customerId, featureCode: code });
  if (!('code' in facts)) return shapeOf(facts);
  throw new QuittanceError(facts.code, facts.message, { param: facts.param, details: facts.details });
}
