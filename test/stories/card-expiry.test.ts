import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  advanceDays,
  createSubscription,
  openPortal,
  otherShop,
  payment,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';

// A card that expires before the next charge causes an event, an email, and an attention item until it's replaced (BIL-4a).

let mail: MailServer;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({
    env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' },
  });
  shop = await otherShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

const card = (expMonth: number, expYear: number) => ({
  number: '4242424242424242',
  expMonth,
  expYear,
  cvc: '123',
});

const ask = <T>(query: string): Promise<T> => t.graphql<T>(query, {}, { key: shop.key });

/** A card that expires in the month before the subscription's first renewal. */
function expiring() {
  const last = new Date();
  last.setUTCDate(1);
  last.setUTCMonth(last.getUTCMonth() + 11);
  return card(last.getUTCMonth() + 1, last.getUTCFullYear());
}

const kinds = async (): Promise<string[]> => {
  const { events } = await ask<{ events: { nodes: { event: string }[] } }>(
    '{ events(first: 50, types: [payment_method_expiring]) { nodes { event } } }',
  );
  return events.nodes.map(({ event }) => event);
};

const attention = async (): Promise<{ kind: string; sample: { id: string }[] }[]> =>
  (
    await ask<{ attention: { kind: string; sample: { id: string }[] }[] }>(
      '{ attention { kind sample(first: 2) { id } } }',
    )
  ).attention.filter(({ kind }) => kind === 'expiring_card');

test("a yearly subscription's expiring card is announced once, and the attention item disappears when the card is replaced", async () => {
  const subscription = await createSubscription(shop, { billingInterval: 'yearly' });
  await t.graphql(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    { input: { ...payment(subscription.token), card: expiring() } },
    { key: null },
  );
  await advanceDays(shop, 330);
  expect(await kinds()).toEqual([]);
  expect(await attention()).toEqual([]);
  await advanceDays(shop, 7);
  expect(await kinds()).toEqual(['payment_method_expiring']);
  expect(await attention()).toEqual([{ kind: 'expiring_card', sample: [{ id: subscription.id }] }]);
  const isAboutCard = ({ subject }: { readonly subject?: string | undefined }): boolean =>
    /card.*expire/i.test(subject ?? '');
  await expect.poll(() => mail.notifications.filter(isAboutCard).length, { timeout: 20_000 }).toBe(1);

  const token = await openPortal(shop, subscription.customerId);
  await t.graphql(
    'mutation ($input: PortalPaymentMethodStoreInput!) { portalPaymentMethodStore(input: $input) { __typename } }',
    { input: { token, card: card(12, 2098) } },
    { key: null },
  );
  expect(await attention()).toEqual([]);
  await advanceDays(shop, 40);
  expect(await kinds()).toEqual(['payment_method_expiring']);
  expect(mail.notifications.filter(isAboutCard)).toHaveLength(1);
});
