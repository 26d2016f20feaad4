import { createConsumer } from './consumers.ts';
import { attachFeature, createPlanGroup, type Shop } from './factories.ts';

// Creates customers with or without a plan grant for a higher plan.

/** Customer with a subscription to the lower of two metered plans. The plans share a feature, of which they include 10 and 100 units. */
export type Grantable = {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly basePlanId: string;
  /** ID of the higher plan in the plan group. */
  readonly planId: string;
  readonly featureCode: string;
};

/**
 * Creates a customer with an active subscription for 49.00 a month to the lower plan in a new group. `terms` are the terms of each plan's
 * usage feature.
 */
export async function createGrantable(
  shop: Shop,
  terms: { readonly base?: object; readonly target?: object; readonly type?: string } = {},
): Promise<Grantable> {
  const { id: planGroupId } = await createPlanGroup(shop);
  const base = { includedAmount: 10, ...terms.base };
  const { customerId, subscriptionId, planId, feature } = await createConsumer(shop, {
    plan: { planGroupId },
    terms: base,
    type: terms.type ?? 'usage',
  });
  const { body: higher } = await shop.rest<{ id: string }>('POST', '/plans', {
    name: 'Higher',
    code: shop.next('higher'),
    planGroupId,
  });
  await attachFeature(shop, higher.id, feature.id, { includedAmount: 100, ...terms.target });
  return { customerId, subscriptionId, basePlanId: planId, planId: higher.id, featureCode: feature.code };
}

/** Returns the request body for a plan grant of two cycles. */
export const grantBody = ({ subscriptionId, planId }: Pick<Grantable, 'subscriptionId' | 'planId'>) => ({
  subscriptionId,
  planId,
  reason: 'A trial of the higher plan.',
  duration: 'cycles',
  durationCycles: 2,
});

/** Creates a customer with an active plan grant of two cycles. */
export async function createGranted(shop: Shop): Promise<Grantable & { readonly grantId: string }> {
  const made = await createGrantable(shop);
  const { status, body } = await shop.rest<{ id: string }>(
    'POST',
    `/customers/${made.customerId}/plan-grants`,
    grantBody(made),
  );
  if (status !== 201) throw new Error(`A fixture was rejected with ${status}: ${JSON.stringify(body)}`);
  return { ...made, grantId: body.id };
}
