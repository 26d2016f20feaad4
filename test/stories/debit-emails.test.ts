import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createCustomer,
  createDebit,
  createPricedPlan,
  firstShop,
  openPortal,
  type Shop,
  setCurrency,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { advance, setClock } from '../support/stories.ts';

// Emails about the mandate of a SEPA debit, about a renewal before its collection, and about the revoked mandate (INS-25, INS-63).

let mail: MailServer;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' } });
  shop = firstShop(t);
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

/** Waits for an email that contains a text. Returns its subject and text. */
async function emailWith(wanted: string): Promise<string> {
  for (let count = 1; ; count++) {
    const texts = (await mail.received(count)).map(({ subject, text }) => `${subject}\n${text}`);
    const found = texts.find((text) => text.includes(wanted));
    if (found !== undefined) return found.replaceAll('\u00a0', ' ');
  }
}

it('a customer who pays by SEPA debit receives emails about the mandate, the renewal, and the revoked mandate', async () => {
  await setClock(t, '2027-02-02T10:00:00Z');
  const plan = await createPricedPlan(shop, { price: 5_831 });
  await setCurrency(shop, plan.id, 'eur', 1);
  const { id: customerId } = await createCustomer(shop, 'DE');
  const { body } = await t.rest<{ id: string; checkoutUrl: string }>('POST', '/subscriptions', {
    customerId,
    planId: plan.id,
  });
  await t.graphql(
    'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
    {
      input: {
        token: body.checkoutUrl.split('/').at(-1),
        paymentMethod: 'tok_sandbox_sepa_debit_settles_3000',
        billingAddress: { line1: '1 Main St', city: 'Berlin', postalCode: '10115', country: 'DE' },
      },
    },
    { key: null },
  );
  const accepted = await emailWith('direct debit mandate');
  expect(accepted).toContain('Bank account: •••• 3000');
  const reference = /Mandate reference: (\S+)/.exec(accepted)?.[1];
  await advance(t, { frozenTime: '2027-03-02T12:00:00Z' });
  const notice = await emailWith('Upcoming debit by');
  expect(notice).toContain('will debit €58.31 from your bank account on March 4, 2027.');
  expect(notice).toContain(`Mandate reference: ${reference}`);
  const token = await openPortal(shop, customerId);
  const { portal } = await t.graphql<{ portal: { paymentMethods: { mandate: { mandateId: string } }[] } }>(
    'query ($token: String) { portal(token: $token) { paymentMethods { mandate { mandateId isActive } } } }',
    { token },
    { key: null },
  );
  const { portalMandateRevoke } = await t.graphql<{ portalMandateRevoke: unknown }>(
    'mutation ($input: PortalMandateRevokeInput!) { portalMandateRevoke(input: $input) { paymentMethods { mandate { isActive } } } }',
    { input: { token, mandateId: portal.paymentMethods[0]?.mandate.mandateId } },
    { key: null },
  );
  expect(portalMandateRevoke).toEqual({ paymentMethods: [{ mandate: { isActive: false } }] });
  expect(await emailWith('Add a payment method')).toContain('because the mandate ended');
  const [mandate] = (
    await t.graphql<{ customer: { mandates: unknown[] } }>(
      'query ($id: ID!) { customer(id: $id) { mandates { status endedBy reason reference } } }',
      { id: customerId },
    )
  ).customer.mandates;
  expect(mandate).toEqual({ status: 'revoked', endedBy: 'customer', reason: null, reference });
});

it('the mandate of another customer is not found in the portal', async () => {
  const { mandateId } = await createDebit(shop);
  const other = await createCustomer(shop);
  const { errors } = await t.graphqlFailure(
    'mutation ($input: PortalMandateRevokeInput!) { portalMandateRevoke(input: $input) { livemode } }',
    { input: { token: await openPortal(shop, other.id), mandateId } },
    { key: null },
  );
  expect(errors[0]?.extensions).toMatchObject({ code: 'not_found' });
});
