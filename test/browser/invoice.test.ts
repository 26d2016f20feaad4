import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  cards,
  createCustomer,
  createPricedPlan,
  createSubscription,
  latestInvoice,
  openPortal,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('a page without card fields in the browser', () => {
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
    'links an invoice to its payment page, and updates when the invoice is paid on another page (%#)',
    async (options) => {
      const { id, token } = await createSubscription(shop);
      const payer = await Visitor.open(browser, await invoiceAddress(id), options);
      expect(await payer.page.getAttribute('#pay', 'href')).toBe(`${t.url}/checkout/${token}?locale=en`);
      expect(await payer.accessibilityViolations()).toEqual([]);
      await pay(shop, token, cards.pays);
      await payer.page.locator('.status.done').waitFor();
      expect(await payer.status()).toBe("$49.00 has been paid. You won't be charged again.");
      expect(await payer.page.locator('#pay').count()).toBe(0);
      const pdf = await fetch((await payer.page.getAttribute('#download', 'href')) ?? '');
      expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
      expect(await payer.accessibilityViolations()).toEqual([]);
      expect(payer.browserErrors).toEqual([]);
      await payer.close();
    },
  );

  it('pays an invoice with its button', async () => {
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
    expect(await payer.status()).toMatch(/^Se han pagado 49,00\sUS\$\. No se te cobrará nada más\.$/);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('emails a portal link without revealing which customers exist', async () => {
    const { externalId } = await createCustomer(shop);
    await t.settings({ slug: 'quarry-of-links' }, shop.environmentId);
    const sent =
      'If this email address belongs to a customer, we sent a sign-in link to it. The link works for 1 hour.';
    for (const [address, options] of [
      [`${externalId}@shop.test`, {}],
      ['nobody@shop.test', phone],
    ] as const) {
      const visitor = await Visitor.open(browser, `${t.url}/portal/quarry-of-links?sandbox`, options);
      expect(await visitor.page.title()).toBe('Your subscription – Quarry');
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await visitor.page.fill('#email', 'no address');
      await visitor.page.click('#send');
      expect(await visitor.page.textContent('#email-problem')).toBe('Enter an email address.');
      expect(await visitor.focused()).toBe('email');
      await visitor.page.fill('#email', address);
      await visitor.page.click('#send');
      await visitor.page.locator('.status.done').waitFor();
      expect([await visitor.status(), visitor.browserErrors]).toEqual([sent, []]);
      await visitor.close();
    }
  });

  it("shows in the browser's language that a merchant is unknown", async () => {
    const visitor = await Visitor.open(browser, `${t.url}/portal/no-such-shop`, { locale: 'es-MX' });
    expect(await visitor.alert()).toBe('Esta página no existe. Revisa la dirección de la página.');
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('prints all line items, totals, and both parties as dark text on white, without buttons or fields', async () => {
    await t.settings(
      { issuerName: 'Quarry Inc.', issuerAddress: 'Dock 4\\nPort City', issuerTaxId: 'US-77' },
      shop.environmentId,
    );
    await t.graphql(
      'mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }',
      {},
      { key: shop.key },
    );
    const { id: customerId } = await createCustomer(shop, 'DE');
    const { id, token } = await subscribeTo(shop, customerId, (await createPricedPlan(shop)).id);
    await pay(shop, token, cards.pays);
    const portal = `${t.url}/portal/${await openPortal(shop, customerId)}`;
    const pages = [
      [
        await invoiceAddress(id),
        ['49,00 US$', 'IVA (19 %)', '58,31 US$', 'Quarry Inc.', 'US-77', 'Alemania'],
      ],
      [`${t.url}/checkout/${(await createSubscription(shop)).token}`, ['49,00 US$']],
      [`${portal}/`, ['58,31 US$', 'IVA (19 %)']],
      [`${portal}/invoices`, ['58,31 US$']],
      [`${portal}/details`, ['1 Main St', 'Alemania']],
    ] as const;
    for (const [address, texts] of pages) {
      // The viewport is about as wide as a printed sheet at 96 dpi.
      const visitor = await Visitor.open(browser, `${address}?locale=es`, {
        viewport: { width: 680, height: 960 },
        colorScheme: 'dark',
      });
      const { page } = visitor;
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      const text = (await page.locator('body').innerText()).replaceAll('\u00A0', ' ');
      for (const each of texts) expect(text).toContain(each);
      expect(
        await page.locator('button:visible, input:visible, select:visible, iframe:visible').count(),
      ).toBe(0);
      expect(
        await page.locator('#pay:visible, #download:visible, footer:visible, nav li:visible').count(),
      ).toBe(0);
      expect(
        await page.evaluate(() => {
          const { color } = getComputedStyle(document.body);
          const { scrollWidth, clientWidth } = document.documentElement;
          return [color, getComputedStyle(document.documentElement).colorScheme, scrollWidth - clientWidth];
        }),
      ).toEqual(['rgb(17, 32, 28)', 'light', 0]);
      const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
      expect(sheets).toHaveLength(1);
      await visitor.close();
    }
  });
});
