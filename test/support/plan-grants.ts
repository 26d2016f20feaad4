import { createConsumer } from './consumers.ts';
import { attachFeature, createPlanGroup, type Shop } from './factories.ts';

// Customers who may have, or have, access to a higher plan for a time.

/** A customer who pays for the lower of two metered plans, each with a feature of 10 and 100 included units. */
export type Grantable = {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly basePlanId: string;
  /** The higher plan of the group. */
  readonly planId: string;
  readonly featureCode: string;
};

/** A new customer, active at 49.00 a month on the lower plan of a new group of two; `terms` are those of the usage feature in either plan. */
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

/** What asks for a grant of two cycles. */
export const grantBody = ({ subscriptionId, planId }: Pick<Grantable, 'subscriptionId' | 'planId'>) => ({
  subscriptionId,
  planId,
  reason: 'A trial of the higher plan.',
  duration: 'cycles',
  durationCycles: 2,
});

/** A customer with an active grant of two cycles, and the grant's id. */
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
