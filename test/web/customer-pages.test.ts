import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createActiveSubscription,
  createCustomer,
  createPastDueSubscription,
  createPayment,
  firstShop,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests the HTML documents for customer pages before scripts run.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${t.url}${path}`, init);

/** Returns the text of a document that is visible if JavaScript is disabled. */
const textOf = (html: string): string =>
  html
    .replace(/[\s\S]*<div id="root">/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

const firstOf = (html: string): { answer: unknown; language: string } =>
  JSON.parse(/<script type="application\/json" id="first">(.*?)<\/script>/.exec(html)?.[1] ?? 'null');

async function linkOf(seller: Shop, body: Record<string, unknown> = {}): Promise<string> {
  const { id: customerId } = await createCustomer(seller);
  return new URL((await createPayment(seller, { customerId, ...body })).url).pathname;
}

describe('a customer page', () => {
  it('shows the amount and the merchant before scripts run', async () => {
    const response = await get(await linkOf(shop));
    const names = ['content-type', 'cache-control', 'referrer-policy', 'x-robots-tag', 'x-frame-options'];
    expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
      'noindex',
      'DENY',
    ]);
    const html = await response.text();
    expect(html).toMatch(/<html lang="en" dir="ltr" data-theme="system">/);
    expect(html).toContain('<title>Workshop – Test organization</title>');
    expect(textOf(html)).toMatch(
      /Workshop \$42\.00 Workshop \$42\.00 Amount due \$42\.00 Billed to \S+@shop\.test\./,
    );
    expect(firstOf(html)).toMatchObject({
      language: 'en',
      answer: { data: { paymentLink: { amountTotal: 4_200, currency: 'usd' } } },
    });
  });

  it('loads only its own static files, which can be cached permanently', async () => {
    const html = await (await get(await linkOf(shop))).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => address.startsWith('/'));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files.filter((each) => !each.startsWith('?'))) {
      const response = await get(file);
      expect([file, response.status, response.headers.get('cache-control')]).toEqual([
        expect.stringMatching(/^\/assets\/[\w.-]+\.(?:js|css|woff2)$/),
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
    expect((await get('/assets/server.mjs')).status).toBe(404);
  });

  it("uses the language in the URL, or the merchant's language if the URL has no language", async () => {
    const path = await linkOf(shop);
    const spanish = await (await get(`${path}?locale=es-MX&theme=dark`)).text();
    expect(spanish).toMatch(/<html lang="es" dir="ltr" data-theme="dark">/);
    expect(textOf(spanish)).toContain('Importe a pagar 42,00 US$');
    const seller = await otherShop(t, 'Cantera');
    await t.settings({ language: 'es' }, seller.environmentId);
    const headers = { 'accept-language': 'en' };
    const own = await linkOf(seller);
    expect(await (await get(own, { headers })).text()).toContain('<html lang="es"');
    expect(await (await get(`${own}?locale=en`, { headers })).text()).toContain('<html lang="en"');
  });

  it("links to the other language if it's the portal sign-in page, including in the sandbox", async () => {
    const seller = await otherShop(t, 'Quarry');
    await t.settings({ slug: 'quarry-pages' }, seller.environmentId);
    const html = await (await get('/portal/quarry-pages?theme=dark&sandbox')).text();
    expect(html).toContain('href="?theme=dark&amp;sandbox=&amp;locale=es"');
    const live = await (await get('/portal/quarry-pages?locale=es')).text();
    expect(live).toContain('href="?locale=en"');
  });

  it("uses the merchant's branding, and escapes the merchant's text", async () => {
    const seller = await otherShop(t, 'A & B </script><b>');
    await t.settings(
      { accentColor: '#ffd400', pageTheme: { mode: 'dark', radius: 2, font: 'serif' } },
      seller.environmentId,
    );
    const html = await (
      await get(await linkOf(seller, { description: '<img src=x onerror=alert(1)>' }))
    ).text();
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('--accent:light-dark(#a68a00,#ffd400)');
    expect(html).toContain('--radius:2px');
    expect(html).not.toMatch(/<img|<b>/);
    expect(textOf(html)).toContain('A &amp; B &lt;/script>&lt;b>');
    expect(firstOf(html)).toMatchObject({
      answer: { data: { paymentLink: { branding: { name: 'A & B </script><b>' } } } },
    });
  });

  it('shows that a link is invalid, without customer data', async () => {
    const response = await get('/pay/none');
    const html = await response.text();
    expect(response.status).toBe(404);
    expect(textOf(html)).toContain("This link isn't valid. Ask the business that sent it for a new one.");
    expect(firstOf(html).answer).toEqual({ code: 'unauthorized' });
    const spanish = await get('/pay/none', { headers: { 'accept-language': 'es-AR,es;q=0.9' } });
    expect(textOf(await spanish.text())).toContain('Este enlace no es válido.');
  });

  it('rejects write requests and other paths', async () => {
    const rejected = await get('/pay/x', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/pay', '/pay/', '/pay/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    // A browser gets a page, and an API client gets a JSON error.
    const page = await get('/checkout/', { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>Page not found</h1>');
    expect(await (await get('/checkout/')).json()).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a page with a card form', () => {
  const pathFrom = async (path: string): Promise<string> =>
    Object.values((await shop.rest('POST', path, {})).body)
      .filter((value): value is string => typeof value === 'string' && value.startsWith('http'))
      .map((url) => new URL(url).pathname)[0] ?? '';

  it('shows the outstanding amount before scripts run', async () => {
    const { id } = await createPastDueSubscription(shop);
    const path = await pathFrom(`/subscriptions/${id}/recovery-links`);
    expect(path).toMatch(/^\/recover\//);
    expect(textOf(await (await get(path)).text())).toMatch(
      /\$49\.00 Amount due: \$49\.00, billed to \S+@shop\.test\. Pay before .+ to keep access\./,
    );
    expect(textOf(await (await get(`${path}?locale=es`)).text())).toContain('Pagar 49,00 US$');
  });

  it('states that saving a card charges nothing', async () => {
    const { id } = await createActiveSubscription(shop);
    const path = await pathFrom(`/subscriptions/${id}/payment-method/update`);
    expect(path).toMatch(/^\/method\//);
    const text = textOf(await (await get(path)).text());
    expect(text).toContain("You won't be charged today.");
    expect(text).toContain('Save card');
  });

  it.each(['recover', 'method'])('shows that the link is invalid at /%s', async (name) => {
    const html = await (await get(`/${name}/none`)).text();
    expect(textOf(html)).toContain("This link isn't valid. Ask the business that sent it for a new one.");
    expect(firstOf(html).answer).toEqual({ code: 'unauthorized' });
  });
});
