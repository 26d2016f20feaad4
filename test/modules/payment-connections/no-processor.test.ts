import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../support/changes.ts';
import {
  connectStripe,
  createCustomer,
  createLadder,
  createPricedPlan,
  requested,
  type Shop,
  shopOf,
} from '../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../support/harness.ts';

// A live environment that can charge nobody yet: what would end at a page that takes no card is rejected when it is made, and changes nothing.

type Body = {
  readonly id: string;
  readonly status?: string;
  readonly error?: { readonly code: string; readonly details?: unknown };
};

let t: TestApp;
let shop: Shop;
let planId: string;
let customerId: string;
beforeAll(async () => {
  t = await startApp();
  const { liveKey, liveId } = await newTenant(t.app, 'Live');
  shop = shopOf(t, liveKey, liveId);
  planId = (await createPricedPlan(shop)).id;
  customerId = (await createCustomer(shop)).id;
});
afterAll(() => t.close());

/** The status and the error of a call that must be rejected and change nothing. */
async function rejected(path: string, body: object): Promise<unknown> {
  const changes = await watchChanges(t.app.database.query);
  // Without an idempotency key, whose answer would be kept.
  const response = await fetch(`${t.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': shop.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(await changes()).toEqual([]);
  const { error } = (await response.json()) as Body;
  return { status: response.status, code: error?.code, details: error?.details };
}

const nothing = { status: 409, code: 'provider_unsupported', details: { reason: 'no_live_processor' } };
const made = async (path: string, body: object): Promise<number> =>
  (await shop.rest('POST', path, body)).status;

describe('without any processor', () => {
  it('no checkout is opened, with or without a trial', async () => {
    for (const more of [{}, { provider: 'platform' }, { customTrialDays: 14 }]) {
      expect(await rejected('/subscriptions', { customerId, planId, ...more })).toEqual(nothing);
    }
  });

  it('no payment link is made, for a customer or for anybody', async () => {
    for (const more of [{}, { customerId }])
      expect(await rejected('/payments', requested(more))).toEqual(nothing);
  });

  it('a free plan, and one that begins later, can be subscribed to', async () => {
    const { freeId, lowId } = await createLadder(shop);
    const { body } = await shop.rest<Body>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId: freeId,
    });
    expect(body).toMatchObject({ status: 'active' });
    expect(await rejected(`/subscriptions/${body.id}/payment-method/update`, {})).toEqual(nothing);
    // Neither does it move to a plan whose checkout nobody could pay.
    expect(await rejected(`/subscriptions/${body.id}/change-plan`, { newPlanId: lowId })).toEqual(nothing);
    const startDate = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const later = await shop.rest<Body>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId,
      startDate,
    });
    expect([later.status, later.body.status]).toEqual([201, 'draft']);
  });

  it('a charge is rejected for want of a method, as ever', async () => {
    expect(await rejected('/payments/charge', { ...requested(), customerId })).toMatchObject({
      code: 'no_payment_method',
    });
  });
});

describe('with an account of the organization', () => {
  it('all of it can be made, but for what names the platform', async () => {
    await connectStripe(shop, { secretKey: 'sk_live_1', publishableKey: 'pk_live_1' });
    expect(await rejected('/subscriptions', { customerId, planId, provider: 'platform' })).toEqual(nothing);
    expect(await made('/subscriptions', { customerId, planId })).toBe(201);
    expect(await made('/payments', requested({ customerId }))).toBe(201);
    expect(await made('/payments', requested())).toBe(201);
  });
});
