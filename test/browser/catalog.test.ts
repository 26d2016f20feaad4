import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  attachFeature,
  createCustomer,
  createFeature,
  createOffer,
  createPlan,
  createPrice,
  createPricedPlan,
  firstShop,
  off,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
let shop: Shop;

type StoredPlan = {
  readonly featureTerms: readonly object[];
  readonly id: string;
  readonly name: string;
  readonly prices: readonly {
    readonly id: string;
    readonly price: number;
    readonly billingInterval: string;
  }[];
};

const planOf = async (code: string) =>
  (
    await t.graphql<{ plan: StoredPlan }>(
      `query ($id: ID!) { plan(id: $id) { id name description consumptionModel exchangeRates { currency exchangeRate }
        prices { id price billingInterval trialDays regionalPrices { currency price autoSynced } }
        featureTerms { includedAmount overage { enabled unitPrice } feature { code type unitName } } } }`,
      { id: code },
    )
  ).plan;

const sheet = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

/** Fills in a number field and moves the focus to another element, so that the value is committed. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}

describe.skipIf(browserPath === null)('the product catalog in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('starts from a template, and previews its first invoice before creating objects', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open('/plans');
    await page.getByText('Usage with overage').click();
    await page
      .getByText(
        'At the end of the period: 25,000 API calls, 10,000 included. The overage of 15,000 costs $30.00.',
      )
      .waitFor();
    await type(page.getByLabel('Price per month'), '39');
    await page.getByText('$39.00 / month').waitFor();
    expect(
      (await t.graphql<{ plans: { nodes: object[] } }>('{ plans { nodes { id } } }')).plans.nodes,
    ).toEqual([]);
    await page.getByRole('button', { name: 'Create Developer' }).click();
    await page.getByRole('heading', { name: 'Developer', level: 1 }).waitFor();
    expect(await planOf('developer')).toMatchObject({
      name: 'Developer',
      consumptionModel: 'metered',
      prices: [{ price: 3_900, billingInterval: 'monthly', trialDays: 0, regionalPrices: [] }],
      featureTerms: [
        {
          includedAmount: 10_000,
          overage: { enabled: true, unitPrice: 20 },
          feature: { code: 'api_calls', type: 'usage', unitName: 'call' },
        },
      ],
    });
    await member.open('/plans/developer');
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('collects the changes to a plan, shows when they take effect, and submits them together', async () => {
    const { id } = await createPlan(shop, { code: 'team', name: 'Team' });
    const { id: priceId } = await createPrice(shop, id, { price: 4_900 });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page
      .getByRole('table', { name: 'Prices' })
      .or(page.getByRole('region', { name: 'Prices' }))
      .first()
      .waitFor();
    await page.getByText('Monthly', { exact: true }).first().click();
    await type(sheet(page, 'Monthly price').getByLabel('Price'), '59');
    await sheet(page, 'Monthly price').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Add currency' }).click();
    await page.getByRole('menuitem', { name: 'BRL' }).click();
    await type(page.getByLabel('BRL, Exchange rate for 1 USD'), '5.43');
    expect(await page.getByLabel('BRL, Monthly').inputValue()).toBe('320.37');
    expect((await planOf('team')).prices).toMatchObject([{ id: priceId, price: 4_900 }]);
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    await review.getByText('→ $59.00').waitFor();
    expect(await review.getByText('At renewal').count()).toBe(2);
    expect(await member.accessibilityViolations()).toEqual([]);
    await review.getByRole('button', { name: 'Save 2 changes' }).click();
    await review.waitFor({ state: 'hidden' });
    expect(await planOf('team')).toMatchObject({
      exchangeRates: [{ currency: 'brl', exchangeRate: 5.43 }],
      prices: [
        { id: priceId, price: 5_900, regionalPrices: [{ currency: 'brl', price: 32_037, autoSynced: true }] },
      ],
    });
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('shows when and for which customers a new price takes effect, and the price for new customers', async () => {
    const { id } = await createPlan(shop, { code: 'reach', name: 'Reach' });
    await createPrice(shop, id, { price: 4_900 });
    const customer = await createCustomer(shop, 'US');
    await pay(shop, (await subscribeTo(shop, customer.id, id)).token);
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page.getByRole('combobox', { name: "Visitor's country" }).fill('Brazil');
    await page.getByRole('option', { name: 'Brazil' }).click();
    await page.getByText('New customers from this country pay $49.00.').waitFor();
    await page.getByText('Monthly', { exact: true }).first().click();
    await type(sheet(page, 'Monthly price').getByLabel('Price'), '59');
    await sheet(page, 'Monthly price').getByRole('button', { name: 'Done' }).click();
    await page
      .getByText('New customers from this country pay $49.00 today, and $59.00 after you save.')
      .waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    await review.getByText('Affects 1 subscriber: at renewal,').waitFor();
    await review.getByText('You benefit.').waitFor();
    expect(await review.getByRole('link').count()).toBe(1);
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('shows when and for which customers new feature terms take effect, and who keeps a deleted plan', async () => {
    const { id } = await createPlan(shop, { code: 'terms', name: 'Terms' });
    await createPrice(shop, id, { price: 4_900 });
    const feature = await createFeature(shop, 'usage');
    await attachFeature(shop, id, feature.id, {
      includedAmount: 1_000,
      overage: { enabled: true, unitPrice: 25 },
    });
    const customer = await createCustomer(shop, 'US');
    await pay(shop, (await subscribeTo(shop, customer.id, id)).token);
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page.getByRole('table').getByText(feature.name, { exact: true }).click();
    const terms = sheet(page, feature.name);
    await type(terms.getByRole('textbox', { name: 'Included units per period' }), '500');
    await type(terms.getByRole('textbox', { name: 'Overage price per unit' }), '0.002');
    await terms.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    const line = (what: string) => review.getByRole('row').filter({ hasText: what });
    await line('Included units').getByText('Affects 1 subscriber: at renewal,').waitFor();
    await line('Included units').getByText('You benefit.').waitFor();
    await line('Overage price per unit')
      .getByText('Affects 1 subscriber: immediately, for the whole current period.')
      .waitFor();
    await line('Overage price per unit').getByText('Customers benefit.').waitFor();
    expect((await planOf('terms')).featureTerms).toMatchObject([{ includedAmount: 1_000 }]);
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    await member.open('/plans');
    await member.open(`/plans/${id}`);
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete plan' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('Affects 1 subscriber: they keep the plan.').waitFor();
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('stops at a rejected change and shows which changes were completed', async () => {
    await t.graphql(
      'mutation { featureCreate(input: { code: "reports", name: "Reports", type: boolean }) { id } }',
    );
    const { id } = await createPlan(shop, { code: 'solo', name: 'Solo' });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page.getByLabel('Name').fill('Solo 2');
    await page.getByRole('button', { name: 'Add feature' }).click();
    await sheet(page, 'Add feature').getByRole('button', { name: 'Create a new feature' }).click();
    await sheet(page, 'Add feature').getByLabel('Name', { exact: true }).fill('Exports');
    await sheet(page, 'Add feature').getByRole('button', { name: 'Create feature' }).click();
    await sheet(page, 'Exports').getByRole('button', { name: 'Done' }).click();
    await t.graphql('mutation { featureDelete(input: { code: "exports" }) { deletedId } }');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await sheet(page, 'Review changes').getByRole('button', { name: 'Save 2 changes' }).click();
    await page.getByText('1 of 2 changes were saved.').waitFor();
    await page.getByText('This feature no longer exists.').waitFor();
    expect(await planOf('solo')).toMatchObject({ name: 'Solo 2', featureTerms: [] });
    await member.close();
  });

  it('creates a batch of promo codes', async () => {
    await createOffer(shop, [off.percent(2_500, 3)], { name: 'Spring' });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open('/promo-codes?open=new');
    const form = sheet(page, 'New promo codes');
    await form.getByText('Several codes').click();
    await form.getByRole('textbox', { name: 'Prefix' }).fill('spring');
    await type(form.getByRole('textbox', { name: 'Number of codes' }), '12');
    await form.getByRole('button', { name: 'Create 12 codes' }).click();
    await form.getByText('12 of 12 codes created').waitFor();
    const codes = (await form.getByRole('textbox', { name: 'Codes' }).inputValue()).split('\n');
    const stored = await t.graphql<{ promoCodes: { nodes: { code: string; offer: { name: string } }[] } }>(
      '{ promoCodes(first: 100) { nodes { code offer { name } } } }',
    );
    expect(stored.promoCodes.nodes).toHaveLength(12);
    expect(stored.promoCodes.nodes.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());

    const [wanted = ''] = codes;
    await member.open('/promo-codes');
    const search = page.getByRole('searchbox', { name: 'Search' });
    await search.fill(wanted.toLowerCase());
    await page.getByText(wanted, { exact: true }).waitFor();
    await page.getByText(codes[1] ?? '', { exact: true }).waitFor({ state: 'detached' });
    await search.fill('NO SUCH CODE');
    await page.getByText(wanted, { exact: true }).waitFor({ state: 'detached' });
    await search.fill('');
    await page.getByText(codes[1] ?? '', { exact: true }).waitFor();
    expect(codes.filter((code) => !/^SPRING-[A-Z2-9]{8}$/.test(code))).toEqual([]);
    await member.close();
  });

  it('shows how much customers with an offer have saved in total', async () => {
    const offer = await createOffer(shop, [off.percent(2_500, 3)], { name: 'Savings' });
    const plan = await createPricedPlan(shop);
    const { body } = await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', {
      customerId: (await createCustomer(shop)).id,
      planId: plan.id,
      offerId: offer.id,
    });
    await pay(shop, body.checkoutUrl.split('/').at(-1) ?? '');
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    await member.open(`/offers?open=${offer.id}`);
    await member.page.getByText('Customers saved $12.25.').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await member.close();
  });

  it('creates, updates, and deletes a credit pack and an add-on, and updates and deletes a market', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    const changeAndDelete = async (name: string) => {
      await page.getByRole('link', { name }).click();
      await sheet(page, name).getByLabel('Name', { exact: true }).fill(`${name} 2`);
      expect(await member.accessibilityViolations()).toEqual([]);
      await sheet(page, name).getByRole('button', { name: 'Save changes' }).click();
      await page.getByRole('link', { name: `${name} 2` }).click();
      await sheet(page, `${name} 2`).getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: `${name} 2` }).waitFor({ state: 'detached' });
    };
    const codesOf = async (field: string) =>
      (await t.graphql<Record<string, { nodes: object[] }>>(`{ ${field} { nodes { name } } }`))[field]?.nodes;

    await member.open('/credit-packs?open=new');
    const pack = sheet(page, 'New credit pack');
    await pack.getByLabel('Name', { exact: true }).fill('Thousand');
    await type(pack.getByRole('textbox', { name: 'Price' }), '9');
    await pack.getByRole('button', { name: 'Create credit pack' }).click();
    await page.getByRole('link', { name: 'Thousand' }).waitFor();
    expect(await codesOf('creditPacks')).toEqual([{ name: 'Thousand' }]);
    await changeAndDelete('Thousand');
    expect(await codesOf('creditPacks')).toEqual([]);

    await createFeature(shop, 'boolean');
    await member.open('/add-ons?open=new');
    const addon = sheet(page, 'New add-on');
    await addon.getByLabel('Name', { exact: true }).fill('Sign-on');
    await addon.getByRole('button', { name: /Feature/ }).click();
    await page.getByRole('option').first().click();
    await type(addon.getByRole('textbox', { name: 'Price per period' }), '5');
    await addon.getByRole('button', { name: 'Create add-on' }).click();
    await page.getByRole('link', { name: 'Sign-on' }).waitFor();
    await changeAndDelete('Sign-on');
    expect(await codesOf('addons')).toEqual([]);

    await t.graphql(
      'mutation { marketCreate(input: { name: "Iberia", countryCodes: ["PT", "ES"] }) { id } }',
    );
    await member.open('/markets');
    await changeAndDelete('Iberia');
    expect(await codesOf('markets')).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it("can delete a feature only if it isn't in use", async () => {
    await t.graphql(
      'mutation { featureCreate(input: { code: "free", name: "Free feature", type: boolean }) { id } }',
    );
    const member = await DashboardMember.signIn(t, browser, { role: 'admin', language: 'es' });
    const { page } = member;
    await member.open('/features');
    await page.getByRole('link', { name: 'API calls' }).click();
    await sheet(page, 'API calls').getByText('La usan Developer.').waitFor();
    expect(await sheet(page, 'API calls').getByRole('button', { name: 'Eliminar' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Free feature' }).click();
    await sheet(page, 'Free feature').getByRole('button', { name: 'Eliminar' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Eliminar' }).click();
    await page.getByRole('link', { name: 'Free feature' }).waitFor({ state: 'detached' });
    const left = await t.graphql<{ features: { nodes: { code: string }[] } }>(
      '{ features { nodes { code } } }',
    );
    expect(left.features.nodes.map(({ code }) => code)).not.toContain('free');
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
