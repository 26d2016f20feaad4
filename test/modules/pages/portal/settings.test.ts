import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActiveSubscription, openPortal, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'Settings');
});
afterAll(() => t.close());

const bearer = (token: string) => ({ key: null, headers: { authorization: `Bearer ${token}` } });
const offer = (portal: Record<string, boolean>) => t.settings({ portal }, shop.environmentId);

const refused: readonly (readonly [string, string])[] = [
  ['cancel', 'portalSubscriptionCancel(input: {}) { status }'],
  ['reactivate', 'portalSubscriptionReactivate(input: {}) { status }'],
  ['updateDetails', 'portalCustomerUpdate(input: { fullName: "Ada" }) { fullName }'],
  ['purchase', 'portalAddonActivate(input: { addonId: "add_none" }) { __typename }'],
];

test.each(refused)(
  'the portal rejects the action %s if the organization has turned it off',
  async (action, field) => {
    const { customerId } = await createActiveSubscription(shop);
    const token = await openPortal(shop, customerId);
    await offer({ [action]: false });
    const { portal } = await t.graphql<{ portal: { settings: Record<string, boolean> } }>(
      `{ portal { settings { ${action} } } }`,
      {},
      bearer(token),
    );
    expect(portal.settings).toEqual({ [action]: false });
    const { code, message } = await rejection(t, `mutation { ${field} }`, {}, bearer(token));
    expect([code, message]).toEqual([
      'forbidden',
      "This action isn't available in the customer portal. Contact the merchant.",
    ]);
    await offer({ [action]: true });
  },
);

test('the portal accepts a cancellation after the organization turns cancellations on again', async () => {
  const { customerId, id } = await createActiveSubscription(shop);
  const token = await openPortal(shop, customerId);
  await offer({ cancel: false });
  const cancel = 'mutation { portalSubscriptionCancel(input: {}) { canCancel } }';
  expect((await rejection(t, cancel, {}, bearer(token))).code).toBe('forbidden');
  // The organization allows cancellation again.
  await offer({ cancel: true });
  expect(await t.graphql(cancel, {}, bearer(token))).toEqual({
    portalSubscriptionCancel: { canCancel: false },
  });
  expect((await shop.rest('GET', `/subscriptions/${id}`)).status).toBe(200);
});
