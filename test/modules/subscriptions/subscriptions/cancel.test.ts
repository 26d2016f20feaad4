import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rejection } from '../../../support/refusals.ts';
import { now, openShop, type Shop } from './shop.ts';

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const cancel = 'mutation ($input: SubscriptionCancelInput!) { subscriptionCancel(input: $input) { id } }';
const uncancel =
  'mutation ($input: SubscriptionUncancelInput!) { subscriptionUncancel(input: $input) { id } }';
const end = '2026-04-30T00:00:00.000Z';

describe('subscriptionCancel', () => {
  it('cancels a paid subscription at the end of the period, and can be undone until then', async () => {
    const { subscriptionId: id } = await shop.activeCustomer();
    const { status, body } = await shop.rest('POST', `/subscriptions/${id}/cancel`, { reason: 'too dear' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      cancellation: { scheduledAt: now.toISOString(), reason: 'too dear', effectiveAt: end },
      endDate: end,
      nextBillingDate: null,
    });
    expect(await rejection(shop, cancel, { input: { id } })).toMatchObject({
      code: 'already_scheduled',
      status: 409,
    });
    const undone = await shop.rest('POST', `/subscriptions/${id}/uncancel`);
    expect(undone).toMatchObject({
      status: 200,
      body: {
        status: 'active',
        cancelAtPeriodEnd: false,
        cancellation: null,
        endDate: null,
        nextBillingDate: end,
      },
    });
    expect(await rejection(shop, uncancel, { input: { id } })).toMatchObject({
      code: 'not_scheduled_for_cancellation',
      status: 409,
    });
  });

  it('cancels a subscription and ends access immediately if requested', async () => {
    const { subscriptionId: id } = await shop.activeCustomer();
    const { body } = await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(body).toMatchObject({
      status: 'canceled',
      cancelAtPeriodEnd: false,
      endDate: now.toISOString(),
      nextBillingDate: null,
    });
    expect(await rejection(shop, cancel, { input: { id } })).toMatchObject({
      code: 'subscription_already_canceled',
      status: 409,
    });
    expect(await rejection(shop, uncancel, { input: { id } })).toMatchObject({
      code: 'subscription_already_canceled',
      status: 409,
    });
  });

  it("voids an open checkout's invoice and closes the checkout's URL", async () => {
    const made = await shop.subscribe({ customerId: await shop.customer(), planId: shop.proId });
    const { body } = await shop.rest('POST', `/subscriptions/${made.id}/cancel`);
    expect(body).toMatchObject({ status: 'canceled', checkoutUrl: null });
    const invoices = await shop.rest('GET', `/invoices?subscriptionId=${made.id}`);
    expect(invoices.body).toMatchObject({ data: [{ status: 'void', total: 3400 }] });
  });

  it('rejects an unknown subscription', async () => {
    expect(await rejection(shop, cancel, { input: { id: 'sub_none' } })).toMatchObject({
      code: 'subscription_not_found',
      status: 404,
    });
  });
});
