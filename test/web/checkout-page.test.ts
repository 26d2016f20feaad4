import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSubscription, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

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

describe('the checkout page', () => {
  it("shows the plan and price before scripts run, and can't be cached or embedded in a frame", async () => {
    const { token } = await createSubscription(shop);
    const response = await get(`/checkout/${token}`);
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
    expect(textOf(html)).toMatch(
      /Name of plan\d+ \$49\.00 per month\. Billed to \S+@shop\.test\. .*Due now \$49\.00 Add promo code Next charge: \$49\.00/,
    );
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it('uses Spanish if the URL requests it', async () => {
    const { token } = await createSubscription(shop);
    const html = await (await get(`/checkout/${token}?locale=es`)).text();
    expect(html).toContain('<html lang="es"');
    expect(textOf(html)).toContain('49,00 US$ al mes. Se factura a');
  });

  it.each(['pt-BR', 'pt_BR', 'pt'])('uses Portuguese if the URL requests %s', async (locale) => {
    const { token } = await createSubscription(shop);
    const html = await (await get(`/checkout/${token}?locale=${locale}`)).text();
    expect(html).toContain('<html lang="pt-BR"');
    expect(textOf(html).replaceAll('\u00a0', ' ')).toContain('US$ 49,00 por mês. Cobrado de');
  });

  it('labels every input', async () => {
    const { token } = await createSubscription(shop);
    const html = await (await get(`/checkout/${token}`)).text();
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id));
    const labeled = new Set([...html.matchAll(/<label[^>]* for="([^"]+)"/g)].map(([, id]) => id));
    const inputs = [...html.matchAll(/<(?:input|select)\b[^>]*\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(inputs).toHaveLength(9);
    expect(inputs.filter((id) => !labeled.has(id) || !ids.has(`${id}-problem`))).toEqual([]);
  });
});

describe('a static file of the checkout page', () => {
  it.each([['/embed.js', 'text/javascript; charset=utf-8']])(
    'is served with its content type, and with status 304 if the browser has cached it: %s',
    async (path, type) => {
      const first = await get(path);
      expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
      const tag = first.headers.get('etag') ?? '';
      const second = await get(path, { headers: { 'if-none-match': tag } });
      expect([second.status, await second.text()]).toEqual([304, '']);
    },
  );

  it('rejects writes, and returns 404 at an unknown path', async () => {
    const rejected = await get('/checkout/x', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of [
      '/checkout',
      '/checkout/',
      '/checkout/a/b',
      '/assets/other.js',
      '/assets/checkout.js',
      '/assets/../package.json',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
