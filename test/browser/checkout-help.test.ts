import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import { made } from '../support/factories/shop.ts';
import {
  cards,
  createActiveSubscription,
  createCustomer,
  createPayment,
  createPricedPlan,
  createPromoCode,
  firstShop,
  otherShop,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

/** Creates a checkout for a customer who saved a card for an earlier subscription that was canceled. */
async function comeBack(): Promise<{ customerId: string; token: string | null }> {
  const { customerId, id } = await createActiveSubscription(shop);
  await made(shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }));
  return subscribeTo(shop, customerId, (await createPricedPlan(shop)).id);
}

/** Rows of the order summary, with their explanations. */
const rowsOf = ({ page }: Visitor): Promise<string[]> =>
  page
    .locator('#order tr')
    .evaluateAll((rows) =>
      rows.map((row) =>
        [...row.children].map((cell) => (cell as HTMLElement).innerText.replace(/\s+/g, ' ')).join(' | '),
      ),
    );

describe.skipIf(browserPath === null)('the checkout page with saved cards and explanations', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('charges the saved card after its security code is entered', async () => {
    const { token, customerId } = await comeBack();
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    const { page } = payer;
    expect(await page.locator('label:has(#saved-card)').innerText()).toBe('Visa •••• 4242, expires 12/99');
    expect(await page.locator('#number').count()).toBe(0);
    expect(await payer.accessibilityViolations()).toEqual([]);
    await page.fill('#cvc', '000');
    await page.click('#pay');
    await page.locator('#alert').waitFor();
    expect(await payer.alert()).toMatch(/^The security code is incorrect\./);
    expect(await page.locator('#cvc-help').innerText()).toMatch(/^You have 2 more attempts/);
    expect(await payer.accessibilityViolations()).toEqual([]);
    await page.fill('#cvc', '123');
    await page.dblclick('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([
      [4_900, 'succeeded'],
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('removes the saved card after three wrong security codes, and accepts another card', async () => {
    const { token, customerId } = await comeBack();
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    const { page } = payer;
    for (const left of ['2 more attempts', '1 more attempt']) {
      await page.fill('#cvc', '000');
      await page.click('#pay');
      await page.locator(`#cvc-help:text("${left}")`).waitFor();
      await payer.settled();
    }
    await page.fill('#cvc', '000');
    await page.click('#pay');
    await page.locator('#saved-over').waitFor();
    await payer.settled();
    expect(await page.locator('#saved-card').count()).toBe(0);
    await payer.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    expect((await chargesOf(shop, customerId)).map(([, status]) => status)).toEqual([
      'succeeded',
      'failed',
      'failed',
      'failed',
      'succeeded',
    ]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('charges once if the saved card and another card are used in two windows', async () => {
    const { token, customerId } = await comeBack();
    const [first, second] = [
      await Visitor.open(browser, `${t.url}/checkout/${token}`),
      await Visitor.open(browser, `${t.url}/checkout/${token}`),
    ];
    await first.page.fill('#cvc', '123');
    await second.page.check('#another-card');
    await expect.poll(() => second.focused()).toBe('number');
    await second.typeCard(cards.pays);
    // Dispatches both clicks at the same time, because each page hides its button once the other page has paid.
    await Promise.all([first, second].map(({ page }) => page.locator('#pay').dispatchEvent('click')));
    await Promise.all([first, second].map(({ page }) => page.locator('.status.done').waitFor()));
    expect(await chargesOf(shop, customerId)).toEqual([
      [4_900, 'succeeded'],
      [4_900, 'succeeded'],
    ]);
    for (const each of [first, second]) {
      expect(await each.alert()).toBeNull();
      await each.close();
    }
  });

  it("offers a known customer's saved card on a payment link", async () => {
    const { customerId } = await createActiveSubscription(shop);
    const link = await createPayment(shop, { customerId });
    const payer = await Visitor.open(browser, link.url, phone);
    await payer.page.fill('#cvc', '123');
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([
      [4_900, 'succeeded'],
      [4_200, 'succeeded'],
    ]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('explains each amount in collapsible text, even if JavaScript is disabled', async () => {
    const seller = await otherShop(t, 'Quarry');
    await t.graphql(
      'mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }',
      {},
      { key: seller.key },
    );
    const customer = await createCustomer(seller, 'DE');
    const { token } = await subscribeTo(seller, customer.id, (await createPricedPlan(seller)).id);
    const ctx = await browser.newContext({ javaScriptEnabled: false });
    const page = await ctx.newPage();
    await page.goto(`${t.url}/checkout/${token}`);
    const [plan, tax] = await page.locator('#order details').all();
    expect(await plan?.locator('p').isVisible()).toBe(false);
    await plan?.locator('summary').click();
    expect(await plan?.locator('p').innerText()).toBe('Price: $49.00.');
    await tax?.locator('summary').click();
    expect(await tax?.locator('p').innerText()).toBe('VAT (19%) on $49.00.');
    await page.goto(`${t.url}/checkout/${token}?locale=es`);
    expect(await page.locator('#order').innerText()).toMatch(/\(mensual\)[\s\S]*IVA \(19\s%\)/);
    expect(await page.locator('#order details p').first().textContent()).toBe(
      'Precio: 49,00 US$.'.replace(' US', '\u00a0US'),
    );
    await ctx.close();
  });

  it("shows a promo code's discount and the amount before the discount", async () => {
    const { code } = await createPromoCode(shop);
    const { token } = await subscribeTo(
      shop,
      (await createCustomer(shop)).id,
      (await createPricedPlan(shop)).id,
    );
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    const { page } = payer;
    await page.click('#promo-open');
    await page.fill('#promoCode', code);
    await page.click('#promo-apply');
    await page.locator('#promo-remove').waitFor();
    const discount = page.locator('#totals details').first();
    await discount.locator('summary').click();
    expect(await discount.locator('p').innerText()).toMatch(/: \d+% off \$49\.00\.$/);
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.close();
  });

  it("requires a company's name and tax ID, and prints both on the invoice", async () => {
    const { id: customerId } = await createCustomer(shop);
    const { token, id } = await subscribeTo(shop, customerId, (await createPricedPlan(shop)).id);
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`, phone);
    const { page } = payer;
    await payer.typeCard(cards.pays);
    await page.click('#billing summary');
    expect(await page.locator('#companyName, #taxDocument').count()).toBe(0);
    await page.check('#business');
    await page.selectOption('#country', 'KY');
    await page.locator('#taxDocument').waitFor({ state: 'detached' });
    await page.selectOption('#country', 'DE');
    await page.locator('#postalCode-help:text("Example: 10117")').waitFor();
    expect(await page.getAttribute('#postalCode', 'inputmode')).toBe('numeric');
    await page.fill('#postalCode', '1011');
    await page.fill('#companyName', 'Stein GmbH');
    await page.locator('#postalCode-help:text("Check the format. Example: 10117")').waitFor();
    await page.fill('#postalCode', '10117');
    await page.fill('#line1', 'Weg 1');
    await page.fill('#city', 'Berlin');
    await page.fill('#taxDocument', 'DE136695976');
    expect(await payer.accessibilityViolations()).toEqual([]);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    const { subscription } = await t.graphql<{
      subscription: { customer: unknown; invoices: { edges: { node: { buyer: unknown } }[] } };
    }>(
      'query ($id: ID!) { subscription(id: $id) { customer { fullName taxDocument } invoices { edges { node { buyer { name taxDocument } } } } } }',
      { id },
      { key: shop.key },
    );
    const company = { fullName: 'Stein GmbH', taxDocument: 'DE136695976' };
    expect(subscription.customer).toEqual(company);
    const { fullName: name, taxDocument } = company;
    expect(subscription.invoices.edges[0]?.node.buyer).toEqual({ name, taxDocument });
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("previews another country's market, price, and tax in the sandbox, and charges the displayed amount", async () => {
    const seller = await otherShop(t, 'Quarry');
    const plan = await createPricedPlan(seller, { price: 2_900 });
    await setCurrency(seller, plan.id, 'eur', 0.9);
    await t.graphql(
      'mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }',
      {},
      { key: seller.key },
    );
    const customer = await createCustomer(seller, 'US');
    const { token } = await subscribeTo(seller, customer.id, plan.id);
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`);
    const { page } = payer;
    await page.click('#view-from');
    await page.selectOption('#viewedCountry', 'DE');
    await page.locator('#pay:text("€31.06")').waitFor();
    expect(await rowsOf(payer)).toEqual([
      expect.stringMatching(/^Name of plan\d+ \(monthly\) Why\? \| €26\.10$/),
      'VAT (19%) Why? | €4.96',
      'Due now | €31.06',
    ]);
    expect(new URL(page.url()).search).toBe('?country=DE');
    expect(await payer.accessibilityViolations()).toEqual([]);
    // The URL includes the country, so a reload keeps it.
    await page.reload();
    await page.locator('#pay:text("€31.06")').waitFor();
    await payer.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(seller, customer.id)).toEqual([[3_106, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });
});
