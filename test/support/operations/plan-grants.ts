import { createActiveSubscription, createPlanGroup, createSubscription } from '../factories.ts';
import { createGrantable, createGranted, type Grantable, grantBody } from '../plan-grants.ts';
import { noId, perShop, unsubscribed } from './shared.ts';
import type { ModuleOperations, Request } from './types.ts';

/** Returns a request to create a plan grant. `changes` override the defaults. */
const grantOf = (made: Grantable, changes: object = {}): Request => ({
  path: { id: made.customerId },
  body: { ...grantBody(made), ...changes },
});

const grantable = perShop((shop) => createGrantable(shop));
const granted = perShop((shop) => createGranted(shop));

const openEnded = { reason: 'None.', duration: 'until_revoked' };

export const operations: ModuleOperations = {
  requests: {
    'GET /customers/{id}/plan-grants': async (shop) => {
      const { customerId: id, grantId } = await createGranted(shop);
      // Ends the grant, because a subscription can have only one active grant.
      await shop.rest('POST', `/customers/${id}/plan-grants/${grantId}/revoke`, { reason: 'Over.' });
      return { path: { id } };
    },
    'POST /customers/{id}/plan-grants': async (shop) => {
      const made = await createGrantable(shop);
      return { path: { id: made.customerId }, body: grantBody(made) };
    },
    'PATCH /customers/{id}/plan-grants/{grantId}': async (shop) => {
      const { customerId: id, grantId } = await createGranted(shop);
      return {
        path: { id, grantId },
        body: { reason: 'Until the fair.', duration: 'until_date', expiresAt: '2099-05-01T12:00:00Z' },
      };
    },
    'POST /customers/{id}/plan-grants/{grantId}/revoke': async (shop) => {
      const { customerId: id, grantId } = await createGranted(shop);
      return { path: { id, grantId }, body: { reason: 'Given by mistake.' } };
    },
  },
  provocations: {
    'GET /customers/{id}/plan-grants': { customer_not_found: noId({ id: 'cus_none' }) },
    'POST /customers/{id}/plan-grants': {
      customer_not_found: noId(
        { id: 'cus_none' },
        grantBody({ subscriptionId: 'sub_none', planId: 'pln_none' }),
      ),
      subscription_not_found: async (shop) => ({
        path: { id: (await unsubscribed(shop)).id },
        body: grantBody({ subscriptionId: (await createActiveSubscription(shop)).id, planId: 'pln_none' }),
      }),
      plan_not_found: async (shop) => grantOf(await grantable(shop), { planId: 'pln_none' }),
      plans_not_in_same_group: async (shop) =>
        grantOf(await grantable(shop), { planId: (await createPlanGroup(shop, 1)).planIds[0] }),
      duplicate: async (shop) => grantOf(await granted(shop)),
      subscription_not_active: async (shop) => {
        const { id: subscriptionId, customerId } = await createSubscription(shop);
        return { path: { id: customerId }, body: grantBody({ subscriptionId, planId: 'pln_none' }) };
      },
    },
    'PATCH /customers/{id}/plan-grants/{grantId}': {
      customer_not_found: noId({ id: 'cus_none', grantId: 'pgr_none' }, openEnded),
      not_found: async (shop) => ({
        path: { id: (await unsubscribed(shop)).id, grantId: (await granted(shop)).grantId },
        body: openEnded,
      }),
    },
    'POST /customers/{id}/plan-grants/{grantId}/revoke': {
      customer_not_found: noId({ id: 'cus_none', grantId: 'pgr_none' }, { reason: 'None.' }),
      not_found: async (shop) => {
        const { customerId: id, grantId } = await createGranted(shop);
        await shop.rest('POST', `/customers/${id}/plan-grants/${grantId}/revoke`, { reason: 'None.' });
        return { path: { id, grantId }, body: { reason: 'None.' } };
      },
    },
  },
};
