import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, Visitor } from '../support/browser.ts';
import {
  createCustomer,
  createPricedPlan,
  otherShop,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// A payer in Brazil pays by Pix, and a payer in Germany pays a renewal by bank transfer (INS-141, INS-142).

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('payments by the payer in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = await otherShop(t);
    await t.settings({ checkout: { pushPayments: true }, collectByPayer: true }, shop.environmentId);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const subscribed = async (country: string, currency: string) => {
    const plan = await createPricedPlan(shop, { price: 5_000 });
    await setCurrency(shop, plan.id, currency, 1);
    return subscribeTo(shop, (await createCustomer(shop, country)).id, plan.id);
  };

  /** Reports that the payer paid the pending attempt of a customer. */
  async function settle(customerId: string): Promise<void> {
    const { customer } = await t.graphql<{
      customer: { invoices: { edges: { node: { transactions: { id: string; stage: string }[] } }[] } };
    }>(
      'query ($id: ID!) { customer(id: $id) { invoices(first: 1) { edges { node { transactions { id stage } } } } } }',
      { id: customerId },
      { key: shop.key },
    );
    const waiting = customer.invoices.edges[0]?.node.transactions.find(
      ({ stage }) => stage === 'awaiting_payer',
    );
    await t.graphql(
      'mutation ($input: SandboxAttemptReportInput!) { sandboxAttemptReport(input: $input) { stage } }',
      { input: { id: waiting?.id, stage: 'settled' } },
      { key: shop.key },
    );
  }

  type Invoice = { readonly payUrl: string | null; readonly invoiceNumber: string };

  const latestInvoice = async (customerId: string): Promise<Invoice | undefined> => {
    const { customer } = await t.graphql<{ customer: { invoices: { edges: { node: Invoice }[] } } }>(
      'query ($id: ID!) { customer(id: $id) { invoices(first: 1) { edges { node { payUrl invoiceNumber } } } } }',
      { id: customerId },
      { key: shop.key },
    );
    return customer.invoices.edges[0]?.node;
  };

  it('shows a Pix code in Portuguese, keeps it after a reload, and shows the payment within a second', async () => {
    const { token, customerId } = await subscribed('BR', 'brl');
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}?locale=pt-BR`);
    const { page } = payer;
    await page.getByLabel('Pix').check();
    expect(await page.locator('#number').count()).toBe(0);
    await page.getByRole('button', { name: 'Ver as instruções de pagamento' }).click();
    const code = page.locator('#pix-code');
    await code.waitFor();
    const text = await code.textContent();
    expect(text).toMatch(/^000201.*540550\.005802BR.*6304[0-9A-F]{4}$/);
    expect(await page.getByRole('img', { name: 'QR code do pagamento por Pix' }).isVisible()).toBe(true);
    await page.reload();
    await code.waitFor();
    expect(await code.textContent()).toBe(text);
    await page.getByText('Pagar de outra forma').click();
    await page.locator('#pay').waitFor();
    await settle(customerId);
    const reportedAt = Date.now();
    await page.locator('.status.done').waitFor();
    expect(Date.now() - reportedAt).toBeLessThan(1_000);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('shows a boleto line', async () => {
    const { token, customerId } = await subscribed('BR', 'brl');
    await shop.rest('PATCH', `/customers/${customerId}`, {
      taxDocument: '52998224725',
      address: { line1: 'Rua A 1', city: 'São Paulo', postalCode: '01000-000', country: 'BR' },
    });
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    const { page } = payer;
    await page.getByLabel('Boleto').check();
    await page.click('#pay');
    await page.locator('#boleto-line').waitFor();
    expect(await page.locator('#boleto-line').textContent()).toMatch(
      /^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/,
    );
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('pays a renewal by bank transfer on its payment page', async () => {
    const { token, customerId } = await subscribed('DE', 'eur');
    const checkout = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    await checkout.page.getByLabel('Bank transfer').check();
    await checkout.page.click('#pay');
    await checkout.page.locator('#reference').waitFor();
    await settle(customerId);
    await checkout.page.locator('.status.done').waitFor();
    await checkout.close();
    await shop.rest('POST', '/test-clock', { advanceDays: 32 });
    await expect.poll(async () => (await latestInvoice(customerId))?.payUrl ?? '').toMatch(/\/recover\//);
    const invoice = await latestInvoice(customerId);
    const payer = await Visitor.open(browser, `${t.url}${new URL(invoice?.payUrl ?? '').pathname}`);
    const { page } = payer;
    await page.getByLabel('Bank transfer').check();
    await page.click('#pay');
    await page.locator('#reference').waitFor();
    const number = invoice?.invoiceNumber.replace('-', '') ?? '';
    expect(await page.locator('#reference').textContent()).toMatch(new RegExp(`^RF\\d\\d${number}$`));
    expect(await page.locator('#iban').textContent()).toBe('DE89370400440532013000');
    await settle(customerId);
    await page.locator('.status.done').waitFor();
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });
});
