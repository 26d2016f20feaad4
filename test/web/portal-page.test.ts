import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createActiveSubscription,
  createPastDueSubscription,
  firstShop,
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests the HTML documents for the portal before scripts run.

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

const read = async (path: string): Promise<string> => (await get(path)).text();

/** Path of a customer's portal session. */
const portalOf = async (customerId: string, seller = shop): Promise<string> =>
  `/portal/${await openPortal(seller, customerId)}`;

describe('the portal', () => {
  it('shows the plan, the next invoice, and its line items before scripts run', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const response = await get(await portalOf(customerId));
    const names = ['cache-control', 'referrer-policy', 'x-robots-tag', 'x-frame-options'];
    expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([
      200,
      'no-store',
      'no-referrer',
      'noindex',
      'DENY',
    ]);
    const html = await response.text();
    expect(html).toMatch(/<html lang="en" dir="ltr" data-theme="system">/);
    expect(html).toContain('<title>Your subscription – Test organization</title>');
    expect(textOf(html)).toMatch(
      /Active \$49\.00 per month .* Next invoice \$49\.00 on \w{3} \d+, \d{4} .* Price of your plan for the billing period\. \$49\.00 Total \$49\.00/,
    );
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it('shows the outstanding amount and the date when access ends', async () => {
    const { customerId } = await createPastDueSubscription(shop);
    expect(textOf(await read(await portalOf(customerId)))).toMatch(
      /Payment past due Your payment of \$49\.00 didn't go through\. The next attempt to charge your card is on [^.]+\. Pay before [^.]+ to keep access\./,
    );
  });

  it.each([
    ['usage', 'Usage'],
    ['plan', 'Plan'],
    ['seats', 'Seats'],
    ['addons', 'Add-ons'],
    ['credits', 'Credits'],
    ['cards', 'Cards Your subscription is charged to one of these cards. Visa ending in 4242'],
    ['invoices', 'Number Document Date Status Total INV-'],
    ['details', 'These details appear on your next invoice.'],
    ['cancel', 'Cancel subscription'],
    ['another', 'Next invoice'],
  ])('renders the section /%s completely on the server', async (section, text) => {
    const { customerId } = await createActiveSubscription(shop);
    const html = await read(`${await portalOf(customerId)}/${section}`);
    expect(textOf(html).replaceAll(/\S+@shop\.test /g, '')).toContain(text);
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const labeled = new Set([...html.matchAll(/<label[^>]* for="([^"]+)"/g)].map(([, id]) => id));
    const inputs = [...html.matchAll(/<(?:input|select|textarea)\b[^>]*\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(inputs.filter((id) => !labeled.has(id))).toEqual([]);
  });

  it("uses the language in the URL, or the merchant's language if the URL has no language, and keeps the language in links", async () => {
    const seller = await otherShop(t, 'Cantera');
    await t.settings({ language: 'es', accentColor: '#ffd400' }, seller.environmentId);
    const { customerId } = await createActiveSubscription(seller);
    const address = await portalOf(customerId, seller);
    const html = await read(address);
    expect(html).toContain('<html lang="es"');
    expect(html).toContain('--accent:light-dark(#a68a00,#ffd400)');
    expect(textOf(html)).toMatch(/Activa 49,00 US\$ al mes .* Próxima factura/);
    const english = await read(`${address}/cards?locale=en&theme=dark`);
    expect(english).toMatch(/<html lang="en" dir="ltr" data-theme="dark">/);
    expect(english).toContain(`href="${address}/usage?locale=en&amp;theme=dark"`.replace('/usage', '/plan'));
  });

  it('shows no customer data without a session', async () => {
    for (const path of ['/portal/some.page.token', '/portal/some.page.token/cards']) {
      const html = await read(path);
      expect(textOf(html)).toContain("This link isn't valid. Ask the business that sent it for a new one.");
      expect(/<script type="application\/json" id="first">(.*?)<\/script>/.exec(html)?.[1]).toContain(
        '"answer":{"code":"unauthorized"}',
      );
    }
  });

  it('rejects write requests and other paths', async () => {
    const rejected = await get('/portal/x.y.z', { method: 'POST' });
    expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/portal', '/portal/', '/portal/a/b/c'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});
