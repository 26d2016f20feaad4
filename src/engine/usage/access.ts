import type { Rejection } from '../../domain/errors/errors.ts';
import { defaultRejection, specificRejection } from '../../domain/errors/errors.ts';
import { spansOf } from '../../domain/subscription/schedule/periods.ts';
import { type AccessDetails, nextLevel } from '../../domain/usage/access.ts';
import type { Subject, UsageBook } from '../../domain/usage/book.ts';
import { countId, noCount } from '../../domain/usage/counts.ts';
import { levelRejection } from '../../domain/usage/level-limits.ts';
import { checkLimits } from '../../domain/usage/limited-check.ts';
import { withMeterOf } from '../../domain/usage/metered-terms.ts';
import { movementNodes } from '../../domain/usage/movement-nodes.ts';
import type { PricedRequest } from '../../domain/usage/record.ts';
import { heldUsageFeatures } from '../../domain/usage/terms.ts';
import { noTokens } from '../../domain/usage/tokens.ts';
import type { Context } from '../../request/context.ts';
import { lookUpUsage, type UsageLookup } from './lookup.ts';
import { countedSoFar } from './total.ts';

/** Usage event with the value 1. */
const oneUnit: PricedRequest = {
  value: 1n,
  quantity: null,
  model: null,
  tokens: noTokens,
  inputIncludesCache: null,
  properties: [],
};

/**
 * Returns the data that determines access to a feature of any type, or the rejection if the customer has no
 * access (CON-53).
 */
export async function readFeatureAccess(
  ctx: Context,
  { customerId, featureCode }: UsageLookup,
): Promise<AccessDetails | Rejection> {
  const { details, book } = await lookUpUsage(ctx, { customerId, featureCode });
  const customer = details.customers.get(customerId);
  if (customer === undefined) return defaultRejection('customer_not_found', { param: 'customerId' });
  const subscription = details.subscriptions.get(customer.id);
  if (subscription === undefined) {
    return specificRejection('no_active_subscription', 'in_force', { param: 'customerId' });
  }
  const feature = details.features.get(featureCode);
  if (feature === undefined) return defaultRejection('feature_not_found', { param: 'code' });
  const plan = details.catalog.plans.get(subscription.planId);
  if (plan === undefined) throw new Error(`The plan ${subscription.planId} is not in the catalog.`);
  const holding = { plan, subscription, addons: details.addons.get(subscription.id) ?? [] };
  const held = heldUsageFeatures(details.catalog, holding, details.now).find(
    ({ feature: { id } }) => id === feature.id,
  );
  if (held === undefined)
    return specificRejection('feature_not_in_plan', 'by_code', {
      values: { code: featureCode },
      param: 'code',
    });
  const count =
    details.counts.get(countId(customer.id, feature.id)) ?? noCount(customer.id, feature.id, details.now);
  const { account, counter } = book.meterOf({ customer, subscription, plan, feature, terms: held.terms });
  const meter = { account, counter: await countedSoFar(ctx, counter) };
  const terms = withMeterOf(held.terms, meter.counter);
  const access = { ...held, terms, subscription, ...spansOf(subscription), meter, count };
  return { ...access, limitReason: reasonOf(book, { customer, subscription, plan, feature, terms }, access) };
}

type LimitedAccess = Omit<AccessDetails, 'limitReason'>;

/** Returns the error code with which a stored limit rejects one more unit. `null` if all limits accept it. */
function reasonOf(book: UsageBook, subject: Subject, access: LimitedAccess): string | null {
  const { feature, terms, customer, subscription } = subject;
  if (feature.type === 'boolean') return null;
  if (feature.type !== 'usage') {
    const { limits } = book.details;
    if (limits === null) return null;
    const change = { before: access.count.count, after: nextLevel(access) };
    const movement = { customer, subscription, featureCode: feature.code, ...change };
    return levelRejection(limits, movement, terms, book.now)?.code ?? null;
  }
  const nodes = movementNodes(book.limits, subject, null);
  const rejection = 'code' in nodes ? nodes : checkLimits(book, subject, nodes, oneUnit)?.rejection;
  return rejection?.code ?? null;
}

/** Returns true if the environment has, or had, limits or budgets. */
const hasLimits = (ctx: Context): Promise<boolean> =>
  ctx.once('has limits', async () => {
    const [row] = await ctx.sql<{ hasLimits: boolean }>(
      `SELECT "limitVersion" <> '' AS "hasLimits" FROM "EnvironmentCounter" WHERE "environmentId" = $1`,
    );
    return row?.hasLimits === true;
  });

/**
 * Returns the access of a customer to features with the error codes with which limits reject one more unit. Reads the limits of all features
 * and of concurrent calls together, and nothing else in an environment without limits.
 */
export async function withLimitReasons(
  ctx: Context,
  customerId: string,
  features: readonly AccessDetails[],
): Promise<AccessDetails[]> {
  if (features.length === 0 || !(await hasLimits(ctx))) return [...features];
  return Promise.all(
    features.map(async (access) => {
      const { feature, terms } = access;
      const { details, book } = await lookUpUsage(ctx, { customerId, featureCode: feature.code });
      const customer = details.customers.get(customerId);
      const subscription = customer === undefined ? undefined : details.subscriptions.get(customer.id);
      const plan = subscription === undefined ? undefined : details.catalog.plans.get(subscription.planId);
      if (customer === undefined || subscription === undefined || plan === undefined) return access;
      return {
        ...access,
        limitReason: reasonOf(book, { customer, subscription, plan, feature, terms }, access),
      };
    }),
  );
}
