import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  attachFeature,
  cards,
  createCustomer,
  createFeature,
  createPrice,
  createPricedPlan,
  createSubscription,
  firstShop,
  otherShop,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// What payers choose and fill in at the checkout, on a wide screen and on a phone, in English and Spanish, with a mouse and without.

let t: TestApp;
let shop: Shop;
let browser: Browser;

const wide = { viewport: { width: 1_280, height: 900 } } as const;

describe.skipIf(browserPath === null)('choices at the checkout in a browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const open = ({ token }: { readonly token: string | null }, options: object, search = '') =>
    Visitor.open(browser, `${t.url}/checkout/${token}${search}`, options);

  const settle = (seller: Shop, input: object) =>
    t.graphql(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input },
      { key: seller.key },
    );

  /** The subscription of a new customer to a plan of 34.00 a month and 340.00 a year, with three of its seats included and others at 5.00. */
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

  it.each([
    ['wide', wide],
    ['a phone', phone],
  ])('interval and seats change what is due, and that is charged (%s)', async (_name, options) => {
    const team = await createTeam(shop);
    const payer = await open(team, options);
    const { page } = payer;
    expect(await page.locator('#intervals').innerText()).toMatch(
      /Monthly[\s\S]*\$34\.00[\s\S]*Yearly[\s\S]*saves \$68\.00/,
    );
    await page.locator('input[name="interval"][value="yearly"]').click();
    await page.locator('#pay:text("$340.00")').waitFor();
    await payer.settled();
    await page.fill(`#seats-${team.code}`, '5');
    await page.locator(`#seats-${team.code}`).blur();
    // Two further seats for twelve months.
    await page.locator('#pay:not(:text("$340.00"))').waitFor();
    await payer.settled();
    const [due = ''] = /[\d.]+/.exec((await page.textContent('#pay')) ?? '') ?? [];
    expect(await payer.barriers()).toEqual([]);
    await payer.typeCard(cards.pays);
    await page.click('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, team.customerId)).toEqual([[Number(due) * 100, 'succeeded']]);
    expect(Number(due)).toBeGreaterThan(340);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it.each([
    ['wide', wide],
    ['a phone', phone],
  ])(
    'a telephone number, consent and a tax number are asked for, and said where they are missing (%s)',
    async (_name, options) => {
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
      const payer = await open(await subscribeTo(seller, customerId, plan.id), options);
      const { page } = payer;
      const problems = () => page.locator('[id$="-problem"]:not(:empty)').allTextContents();
      await payer.typeCard(cards.pays);
      await page.click('#pay');
      await page.locator('#phone[aria-invalid="true"]').waitFor();
      await payer.settled();
      expect(await problems()).toEqual(['Enter a telephone number.', 'Accept the terms to go on.']);
      expect([await payer.focused(), await payer.isOnScreen('#phone')]).toEqual(['phone', true]);
      expect(await chargesOf(seller, customerId)).toEqual([]);
      expect(await payer.barriers()).toEqual([]);
      await page.fill('#phone', '+1 512 555 0100');
      await page.locator('#consent').check();
      // The address on file is not asked for once more.
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
      expect(payer.complaints).toEqual([]);
      await payer.close();
    },
  );

  it('a tax number that cannot be one is said while it is typed, and takes nothing away', async () => {
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
      /^This does not look like a number of the kind .+\. Check it\.$/,
    );
    expect(await page.inputValue('#taxDocument')).toBe('DE1');
    await page.fill('#taxDocument', 'DE136695976');
    await page.locator('#taxDocument').blur();
    await page.locator('#taxDocument[aria-invalid="false"]').waitFor();
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it.each([
    ['en', 'Nothing is charged today.', /^Thank you\. .+ is yours\. Your trial runs until \w+ \d+, \d{4}\.$/],
    ['es', 'Hoy no se cobra nada.', /^Gracias\. .+ \d{4}\.$/],
  ])('a trial charges nothing and says when it ends (%s)', async (language, promise, thanks) => {
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
    // Nothing was charged, so there is no receipt.
    expect(await payer.page.locator('#receipt').count()).toBe(0);
    expect(await chargesOf(shop, customer.id)).toEqual([]);
    expect(await payer.barriers()).toEqual([]);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('is paid in Spanish without a mouse, bank confirmation and receipt included', async () => {
    const subscription = await createSubscription(shop);
    const payer = await open(subscription, wide, '?locale=es');
    const { page } = payer;
    const reach = async (id: string): Promise<void> => {
      for (let steps = 0; steps < 40 && (await payer.focused()) !== id; steps += 1)
        await page.keyboard.press('Tab');
      expect(await payer.focused()).toBe(id);
    };
    await reach('number');
    // Each field leads to the next one once it is full.
    await page.keyboard.type(`${cards.authenticates}1299123`);
    await reach('pay');
    await page.keyboard.press('Enter');
    await page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.barriers()).toEqual([]);
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
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it.each([wide, phone])('every test card does what the page says of it (%#)', async (options) => {
    const outcomes: Record<string, string> = {
      Pays: 'done',
      'Is declined': 'The card was declined. Try again or use another card.',
      'Has insufficient funds': 'The card has insufficient funds. Use another card.',
      'Has expired': 'The card has expired. Use another card.',
      'Needs confirmation': 'confirm',
      'Pays once, is declined later': 'done',
    };
    for (const [effect, outcome] of Object.entries(outcomes)) {
      const payer = await open(await createSubscription(shop), options);
      await payer.page.getByRole('button', { name: new RegExp(`\\d ${effect}$`) }).click();
      await payer.page.click('#pay');
      await payer.page.locator('.status.done, #alert, #confirm').first().waitFor();
      await payer.settled();
      const seen =
        (await payer.alert()) ?? ((await payer.page.locator('#confirm').isVisible()) ? 'confirm' : 'done');
      expect([effect, seen, payer.complaints]).toEqual([effect, outcome, []]);
      await payer.close();
    }
  });
});
