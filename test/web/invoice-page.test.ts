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

const textOf = (html: string): string =>
  html
    .replace(/[\s\S]*<div id="root">/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

it('the invoice page shows the amount and the payment link without scripts', async () => {
  const { id, token: checkout } = await createSubscription(shop);
  const { path } = await hosted(id);
  const page = await get(path);
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toContain('<title>Invoice INV-0001 – Quarry &amp; Söhne</title>');
  expect(textOf(html)).toMatch(
    /Quarry &amp; Söhne Sandbox Invoice INV-0001 \$49\.00 Outstanding\. Issued on \w+ \d+, \d+\. Due on \w+ \d+, \d+\. .+ \$49\.00 Total \$49\.00 Pay \$49\.00 Download PDF/,
  );
  expect(html).toMatch(
    new RegExp(`<a[^>]* href="[^"]+/checkout/${RegExp.escape(String(checkout))}\\?locale=en"`),
  );
  expect(textOf(await (await get(`${path}?locale=es`)).text())).toContain(
    'Factura INV-0001 49,00 US$ Pendiente.',
  );
});

it('the invoice page offers no payment method after the invoice is paid', async () => {
  const { id } = await createActiveSubscription(shop);
  const { path, token } = await hosted(id);
  const text = textOf(await (await get(path)).text());
  expect(text).toContain("$49.00 has been paid. You won't be charged again.");
  expect(text).not.toContain('Pay $49.00');
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

it('the invoice page rejects tokens for other pages', async () => {
  const { token } = await createSubscription(shop);
  for (const other of [token, 'a.b.c']) {
    const html = await (await get(`/invoice/${other}`)).text();
    expect(textOf(html)).toContain("This link isn't valid. Ask the business that sent it for a new one.");
    expect(html).toContain('"answer":{"code":"unauthorized"}');
  }
  const query = 'query ($token: String!) { hostedInvoice(token: $token) { livemode } }';
  expect((await rejection(t, query, { token }, { key: null })).code).toBe('unauthorized');
});
