import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  attachFeature,
  cards,
  createCustomer,
  createFeature,
  createPlan,
  createPrice,
  createPricedPlan,
  createSubscription,
  firstShop,
  otherShop,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

const wide = { viewport: { width: 1_280, height: 900 } } as const;

describe.skipIf(browserPath === null)('the checkout page with purchase options', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const open = ({ token }: { readonly token: string | null }, options: object, search = '') =>
    Visitor.open(browser, `${t.url}/checkout/${token}${search}`, options);

  const settle = (seller: Shop, input: object) => t.settings(input, seller.environmentId);

  /**
   * Subscribes a new customer to a plan for 34.00 a month or 340.00 a year. Three seats are included;
   * additional seats cost 5.00 each.
   */
  async function createTeam(seller: Shop) {
    const plan = await createPricedPlan(seller, { price: 3_400 });
    await createPrice(seller, plan.id, { billingInterval: 'yearly', price: 34_000 });
    const { id, code } = await createFeature(seller);
    await attachFeature(seller, plan.id, id, {
      includedAmount: 3,
      overage: { enabled: true, unitPrice: 50_000 },
    });
    return { ...(await subscribeTo(seller, (await createCustomer(seller)).id, plan.id)), code };
  }

  it('updates the amount due when the interval or the number of seats changes, and charges that amount', async () => {
    const team = await createTeam(shop);
    const payer = await open(team, phone);
    const { page } = payer;
    expect(await page.locator('#intervals').innerText()).toMatch(
      /Monthly[\s\S]*\$34\.00[\s\S]*Yearly[\s\S]*saves \$68\.00/,
    );
    await page.locator('input[name="interval"][value="yearly"]').click();
    await page.locator('#pay:text("$340.00")').waitFor();
    await payer.settled();
    await page.fill(`#seats-${team.code}`, '5');
    await page.locator(`#seats-${team.code}`).blur();
    // Price of two additional seats for 12 months.
    await page.locator('#pay:not(:text("$340.00"))').waitFor();
    await payer.settled();
    const [due = ''] = /[\d.]+/.exec((await page.textContent('#pay')) ?? '') ?? [];
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, team.customerId)).toEqual([[Number(due) * 100, 'succeeded']]);
    expect(Number(due)).toBeGreaterThan(340);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it.each([
    ['', 'Enter a whole number from 3 to 1,000,000.', '3 included, then $5.00 per month each.'],
    [
      '?locale=es',
      'Escribe un número entero de 3 a 1.000.000.',
      '3 incluidos, después 5,00 US$ al mes cada uno.',
    ],
  ])(
    'accepts from the included number of seats to 1,000,000 seats, and explains invalid numbers (SUB-13a) %s',
    async (search, wrong, help) => {
      const team = await createTeam(shop);
      const payer = await open(team, wide, search);
      const { page } = payer;
      const field = page.locator(`#seats-${team.code}`);
      const problem = page.locator(`#seats-${team.code}-problem`);
      expect([
        await field.inputValue(),
        await field.getAttribute('min'),
        await field.getAttribute('max'),
      ]).toEqual(['3', '3', '1000000']);
      const shown = (await page.locator(`#seats-${team.code}-help`).textContent())?.replaceAll(/\s/g, ' ');
      expect(shown).toBe(help);
      for (const typed of ['-1', '1.5', '', '2', '1000001', '99999999999']) {
        await field.fill(typed);
        await field.blur();
        await expect.poll(() => problem.textContent()).toBe(wrong);
        expect(await page.textContent('#pay')).toMatch(/34[.,]00/);
        await field.fill('3');
        await field.blur();
        await expect.poll(() => problem.textContent()).toBe('');
      }
      await field.fill('5');
      await field.blur();
      await page.locator('#pay:text("44")').waitFor();
      await payer.settled();
      expect(await page.locator('#lines th').allTextContents()).toEqual([
        expect.stringContaining('('),
        expect.stringMatching(
          search === '' ? /: 2 additional \(3 included\)/ : /: 2 adicionales \(3 incluidos\)/,
        ),
      ]);
      expect(await payer.accessibilityViolations()).toEqual([]);
      expect(payer.browserErrors).toEqual([]);
      await payer.close();
    },
  );

  it("rejects a number of seats above the maximum and doesn't change the checkout (SUB-13a)", async () => {
    const team = await createTeam(shop);
    const update = (count: number) =>
      t.graphqlFailure(
        'mutation ($input: CheckoutUpdateInput!) { checkoutUpdate(input: $input) { status } }',
        { input: { token: team.token, seats: { [team.code]: count } } },
        { key: null },
      );
    expect((await update(1_000_001)).errors[0]?.extensions).toMatchObject({
      code: 'validation_error',
      details: [{ field: `seats.${team.code}`, message: 'must be at most 1000000' }],
    });
    const { checkout } = await t.graphql<{ checkout: object }>(
      'query ($token: String!) { checkout(token: $token) { amountDue seats { count maximum } } }',
      { token: team.token },
      { key: null },
    );
    expect(checkout).toEqual({ amountDue: 3_400, seats: [{ count: 0, maximum: 1_000_000 }] });
  });

  it("shows a plan's credits, but no included units for features that use credits", async () => {
    const plan = await createPlan(shop, { consumptionModel: 'credits' });
    await createPrice(shop, plan.id, { price: 1_900, includedCredits: 1_000 });
    const { id } = await createFeature(shop, 'usage');
    await attachFeature(shop, plan.id, id, { creditsPerUnit: 2 });
    const payer = await open(
      await subscribeTo(shop, (await createCustomer(shop)).id, plan.id),
      wide,
      '?locale=es',
    );
    const list = payer.page.locator('main ul').first();
    expect(await list.locator('li').allTextContents()).toEqual([
      '1000 créditos incluidos',
      expect.stringMatching(/^Name of feature\d+ créditos por unidad$/),
    ]);
    await payer.close();
  });

  it('requires a phone number and consent, and reports which are missing', async () => {
    const seller = await otherShop(t, 'Quarry');
    await settle(seller, {
      checkout: { phone: 'required', consent: true },
      termsUrl: 'https://quarry.test/terms',
    });
    const { id: customerId } = await createCustomer(seller);
    await t.graphql(
      'mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id } }',
      {
        input: {
          id: customerId,
          address: { country: 'US', line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '73301' },
        },
      },
      { key: seller.key },
    );
    const plan = await createPricedPlan(seller, { price: 3_400 });
    const payer = await open(await subscribeTo(seller, customerId, plan.id), wide);
    const { page } = payer;
    const problems = () => page.locator('[id$="-problem"]:not(:empty)').allTextContents();
    await payer.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('#phone[aria-invalid="true"]').waitFor();
    await payer.settled();
    expect(await problems()).toEqual(['Enter a phone number.', 'Accept the terms to continue.']);
    expect([await payer.focused(), await payer.isOnScreen('#phone')]).toEqual(['phone', true]);
    expect(await chargesOf(seller, customerId)).toEqual([]);
    expect(await payer.accessibilityViolations()).toEqual([]);
    await page.fill('#phone', '+1 512 555 0100');
    await page.locator('#consent').check();
    // The customer already has an address, so the field can remain empty.
    expect(await page.inputValue('#line1')).toBe('');
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    const { customer } = await t.graphql<{ customer: unknown }>(
      'query ($id: ID!) { customer(id: $id) { address { line1 city phone } } }',
      { id: customerId },
      { key: seller.key },
    );
    expect(customer).toEqual({ address: { line1: '1 Main St', city: 'Austin', phone: '+1 512 555 0100' } });
    expect(await chargesOf(seller, customerId)).toEqual([[3_400, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('reports an implausible tax ID when the field loses focus, but keeps the entry', async () => {
    const seller = await otherShop(t, 'Taxed');
    const payer = await open(await createSubscription(seller), wide);
    const { page } = payer;
    await page.click('#billing summary');
    await page.selectOption('#country', 'DE');
    await page.check('#business');
    await page.fill('#taxDocument', 'DE1');
    await page.locator('#taxDocument').blur();
    await page.locator('#taxDocument[aria-invalid="true"]').waitFor();
    expect(await page.textContent('#taxDocument-problem')).toMatch(
      /^Check the tax ID\. It doesn't look like a valid .+ number\.$/,
    );
    expect(await page.inputValue('#taxDocument')).toBe('DE1');
    await page.fill('#taxDocument', 'DE136695976');
    await page.locator('#taxDocument').blur();
    await page.locator('#taxDocument[aria-invalid="false"]').waitFor();
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it.each([
    [
      'en',
      "You won't be charged today.",
      /^Thank you\. Your order for .+ is complete\. Your free trial ends on \w+ \d+, \d{4}\.$/,
    ],
    ['es', 'Hoy no se te cobra nada.', /^Gracias\. .+ \d{4}\.$/],
  ])("doesn't charge for a trial, and shows when the trial ends (%s)", async (language, promise, thanks) => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const { body } = await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: customer.id,
      planId: plan.id,
      customTrialDays: 14,
    });
    const token = body.checkoutUrl.split('/').at(-1) ?? '';
    const payer = await open({ token }, phone, `?locale=${language}`);
    expect(await payer.page.locator('html').getAttribute('lang')).toBe(language);
    expect(await payer.page.textContent('#summary')).toContain(promise);
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(thanks);
    // Nothing is charged for a trial, so the page offers no receipt.
    expect(await payer.page.locator('#receipt').count()).toBe(0);
    expect(await chargesOf(shop, customer.id)).toEqual([]);
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('completes a payment by keyboard in Spanish, with bank authentication and a receipt', async () => {
    const subscription = await createSubscription(shop);
    const payer = await open(subscription, wide, '?locale=es');
    const { page } = payer;
    const reach = async (id: string): Promise<void> => {
      for (let steps = 0; steps < 40 && (await payer.focused()) !== id; steps += 1)
        await page.keyboard.press('Tab');
      expect(await payer.focused()).toBe(id);
    };
    await reach('number');
    // A complete card field moves the focus to the next field.
    await page.keyboard.type(`${cards.authenticates}1299123`);
    await reach('pay');
    await page.keyboard.press('Enter');
    await page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.locator('.status.done').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('title');
    await reach('receipt');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/invoice/**');
    await page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(/^Se han pagado 49,00\sUS\$\./);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('shows the documented outcome of each test card', async () => {
    const outcomes: Record<string, string> = {
      Succeeds: 'done',
      Declined: 'The card was declined. Try again or use another card.',
      'Insufficient funds': 'The card has insufficient funds. Use another card.',
      Expired: 'The card has expired. Use another card.',
      'Requires bank confirmation': 'confirm',
      'Succeeds once, then declined': 'done',
    };
    for (const [effect, outcome] of Object.entries(outcomes)) {
      const payer = await open(await createSubscription(shop), phone);
      await payer.page.getByRole('button', { name: new RegExp(`\\d ${effect}$`) }).click();
      await payer.page.click('#pay');
      await payer.page.locator('.status.done, #alert, #confirm').first().waitFor();
      await payer.settled();
      const seen =
        (await payer.alert()) ?? ((await payer.page.locator('#confirm').isVisible()) ? 'confirm' : 'done');
      expect([effect, seen, payer.browserErrors]).toEqual([effect, outcome, []]);
      await payer.close();
    }
  });
});
