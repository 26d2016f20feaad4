import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  connectStripe,
  createCustomer,
  createLadder,
  createPricedPlan,
  requested,
  type Shop,
  shopOf,
} from '../../../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../../../support/harness.ts';

// A live environment without a payment provider rejects requests that would lead to a page without payment methods. Nothing changes.

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

/** Returns a rejected request's status, code, and details, and asserts that nothing changed. */
async function rejected(path: string, body: object): Promise<unknown> {
  const changes = await watchChanges(t.app.database.query);
  // The request has no idempotency key, so that no response is stored.
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

describe('an organization without a payment provider', () => {
  it("can't create checkouts, with or without a trial", async () => {
    for (const more of [{}, { provider: 'platform' }, { customTrialDays: 14 }]) {
      expect(await rejected('/subscriptions', { customerId, planId, ...more })).toEqual(nothing);
    }
  });

  it("can't create payment links, with or without a customer", async () => {
    for (const more of [{}, { customerId }])
      expect(await rejected('/payments', requested(more))).toEqual(nothing);
  });

  it('can create free subscriptions and subscriptions that start in the future', async () => {
    const { freeId, lowId } = await createLadder(shop);
    const { body } = await shop.rest<Body>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId: freeId,
    });
    expect(body).toMatchObject({ status: 'active' });
    expect(await rejected(`/subscriptions/${body.id}/payment-method/update`, {})).toEqual(nothing);
    // Plan changes that lead to a checkout are rejected as well.
    expect(await rejected(`/subscriptions/${body.id}/change-plan`, { newPlanId: lowId })).toEqual(nothing);
    const startDate = new Date(Date.now() + 40 * 86_400_000).toISOString();
    const later = await shop.rest<Body>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId,
      startDate,
    });
    expect([later.status, later.body.status]).toEqual([201, 'draft']);
  });

  it("can't charge a customer without a payment method", async () => {
    expect(await rejected('/payments/charge', { ...requested(), customerId })).toMatchObject({
      code: 'no_payment_method',
    });
  });
});

describe('an organization with a connected account', () => {
  it("can charge through its own account, but not through the platform's provider", async () => {
    await connectStripe(shop, { secretKey: 'sk_live_1', publishableKey: 'pk_live_1' });
    expect(await rejected('/subscriptions', { customerId, planId, provider: 'platform' })).toEqual(nothing);
    expect(await made('/subscriptions', { customerId, planId })).toBe(201);
    expect(await made('/payments', requested({ customerId }))).toBe(201);
    expect(await made('/payments', requested())).toBe(201);
  });
});
