import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPayment, otherShop, payLink, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Email addresses are case-insensitive (PLT-20a).

type Customer = { readonly id: string; readonly email: string };
type Connection<T> = { readonly edges: readonly { readonly node: T }[] };

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'A shop with one customer');
});
afterAll(() => t.close());

const customers = async (): Promise<readonly string[]> =>
  (await shop.rest<{ data: Customer[] }>('GET', '/customers?limit=100')).body.data.map(({ email }) => email);
const ask = <T>(query: string, variables: object) => t.graphql<T>(query, { ...variables }, { key: shop.key });

test.each([
  ['Hello@Website.nl', 'hello@website.nl', 'HELLO@WEBSITE.NL'],
  ['ÜNÏ.Ω@München.test', 'üni\u0308.ω@münchen.test', 'Üni\u0308.\u2126@MÜNCHEN.test'],
])(
  'the email address lookup matches %s ignoring case, for payments, lists, and portal sessions',
  async (email, lower, other) => {
    const { id } = (await shop.rest<Customer>('POST', '/customers', { email })).body;
    const before = await customers();
    expect(before).toContain(email);
    for (const spelling of [lower, other]) {
      const { id: paymentId, token } = await createPayment(shop);
      expect(await payLink(shop, token, { email: spelling })).toBe('paid');
      expect((await shop.rest('GET', `/payments/${paymentId}`)).body).toMatchObject({ customerId: id });
      expect((await shop.rest('POST', '/portal/sessions', { email: spelling })).status).toBe(200);
    }
    const paid = await ask<{ transactions: Connection<{ customerEmail: string }> }>(
      'query ($email: String) { transactions(customerEmail: $email) { edges { node { customerEmail } } } }',
      { email: other },
    );
    expect(paid.transactions.edges).toEqual([
      { node: { customerEmail: email } },
      { node: { customerEmail: email } },
    ]);
    expect(await customers()).toEqual(before);
  },
);

test('the email address lookup selects the oldest customer for a payment link (PAY-2) and the newest customer for a portal session', async () => {
  const [oldest, newest] = [
    (await shop.rest<Customer>('POST', '/customers', { email: 'Twice@shop.test' })).body,
    (await shop.rest<Customer>('POST', '/customers', { email: 'tWICE@shop.test' })).body,
  ];
  const { id: paymentId, token } = await createPayment(shop);
  expect(await payLink(shop, token, { email: 'twice@shop.test' })).toBe('paid');
  expect((await shop.rest('GET', `/payments/${paymentId}`)).body).toMatchObject({ customerId: oldest.id });
  expect((await shop.rest('POST', '/portal/sessions', { email: 'TWICE@shop.test' })).status).toBe(200);
  expect(
    await t.app.database.query(
      'SELECT "customerId" FROM "PortalSession" WHERE "environmentId" = $1 AND "customerId" = ANY($2)',
      [shop.environmentId, [oldest.id, newest.id]],
    ),
  ).toEqual([{ customerId: newest.id }]);
});

test('an email address whose capitalization changes is stored as entered', async () => {
  const { id } = (await shop.rest<Customer>('POST', '/customers', { email: 'mary@shop.test' })).body;
  const { body } = await shop.rest<Customer>('PATCH', `/customers/${id}`, {
    email: 'Mary.Poppins@Shop.test',
  });
  expect(body.email).toBe('Mary.Poppins@Shop.test');
  expect((await shop.rest('POST', '/portal/sessions', { email: 'MARY.POPPINS@shop.test' })).status).toBe(200);
  expect((await shop.rest('POST', '/portal/sessions', { email: 'mary@shop.test' })).status).toBe(404);
});
