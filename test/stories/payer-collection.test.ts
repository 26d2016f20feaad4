import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createCustomer,
  createPricedPlan,
  firstShop,
  openPortal,
  payment,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { advance, allEvents, expectLedgerBalanced, setClock, word } from '../support/stories.ts';

// Renewals that customers pay on a page, because no stored payment method can be charged (INS-24), through the public interfaces.

let mail: MailServer;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  mail = await startMailServer();
  t = await startApp({ env: { SMTP_URL: mail.url, SANDBOX_EMAILS: 'all', PUBLIC_URL: 'https://bill.test' } });
  shop = firstShop(t);
  await setClock(t, '2027-02-02T10:00:00Z');
});
afterAll(async () => {
  await t.close();
  await mail.close();
});

/** Waits for an email that contains a text, and returns its text. */
async function emailWith(wanted: string): Promise<string> {
  for (let count = 1; ; count++) {
    const found = (await mail.received(count)).find(({ text }) => text?.includes(wanted));
    if (found?.text !== undefined) return found.text.replaceAll('\u00a0', ' ');
  }
}

const setPolicy = (input: object) =>
  t.graphql<{ organizationUpdate: unknown }>(
    'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { collectByPayer collectionDueDays } }',
    { input },
    { key: t.liveKey },
  );

/** Subscribes a customer whose first invoice is paid outside Quittance. Returns the subscription and the customer. */
async function subscribed(): Promise<{ id: string; customerId: string }> {
  const plan = await createPricedPlan(shop, { price: 5_000 });
  const { id: customerId } = await createCustomer(shop);
  const { body } = await t.rest<{ id: string }>('POST', '/subscriptions', { customerId, planId: plan.id });
  const invoice = await latestInvoice(customerId);
  await t.rest('PATCH', `/invoices/${invoice?.id}/status`, { status: 'paid' });
  return { id: body.id, customerId };
}

type Invoice = Record<'id' | 'status' | 'payUrl' | 'payableUntil' | 'dueDate', string | null>;

const latestInvoice = async (customerId: string): Promise<Invoice | undefined> => {
  const { customer } = await t.graphql<{ customer: { invoices: { edges: { node: Invoice }[] } } }>(
    'query ($id: ID!) { customer(id: $id) { invoices(first: 1) { edges { node { id status dueDate payableUntil payUrl } } } } }',
    { id: customerId },
  );
  return customer.invoices.edges[0]?.node;
};

const tokenIn = (url: string | null | undefined): string | undefined => url?.split('/').at(-1);

const recover = (token: string | undefined, input: object) =>
  t.graphql<{ recoveryPay: { status: string } }>(
    'mutation ($input: RecoveryPayInput!) { recoveryPay(input: $input) { status } }',
    { input: { token, ...input } },
    { key: null },
  );

const statusOf = async (id: string): Promise<unknown> =>
  (await t.rest('GET', `/subscriptions/${id}`)).body['status'];

it('is off by default, and rejects due dates outside 0 to 60 days', async () => {
  expect(await t.graphql('{ organization { collectByPayer collectionDueDays } }')).toEqual({
    organization: { collectByPayer: false, collectionDueDays: 3 },
  });
  for (const collectionDueDays of [-1, 61]) {
    const { errors } = await t.graphqlFailure(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input: { collectByPayer: true, collectionDueDays } },
      { key: t.liveKey },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error' });
  }
  expect(await t.graphql('{ organization { collectByPayer collectionDueDays } }')).toEqual({
    organization: { collectByPayer: false, collectionDueDays: 3 },
  });
});

it('emails the customer a payment link, and the page and the portal accept the payment', async () => {
  expect(await setPolicy({ collectByPayer: true, collectionDueDays: 5 })).toEqual({
    organizationUpdate: { collectByPayer: true, collectionDueDays: 5 },
  });
  const { id, customerId } = await subscribed();
  const before = (await allEvents(t)).length;
  await advance(t, { frozenTime: '2027-03-03T12:00:00Z' });
  expect((await allEvents(t)).slice(before).map(word)).toEqual(['invoice.upcoming', 'invoice.created']);
  const invoice = await latestInvoice(customerId);
  expect(invoice).toMatchObject({
    status: 'outstanding',
    dueDate: '2027-03-07T00:00:00.000Z',
    payableUntil: '2027-03-08T06:00:00.000Z',
    payUrl: expect.stringMatching(/^https:\/\/bill\.test\/recover\//),
  });
  expect(await emailWith(invoice?.payUrl ?? '-')).toMatch(/Due date: March 7, 2027/);
  const { portal } = await t.graphql<{ portal: { invoices: { nodes: { payUrl: string | null }[] } } }>(
    'query ($token: String) { portal(token: $token) { invoices(first: 1) { nodes { payUrl } } } }',
    { token: await openPortal(shop, customerId) },
    { key: null },
  );
  expect(portal.invoices.nodes).toEqual([{ payUrl: invoice?.payUrl }]);
  const token = tokenIn(invoice?.payUrl);
  await expect(recover(token, { card: payment(null, '4000000000000002')['card'] })).rejects.toThrow();
  expect(await latestInvoice(customerId)).toEqual(invoice);
  expect(await statusOf(id)).toBe('active');
  expect(await recover(token, { card: payment(null)['card'] })).toEqual({ recoveryPay: { status: 'paid' } });
  expect(await latestInvoice(customerId)).toMatchObject({ status: 'paid', payUrl: null });
  await advance(t, { frozenTime: '2027-03-12T00:00:00Z' });
  expect(await statusOf(id)).toBe('active');
  await expectLedgerBalanced(t);
});

it('starts dunning with not_paid if the customer does not pay by the due date', async () => {
  await setPolicy({ collectionDueDays: 0 });
  const { id, customerId } = await subscribed();
  await advance(t, { frozenTime: '2027-04-13T05:59:00Z' });
  expect(await statusOf(id)).toBe('active');
  const before = (await allEvents(t)).length;
  await advance(t, { frozenTime: '2027-04-13T07:00:00Z' });
  expect((await allEvents(t)).slice(before).map(word)).toEqual([
    'payment.failed',
    'subscription.past_due',
    'customer.state_changed:past_due',
  ]);
  expect(await statusOf(id)).toBe('past_due');
  const { body: clock } = await t.rest<{ latestRun: { items: unknown[] } }>('GET', '/test-clock');
  expect(clock.latestRun.items).toMatchObject([{ kind: 'billing_cycle', outcome: 'declined' }]);
  const token = tokenIn((await latestInvoice(customerId))?.payUrl);
  expect(await recover(token, { card: payment(null)['card'] })).toEqual({ recoveryPay: { status: 'paid' } });
  expect(await statusOf(id)).toBe('active');
  await expectLedgerBalanced(t);
});
