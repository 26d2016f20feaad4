import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createPayer,
  createPayment,
  firstShop,
  payLink,
  requested,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { customersWith } from '../support/links.ts';

// Concurrent requests for a payment link. The payment is made once or the link is canceled once, and each payer becomes one customer.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(async () => {
  const { ledgerVerify } = await t.graphql('{ ledgerVerify { ok mismatches { account } } }');
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
  await t.close();
});

type Paid = {
  payment: { status: string; invoice: { id: string } | null; transactions: { status: string }[] };
};

const paid = async (id: string) =>
  (
    await t.graphql<Paid>(
      'query ($id: ID!) { payment(id: $id) { status invoice { id } transactions { status } } }',
      { id },
    )
  ).payment;

test('a payment form that is submitted four times concurrently charges once and creates one customer', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, token } = await createPayment(shop);
    const email = `round${round}@payer.test`;
    const sent = await Promise.allSettled([1, 2, 3, 4].map(() => payLink(shop, token, { email })));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of sent)
      if (one.status === 'rejected') expect(String(one.reason)).toContain('no_outstanding_invoice');
    expect(await paid(id)).toMatchObject({ status: 'succeeded', transactions: [{ status: 'succeeded' }] });
    expect(await customersWith(shop, email)).toBe(1);
  }
});

test('a payment link with two concurrent payers is paid once', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, token } = await createPayment(shop);
    const emails = [`a${round}@payer.test`, `b${round}@payer.test`];
    const sent = await Promise.allSettled(emails.map((email) => payLink(shop, token, { email })));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await paid(id)).transactions).toEqual([{ status: 'succeeded' }]);
  }
});

test('concurrent payments of three links with one new email address create one customer (PAY-2)', async () => {
  for (let round = 0; round < 4; round++) {
    const email = `many${round}@payer.test`;
    const links = await Promise.all([1, 2, 3].map(() => createPayment(shop)));
    await Promise.all(links.map(({ token }) => payLink(shop, token, { email })));
    expect(await customersWith(shop, email)).toBe(1);
    const { body } = await shop.rest<{ data: { id: string; customerId: string }[] }>(
      'GET',
      '/payments?limit=3',
    );
    expect(new Set(body.data.map(({ customerId }) => customerId)).size).toBe(1);
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(links.map(({ id }) => id).toSorted());
  }
});

test('a payment link that is paid and canceled concurrently ends up either paid or canceled', async () => {
  for (let round = 0; round < 4; round++) {
    const { id, token } = await createPayment(shop);
    const cancel = shop.rest('POST', `/payments/${id}/cancel`);
    const [pay, canceled] = [
      await Promise.allSettled([payLink(shop, token, { email: `c${round}@payer.test` })]),
      await cancel,
    ];
    const { status, invoice, transactions } = await paid(id);
    if (pay[0]?.status === 'fulfilled') {
      expect([status, canceled.status, transactions]).toEqual(['succeeded', 409, [{ status: 'succeeded' }]]);
    } else {
      expect([status, canceled.status, transactions, invoice]).toEqual(['canceled', 200, [], null]);
    }
  }
});

test('concurrent charges to one customer all succeed', async () => {
  const { customerId } = await createPayer(shop);
  const charged = await Promise.all(
    [1, 2, 3].map(() => shop.rest('POST', '/payments/charge', requested({ customerId }))),
  );
  expect(charged.map(({ status }) => status)).toEqual([201, 201, 201]);
  const { body } = await shop.rest<{ data: { status: string }[] }>(
    'GET',
    `/payments?customerId=${customerId}`,
  );
  expect(body.data.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
});
