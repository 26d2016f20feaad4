import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  createActiveSubscription,
  createSubscription,
  latestInvoice,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { rejection } from '../support/refusals.ts';

// The page of an invoice, which anyone who has its address can open.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'Quarry & Söhne');
});
afterAll(() => t.close());

async function hosted(subscriptionId: string): Promise<{ path: string; token: string }> {
  const { invoice } = await t.graphql<{ invoice: { hostedUrl: string } }>(
    'query ($id: ID!) { invoice(id: $id) { hostedUrl } }',
    { id: await latestInvoice(shop, subscriptionId) },
    { key: shop.key },
  );
  const { pathname } = new URL(invoice.hostedUrl);
  return { path: pathname, token: pathname.split('/').at(-1) ?? '' };
}

const get = (path: string): Promise<Response> => fetch(`${t.url}${path}`);

it('shows what is to be paid and where, without a script', async () => {
  const { id, token: checkout } = await createSubscription(shop);
  const { path } = await hosted(id);
  const page = await get(path);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(html).toContain('<h1>Invoice INV-0001</h1>');
  expect(html).toContain('<p>$49.00 · To be paid</p>');
  expect(html).toContain('Quarry &amp; Söhne');
  expect(html).toContain(`/checkout/${checkout}">Pay now</a>`);
  expect(html).toContain('>Download PDF</a>');
  expect(html).not.toContain('<script');
  expect(await (await get(`${path}?locale=es`)).text()).toContain('Por pagar');
});

it('offers no payment once it is paid', async () => {
  const { id } = await createActiveSubscription(shop);
  const { path, token } = await hosted(id);
  const html = await (await get(path)).text();
  expect(html).toContain('· Paid</p>');
  expect(html).not.toContain('Pay now');
  const shown = await t.graphql(
    'query ($token: String!) { hostedInvoice(token: $token) { payUrl locale invoice { status total lineItems { amount } } branding { name } seller { name } buyer { email } tax { amount } } }',
    { token },
    { key: null },
  );
  expect(shown).toEqual({
    hostedInvoice: {
      payUrl: null,
      locale: 'en',
      invoice: { status: 'paid', total: 4_900, lineItems: [{ amount: 4_900 }] },
      branding: { name: 'Quarry & Söhne' },
      seller: { name: 'Quarry & Söhne' },
      buyer: { email: expect.stringContaining('@shop.test') },
      tax: { amount: 0 },
    },
  });
});

it('is no page for a token of another one', async () => {
  const { token } = await createSubscription(shop);
  expect((await get(`/invoice/${token}`)).status).toBe(404);
  expect((await get('/invoice/a.b.c')).status).toBe(404);
  const query = 'query ($token: String!) { hostedInvoice(token: $token) { livemode } }';
  expect((await rejection(t, query, { token }, { key: null })).code).toBe('unauthorized');
});
