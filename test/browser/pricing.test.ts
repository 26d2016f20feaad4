import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  attachFeature,
  cards,
  createFeature,
  createMarket,
  createPlan,
  createPrice,
  createPricingTable,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
const wide = { viewport: { width: 1_280, height: 900 } } as const;

describe.skipIf(browserPath === null)('a pricing table in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  /**
   * Creates a pricing table with a free plan and a plan for 34.00 a month or 336.00 a year, which saves 72.00. In Norway, the plan costs
   * 29.00 EUR a month.
   */
  async function createTable(seller: Shop) {
    const market = await createMarket(seller, ['NO']);
    const { id: planId } = await createPlan(seller, { name: 'Harbor', description: 'For small crews.' });
    const marketPrices = [{ marketGroupId: market.id, currency: 'eur', price: 2_900 }];
    await createPrice(seller, planId, { price: 3_400, marketPrices });
    await createPrice(seller, planId, { billingInterval: 'yearly', price: 33_600 });
    await attachFeature(seller, planId, (await createFeature(seller)).id, { includedAmount: 3 });
    const { id: freeId } = await createPlan(seller, { name: 'Pier', isFree: true });
    const { token } = await createPricingTable(seller, {
      plans: [{ planId }, { planId: freeId }],
      highlightedPlanId: planId,
      signUpUrl: 'https://shop.test/sign-up',
    });
    return { token, planId };
  }

  const customersWith = (seller: Shop, email: string): Promise<{ id: string; status: string }[]> =>
    t.app.database.query(
      `SELECT c.id, s.status::text FROM "Customer" c JOIN "Subscription" s ON s."environmentId" = c."environmentId" AND s."customerId" = c.id
       WHERE c."environmentId" = $1 AND c.email = $2 ORDER BY s.seq`,
      [seller.environmentId, email],
    );

  const cardText = async (page: Page): Promise<string> =>
    (await page.locator('#plans > li').first().innerText()).replaceAll('\u00a0', ' ');

  it('leads from a plan to the checkout and an active subscription, on a phone in Spanish', async () => {
    const seller = await otherShop(t, 'Quay');
    const { token, planId } = await createTable(seller);
    const visitor = await Visitor.open(browser, `${t.url}/pricing/${token}?locale=es`, {
      ...phone,
      locale: 'en-NZ',
    });
    const { page } = visitor;
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(await cardText(page)).toContain('34,00 US$ al mes');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    await page.locator('input[name="interval"][value="yearly"]').check();
    expect(await cardText(page)).toMatch(/336,00 US\$ al año\s+ahorras 72,00 US\$/);
    await page.locator('input[name="interval"][value="monthly"]').check();
    await page.selectOption('#country', 'NO');
    await page.locator('#plans > li:first-child:has-text("29")').waitFor();
    await page.click(`#choose-${planId}`);
    await expect.poll(() => visitor.focused()).toBe('title');
    // The page reports the missing email address next to its field before sending a request.
    await page.click('#continue');
    expect(await page.getAttribute('#email', 'aria-invalid')).toBe('true');
    expect(await page.inputValue('#country')).toBe('NO');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    const email = 'visitor@shop.test';
    await page.fill('#email', email);
    await page.click('#continue');
    await page.locator('#number').waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(await page.locator('#summary').innerText()).toMatch(/29[.,]00/);
    expect(await customersWith(seller, email)).toMatchObject([{ status: 'pending_payment' }]);
    await visitor.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    const [customer] = await customersWith(seller, email);
    expect(customer).toMatchObject({ status: 'active' });
    expect(await chargesOf(seller, customer?.id ?? '')).toEqual([[2_900, 'succeeded']]);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('creates one purchase despite a double click, a lost response, a step back, and a second window', async () => {
    const seller = await otherShop(t, 'Wharf');
    const { token, planId } = await createTable(seller);
    const email = 'once@shop.test';
    const visitor = await Visitor.open(browser, `${t.url}/pricing/${token}`, wide);
    const { page } = visitor;
    const buy = async (target: Page) => {
      await target.locator(`#choose-${planId}:enabled`).click();
      await target.fill('#email', email);
      await target.selectOption('#country', 'NO');
    };
    await buy(page);
    const keys = await visitor.failRequests('BuyPlan', 'unanswered');
    await page.dblclick('#continue');
    await page.locator('#number').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const first = page.url();
    await page.goBack();
    await buy(page);
    await page.click('#continue');
    await page.locator('#number').waitFor();
    expect(new URL(page.url()).pathname).toBe(new URL(first).pathname);
    const second = await Visitor.in(visitor.context, `${t.url}/pricing/${token}`);
    await buy(second.page);
    await second.page.click('#continue');
    await second.page.locator('#number').waitFor();
    expect(new URL(second.page.url()).pathname).toBe(new URL(first).pathname);
    expect(await customersWith(seller, email)).toHaveLength(1);
    await visitor.close();
  });

  it('works by keyboard, and preselects the country in the URL', async () => {
    const { token, planId } = await createTable(await otherShop(t, 'Dock'));
    const visitor = await Visitor.open(browser, `${t.url}/pricing/${token}?country=NO&theme=dark`, wide);
    const { page } = visitor;
    expect(await cardText(page)).toContain('€29.00 per month');
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    await page.locator(`#choose-${planId}:enabled`).focus();
    // The title receives the focus when the form appears, before a visitor can type.
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (!document.getElementById('email')) return;
      observer.disconnect();
      window.focusedWithForm = document.activeElement.id;
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.keyboard.press('Enter');
    await page.locator('#email').focus();
    expect(await page.evaluate('window.focusedWithForm')).toBe('title');
    await page.keyboard.type('keys@shop.test');
    await page.keyboard.press('Enter');
    await page.locator('#number').waitFor();
    expect(await page.getAttribute('html', 'data-theme')).toBe('dark');
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('shows an error if a pricing table is turned off after it was opened', async () => {
    const seller = await otherShop(t, 'Slip');
    const { token, planId } = await createTable(seller);
    const visitor = await Visitor.open(browser, `${t.url}/pricing/${token}?country=NO`, wide);
    const { page } = visitor;
    await page.locator(`#choose-${planId}:enabled`).click();
    await page.fill('#email', 'late@shop.test');
    const { body } = await seller.rest<{ data: { id: string }[] }>('GET', '/pricing-tables');
    await seller.rest('PATCH', `/pricing-tables/${body.data[0]?.id}`, { isActive: false });
    await page.click('#continue');
    await page.locator('#alert').waitFor();
    expect(await visitor.alert()).toBe('This pricing table is no longer available.');
    expect(await customersWith(seller, 'late@shop.test')).toEqual([]);
    expect(await page.inputValue('#email')).toBe('late@shop.test');
    await visitor.close();
  });
});
