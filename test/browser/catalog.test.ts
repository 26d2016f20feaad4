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

/** A dialog or sheet by its title. */
const sheet = (page: Page, name: string): Locator => page.getByRole('dialog', { name });

/** Types into a field that shows a number, and leaves it. */
async function type(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.press('Tab');
}

describe.skipIf(browserPath === null)('the catalog in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('begins with a template, whose first invoice is shown before anything is made', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open('/plans');
    await page.getByText('Usage with overage').click();
    await page
      .getByText('At the end of the period: 25,000 API calls, 10,000 included, 15,000 above it cost $30.00.')
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
    expect([await member.barriers(), member.complaints]).toEqual([[], []]);
    await member.close();
  });

  it('collects changes, shows whom they reach, and sends them together', async () => {
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
    await type(page.getByLabel('BRL, For 1 USD'), '5.43');
    expect(await page.getByLabel('BRL, Monthly').inputValue()).toBe('320.37');
    expect((await planOf('team')).prices).toMatchObject([{ id: priceId, price: 4_900 }]);
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    await review.getByText('→ $59.00').waitFor();
    expect(await review.getByText('At renewal').count()).toBe(2);
    expect(await member.barriers()).toEqual([]);
    await review.getByRole('button', { name: 'Make 2 changes' }).click();
    await review.waitFor({ state: 'hidden' });
    expect(await planOf('team')).toMatchObject({
      exchangeRates: [{ currency: 'brl', exchangeRate: 5.43 }],
      prices: [
        { id: priceId, price: 5_900, regionalPrices: [{ currency: 'brl', price: 32_037, autoSynced: true }] },
      ],
    });
    expect(member.complaints).toEqual([]);
    await member.close();
  });

  it('tells who pays a new price, when, and what a visitor pays today', async () => {
    const { id } = await createPlan(shop, { code: 'reach', name: 'Reach' });
    await createPrice(shop, id, { price: 4_900 });
    const customer = await createCustomer(shop, 'US');
    await pay(shop, (await subscribeTo(shop, customer.id, id)).token);
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page.getByRole('combobox', { name: 'What would a visitor from' }).fill('Brazil');
    await page.getByRole('option', { name: 'Brazil' }).click();
    await page.getByText('New customers there pay $49.00.').waitFor();
    await page.getByText('Monthly', { exact: true }).first().click();
    await type(sheet(page, 'Monthly price').getByLabel('Price'), '59');
    await sheet(page, 'Monthly price').getByRole('button', { name: 'Done' }).click();
    await page.getByText('New customers there pay $49.00 today, $59.00 once you save.').waitFor();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    await review.getByText('1 subscriber is concerned: at renewal,').waitFor();
    await review.getByText('In your favor.').waitFor();
    expect(await review.getByRole('link').count()).toBe(1);
    expect([await member.barriers(), member.complaints]).toEqual([[], []]);
    await member.close();
  });

  it('tells whom new terms of a feature concern and when, and who keeps a plan that is deleted', async () => {
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
    await type(terms.getByRole('textbox', { name: 'Price of each further unit' }), '0.002');
    await terms.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Review changes' }).click();
    const review = sheet(page, 'Review changes');
    const line = (what: string) => review.getByRole('row').filter({ hasText: what });
    await line('Included units').getByText('1 subscriber is concerned: at renewal,').waitFor();
    await line('Included units').getByText('In your favor.').waitFor();
    await line('Price of each further unit')
      .getByText('1 subscriber is concerned: at once, for the whole running period.')
      .waitFor();
    await line('Price of each further unit').getByText('In favor of customers.').waitFor();
    expect((await planOf('terms')).featureTerms).toMatchObject([{ includedAmount: 1_000 }]);
    expect(await member.barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await member.open('/plans');
    await member.open(`/plans/${id}`);
    await page.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Delete plan' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('1 subscriber is concerned: they keep the plan.').waitFor();
    expect([await member.barriers(), member.complaints]).toEqual([[], []]);
    await member.close();
  });

  it('stops at a change that is rejected, and says what is done', async () => {
    await t.graphql(
      'mutation { featureCreate(input: { code: "reports", name: "Reports", type: boolean }) { id } }',
    );
    const { id } = await createPlan(shop, { code: 'solo', name: 'Solo' });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open(`/plans/${id}`);
    await page.getByLabel('Name').fill('Solo 2');
    await page.getByRole('button', { name: 'Add feature' }).click();
    await sheet(page, 'Add feature').getByRole('button', { name: 'Make a new feature' }).click();
    await sheet(page, 'Add feature').getByLabel('Name', { exact: true }).fill('Exports');
    await sheet(page, 'Add feature').getByRole('button', { name: 'Create feature' }).click();
    await sheet(page, 'Exports').getByRole('button', { name: 'Done' }).click();
    await t.graphql('mutation { featureDelete(input: { code: "exports" }) { deletedId } }');
    await page.getByRole('button', { name: 'Review changes' }).click();
    await sheet(page, 'Review changes').getByRole('button', { name: 'Make 2 changes' }).click();
    await page.getByText('Stopped: 1 of 2 steps are done').waitFor();
    await page.getByText('This feature does not exist any more.').waitFor();
    expect(await planOf('solo')).toMatchObject({ name: 'Solo 2', featureTerms: [] });
    await member.close();
  });

  it('makes promo codes by the dozen', async () => {
    await createOffer(shop, [off.percent(2_500, 3)], { name: 'Spring' });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open('/promo-codes?open=new');
    const form = sheet(page, 'New promo codes');
    await form.getByText('Many codes at once').click();
    await form.getByRole('textbox', { name: 'Prefix' }).fill('spring');
    await type(form.getByRole('textbox', { name: 'Number of codes' }), '12');
    await form.getByRole('button', { name: 'Create 12 codes' }).click();
    await form.getByText('12 of 12 codes are made.').waitFor();
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

  it('says what customers saved by an offer', async () => {
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
    await member.page.getByText('Customers saved $12.25 by it.').waitFor();
    expect(await member.barriers()).toEqual([]);
    await member.close();
  });

  it('makes, changes and deletes a credit pack, an add-on and a market in their sheets', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    const changeAndDelete = async (name: string) => {
      await page.getByRole('link', { name }).click();
      await sheet(page, name).getByLabel('Name', { exact: true }).fill(`${name} 2`);
      expect(await member.barriers()).toEqual([]);
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
    expect(member.complaints).toEqual([]);
    await member.close();
  });

  it('keeps a feature that is in use', async () => {
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
    expect(member.complaints).toEqual([]);
    await member.close();
  });
});
