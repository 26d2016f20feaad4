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

// The documents of customers' pages as the service writes them, before any script runs.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const get = (path: string, init: RequestInit = {}) => fetch(`${t.url}${path}`, init);

/** What people read of a document without scripts. */
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

describe('the page of a payment link', () => {
  it('says what is to be paid, and by whom, before any script runs', async () => {
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
      /Workshop \$42\.00 Workshop \$42\.00 To pay \$42\.00 Billed to \S+@shop\.test\./,
    );
    expect(firstOf(html)).toMatchObject({
      language: 'en',
      answer: { data: { paymentLink: { amountTotal: 4_200, currency: 'usd' } } },
    });
  });

  it('loads its own files, which never change', async () => {
    const html = await (await get(await linkOf(shop))).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, address = '']) => address)
      .filter((address) => address.startsWith('/'));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files.filter((each) => !each.startsWith('?'))) {
      const response = await get(file);
      expect([file, response.status, response.headers.get('cache-control')]).toEqual([
        expect.stringMatching(/^\/assets\/[\w.-]+\.(?:js|css)$/),
        200,
        'public, max-age=31536000, immutable',
      ]);
    }
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
    expect((await get('/assets/server.mjs')).status).toBe(404);
  });

  it('is in the language of the address, else of the seller', async () => {
    const path = await linkOf(shop);
    const spanish = await (await get(`${path}?locale=es-MX&theme=dark`)).text();
    expect(spanish).toMatch(/<html lang="es" dir="ltr" data-theme="dark">/);
    expect(textOf(spanish)).toContain('A pagar 42,00 US$');
    const seller = await otherShop(t, 'Cantera');
    await t.graphql(
      'mutation { organizationUpdate(input: { language: es }) { id } }',
      {},
      { key: seller.key },
    );
    const headers = { 'accept-language': 'en' };
    const own = await linkOf(seller);
    expect(await (await get(own, { headers })).text()).toContain('<html lang="es"');
    expect(await (await get(`${own}?locale=en`, { headers })).text()).toContain('<html lang="en"');
  });

  it('leads from the page that sends links to itself in another language, in the sandbox too', async () => {
    const seller = await otherShop(t, 'Quarry');
    await t.graphql(
      'mutation { organizationUpdate(input: { slug: "quarry-pages" }) { id } }',
      {},
      { key: seller.key },
    );
    const html = await (await get('/portal/quarry-pages?theme=dark&sandbox')).text();
    expect(html).toContain('href="?theme=dark&amp;sandbox=&amp;locale=es"');
    const live = await (await get('/portal/quarry-pages?locale=es')).text();
    expect(live).toContain('href="?locale=en"');
  });

  it('wears the look of the seller, and nothing of its texts becomes markup', async () => {
    const seller = await otherShop(t, 'A & B </script><b>');
    await t.graphql(
      'mutation { organizationUpdate(input: { accentColor: "#ffd400", pageTheme: { mode: dark, radius: 2, font: serif } }) { id } }',
      {},
      { key: seller.key },
    );
    const html = await (
      await get(await linkOf(seller, { description: '<img src=x onerror=alert(1)>' }))
    ).text();
    expect(html).toContain('data-theme="dark"');
    expect(html).toContain('--accent:light-dark(#806a00,#ffd400)');
    expect(html).toContain('--radius:2px');
    expect(html).not.toMatch(/<img|<b>/);
    expect(textOf(html)).toContain('A &amp; B &lt;/script>&lt;b>');
    expect(firstOf(html)).toMatchObject({
      answer: { data: { paymentLink: { branding: { name: 'A & B </script><b>' } } } },
    });
  });

  it('says that a link is not valid, and nothing of anybody', async () => {
    const response = await get('/pay/none');
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(textOf(html)).toContain('This link is not valid. Ask the seller for a new one.');
    expect(firstOf(html).answer).toEqual({ code: 'unauthorized' });
    const spanish = await get('/pay/none', { headers: { 'accept-language': 'es-AR,es;q=0.9' } });
    expect(textOf(await spanish.text())).toContain('Este enlace no es válido.');
  });

  it('takes no writes, and has no other address', async () => {
    const rejected = await get('/pay/x', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/pay', '/pay/', '/pay/a/b'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

describe('the pages that ask for a card', () => {
  const pathFrom = async (path: string): Promise<string> =>
    Object.values((await shop.rest('POST', path, {})).body)
      .filter((value): value is string => typeof value === 'string' && value.startsWith('http'))
      .map((url) => new URL(url).pathname)[0] ?? '';

  it('say what is owed before any script runs', async () => {
    const { id } = await createPastDueSubscription(shop);
    const path = await pathFrom(`/subscriptions/${id}/recovery-links`);
    expect(path).toMatch(/^\/recover\//);
    expect(textOf(await (await get(path)).text())).toMatch(
      /\$49\.00 \$49\.00, billed to \S+@shop\.test\. Access ends on .+ unless it is paid before\./,
    );
    expect(textOf(await (await get(`${path}?locale=es`)).text())).toContain('Pagar 49,00 US$');
  });

  it('say that nothing is charged where a card is only stored', async () => {
    const { id } = await createActiveSubscription(shop);
    const path = await pathFrom(`/subscriptions/${id}/payment-method/update`);
    expect(path).toMatch(/^\/method\//);
    const text = textOf(await (await get(path)).text());
    expect(text).toContain('Nothing is charged today.');
    expect(text).toContain('Save card');
  });

  it.each(['recover', 'method'])('/%s says that a link is not valid', async (name) => {
    const html = await (await get(`/${name}/none`)).text();
    expect(textOf(html)).toContain('This link is not valid. Ask the seller for a new one.');
    expect(firstOf(html).answer).toEqual({ code: 'unauthorized' });
  });
});
