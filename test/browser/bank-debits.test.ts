import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, Visitor } from '../support/browser.ts';
import {
  createCustomer,
  createPricedPlan,
  openPortal,
  otherShop,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// A payer in Germany pays by SEPA debit, follows the pending state, and revokes the mandate in the portal (INS-140 to INS-143).

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('bank debits in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = await otherShop(t);
    await t.settings({ checkout: { bankDebits: true }, accessWhileProcessing: 'wait' }, shop.environmentId);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const euros = async (terms: { readonly trialDays?: number } = {}) => {
    const plan = await createPricedPlan(shop, { price: 5_000, ...terms });
    await setCurrency(shop, plan.id, 'eur', 1);
    return subscribeTo(shop, (await createCustomer(shop, 'DE')).id, plan.id);
  };

  it('checks the account number, pays by SEPA debit, and shows the confirmed payment without a reload', async () => {
    const subscription = await euros();
    const payer = await Visitor.open(browser, `${t.url}/checkout/${subscription.token}`);
    const { page } = payer;
    await page.getByLabel('SEPA Direct Debit').check();
    await page.locator('#accountNumber').waitFor();
    expect(await page.locator('#number').count()).toBe(0);
    expect(await page.locator('#mandate-text').textContent()).toContain('authorize');
    await page.fill('#accountNumber', 'DE88 3704 0044 0532 0130 00');
    await page.locator('#accountNumber').blur();
    await expect
      .poll(() => page.locator('#accountNumber-problem').textContent())
      .toBe('Check the IBAN. Its check digits are wrong.');
    await page.getByRole('button', { name: 'DE89370400440532013000 Settles' }).click();
    expect(await page.inputValue('#accountNumber')).toBe('DE89370400440532013000');
    expect(await page.locator('#accountNumber-problem').textContent()).toBe('');
    await page.click('#pay');
    await expect.poll(() => payer.status()).toMatch(/^We received your bank details\. Your bank confirms/);
    await shop.rest('POST', '/test-clock', { advanceDays: 30 });
    await page.locator('.status.done').waitFor();
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
    const portal = await Visitor.open(
      browser,
      `${t.url}/portal/${await openPortal(shop, subscription.customerId)}/cards`,
    );
    await portal.page.getByText('SEPA Direct Debit ending in 3000').waitFor();
    await portal.page.getByRole('button', { name: /^Revoke mandate/ }).click();
    await portal.page.getByRole('dialog').getByRole('button', { name: 'Revoke mandate' }).click();
    await portal.page.getByText('Mandate ended').waitFor();
    expect(portal.browserErrors).toEqual([]);
    await portal.close();
  });

  it.each([
    ['en', 'Save card', 'Save bank account'],
    ['es', 'Guardar tarjeta', 'Guardar cuenta bancaria'],
    ['pt-BR', 'Salvar cartão', 'Salvar conta bancária'],
  ])('names the payment method that a free trial saves, in %s', async (locale, card, account) => {
    const { token } = await euros({ trialDays: 14 });
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}?locale=${locale}`);
    const { page } = payer;
    await page.locator('#number').waitFor();
    expect(await page.locator('#pay').textContent()).toBe(card);
    await page.locator('#instrument-sepa_debit').check();
    await page.locator('#accountNumber').waitFor();
    expect(await page.locator('#pay').textContent()).toBe(account);
    await page.locator('#instrument-card').check();
    await expect.poll(() => page.locator('#pay').textContent()).toBe(card);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('shows the card form without a choice if only cards fit', async () => {
    const plan = await createPricedPlan(shop, { price: 5_000 });
    const { token } = await subscribeTo(shop, (await createCustomer(shop, 'FR')).id, plan.id);
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    await payer.page.locator('#number').waitFor();
    expect(await payer.page.getByRole('radiogroup').count()).toBe(0);
    await payer.close();
  });
});
