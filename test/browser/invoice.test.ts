import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  cards,
  createCustomer,
  createSubscription,
  latestInvoice,
  otherShop,
  pay,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// The page of an invoice, and the page at which customers ask for a link to the portal.

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('pages that take no card, in a browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = await otherShop(t, 'Quarry');
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  async function invoiceAddress(subscriptionId: string): Promise<string> {
    const { invoice } = await t.graphql<{ invoice: { hostedUrl: string } }>(
      'query ($id: ID!) { invoice(id: $id) { hostedUrl } }',
      { id: await latestInvoice(shop, subscriptionId) },
      { key: shop.key },
    );
    return `${t.url}${new URL(invoice.hostedUrl).pathname}`;
  }

  it.each([{}, phone])(
    'an invoice leads to its payment, and says so once it is paid elsewhere (%#)',
    async (options) => {
      const { id, token } = await createSubscription(shop);
      const payer = await Visitor.open(browser, await invoiceAddress(id), options);
      expect(await payer.page.getAttribute('#pay', 'href')).toBe(`${t.url}/checkout/${token}?locale=en`);
      expect(await payer.barriers()).toEqual([]);
      await pay(shop, token, cards.pays);
      await payer.page.locator('.status.done').waitFor();
      expect(await payer.status()).toBe('$49.00 has been paid. Nothing more is charged.');
      expect(await payer.page.locator('#pay').count()).toBe(0);
      const pdf = await fetch((await payer.page.getAttribute('#download', 'href')) ?? '');
      expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(await payer.barriers()).toEqual([]);
      expect(payer.complaints).toEqual([]);
      await payer.close();
    },
  );

  it('an invoice is paid by following its button', async () => {
    const { id } = await createSubscription(shop);
    const payer = await Visitor.open(browser, `${await invoiceAddress(id)}?locale=es`);
    expect(await payer.page.locator('html').getAttribute('lang')).toBe('es');
    await payer.page.click('#pay');
    await payer.page.waitForURL('**/checkout/*?locale=es');
    await payer.page.locator('#pay:enabled').waitFor();
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    await payer.page.goBack();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(/^Se han pagado 49,00\sUS\$\. No se cobra nada más\.$/);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('customers ask for a link to the portal, and learn nothing about who is known', async () => {
    const { externalId } = await createCustomer(shop);
    await t.graphql(
      'mutation { organizationUpdate(input: { slug: "quarry-of-links" }) { id } }',
      {},
      { key: shop.key },
    );
    const sent = 'If we know this address, an email with a link is on its way. The link works for an hour.';
    for (const [address, options] of [
      [`${externalId}@shop.test`, {}],
      ['nobody@shop.test', phone],
    ] as const) {
      const visitor = await Visitor.open(browser, `${t.url}/portal/quarry-of-links?sandbox`, options);
      expect(await visitor.page.title()).toBe('Your subscription – Quarry');
      expect(await visitor.barriers()).toEqual([]);
      await visitor.page.fill('#email', 'no address');
      await visitor.page.click('#send');
      expect(await visitor.page.textContent('#email-problem')).toBe('Enter an email address.');
      expect(await visitor.focused()).toBe('email');
      await visitor.page.fill('#email', address);
      await visitor.page.click('#send');
      await visitor.page.locator('.status.done').waitFor();
      expect([await visitor.status(), visitor.complaints]).toEqual([sent, []]);
      await visitor.close();
    }
  });

  it('a page of no shop says so, in the language of the browser', async () => {
    const visitor = await Visitor.open(browser, `${t.url}/portal/no-such-shop`, { locale: 'es-MX' });
    expect(await visitor.alert()).toBe('Esta página no existe. Revisa la dirección o pídesela al vendedor.');
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });
});
