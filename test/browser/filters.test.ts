import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { moneyText } from '../../src/ui/format/money.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  createCustomer,
  createMarket,
  createOffer,
  createPricedPlan,
  latestTransaction,
  type Made,
  pay,
  type Shop,
  shopOf,
  subscribeTo,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { makeListRows } from '../support/list-rows.ts';

// Tests of list filters, searches, and totals. Lists must show the same rows as GraphQL, and restore their filters from the URL.

const rowCount = 60;

let t: TestApp;
let browser: Browser;
let member: DashboardMember;
let page: Page;
/** Organization with few rows. `seller` is a signed-in member. */
let shop: Shop;
let sold: Sold;
let seller: DashboardMember;

/** IDs of the linked objects, in row order, after the list shows `count` rows. */
async function shownIds(count: number, link = 'a[data-row-link]'): Promise<string[]> {
  const grid = page.getByRole('grid');
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(count + 1));
  const rows = grid.locator('[role="row"][aria-rowindex]:not([aria-rowindex="1"])');
  await expect.poll(() => rows.locator(link).count()).toBe(count);
  const found = await rows.evaluateAll(
    (elements, within) =>
      elements.map((row) => [
        Number(row.getAttribute('aria-rowindex')),
        row.querySelector(within)?.getAttribute('href')?.split('/').at(-1) ?? '',
      ]) as [number, string][],
    link,
  );
  return found.sort(([one], [other]) => one - other).map(([, id]) => id);
}

const named = async (field: string, id: string, { key }: Shop): Promise<{ name: string }> =>
  (
    await t.graphql<Record<'it', { name: string }>>(
      `query ($id: ID!) { it: ${field}(id: $id) { name } }`,
      { id },
      { key },
    )
  ).it;

const addressed = (): Record<string, string> => Object.fromEntries(new URL(page.url()).searchParams);

/** Opens the editor for a filter that isn't set. */
async function edit(field: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: field, exact: true }).click();
  return page.getByRole('dialog', { name: field });
}

/** Adds a filter with selected options. */
async function choose(field: string, ...options: RegExp[]): Promise<void> {
  const editor = await edit(field);
  for (const name of options) await editor.getByRole('checkbox', { name }).check({ force: true });
  await editor.getByRole('button', { name: 'Apply' }).click();
  await editor.waitFor({ state: 'detached' });
}

const chips = (): Promise<string[]> =>
  page
    .getByRole('group', { name: 'Filters' })
    .getByRole('button')
    .filter({ hasText: / is / })
    .allTextContents();

type Sold = {
  readonly harbor: { readonly priceId: string };
  readonly market: Made;
  readonly offers: readonly [Made, Made];
  /** Subscription at 49.00. `local` is a subscription at a market price of 45.00. `cheap` and `other` are subscriptions at 20.00. */
  readonly plain: string;
  readonly local: string;
  readonly cheap: string;
  readonly other: string;
};

/** Creates two plans, one with a market price. Sells four subscriptions, two of them with an offer. */
async function sellPlans(shop: Shop): Promise<Sold> {
  const [harbor, quay] = [await createPricedPlan(shop), await createPricedPlan(shop, { price: 2_000 })];
  const market = await createMarket(shop);
  await shop.rest('PATCH', `/plans/${harbor.id}/prices/${harbor.priceId}`, {
    marketPrices: [{ marketGroupId: market.id, currency: 'usd', price: 4_500 }],
  });
  const sell = async (plan: Made, country?: string): Promise<string> => {
    const subscription = await subscribeTo(shop, (await createCustomer(shop, country)).id, plan.id);
    await pay(shop, subscription.token);
    return subscription.id;
  };
  const [plain, local] = [await sell(harbor), await sell(harbor, market.countryCodes[0])];
  const [cheap, other] = [await sell(quay), await sell(quay)];
  const offers = [await createOffer(shop), await createOffer(shop)] as const;
  for (const [id, { id: offerId }] of [
    [local, offers[0]],
    [cheap, offers[1]],
  ] as const)
    await t.graphql(
      'mutation ($input: SubscriptionOfferApplyInput!) { subscriptionOfferApply(input: $input) { id } }',
      { input: { id, offerId } },
      { key: shop.key },
    );
  return { harbor, market, offers, plain, local, cheap, other };
}

describe.skipIf(browserPath === null)('a filtered list in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard({}, { writesEvents: true }), openBrowser()]);
    const { query } = t.app.database;
    await makeListRows(query, t.sandboxId, rowCount);
    // The search only recognizes IDs in the usual format.
    await query(
      `UPDATE "EmailNotification" SET id = 'eml_' || lpad(seq::text, 22, '0') WHERE "environmentId" = $1`,
      [t.sandboxId],
    );
    member = await DashboardMember.signIn(t, browser, { viewport: { width: 1_280, height: 3_000 } });
    ({ page } = member);
    await member.open('/features');
    const { organizationId, sandboxKey, sandboxId } = await t.otherTenant();
    shop = shopOf(t, sandboxKey, sandboxId);
    sold = await sellPlans(shop);
    seller = await DashboardMember.signIn(t, browser, { organizationId });
  });
  beforeEach(() => {
    ({ page } = member);
  });
  afterAll(async () => {
    for (const each of [member, seller]) expect([each.browserErrors, each.foreignRequests]).toEqual([[], []]);
    await Promise.all([member.close(), seller.close()]);
    await Promise.all([browser.close(), t.close()]);
  });

  it('filters subscriptions by price, market, and offer', async () => {
    const { harbor, market, offers, plain, local, cheap, other } = sold;
    ({ page } = seller);
    await seller.open('/subscriptions');
    expect(await shownIds(4)).toEqual([other, cheap, local, plain]);
    await choose('Price', / · monthly · \$49\.00$/);
    expect(await shownIds(2)).toEqual([local, plain]);
    expect(addressed()).toEqual({ price: harbor.priceId });
    const marketName = (await named('market', market.id, shop)).name;
    await choose('Market', new RegExp(`^${marketName}$`));
    expect(await shownIds(1)).toEqual([local]);
    expect(addressed()).toEqual({ price: harbor.priceId, market: market.id });
    expect(await chips()).toEqual([
      expect.stringMatching(/^Price is .* · monthly · \$49\.00$/),
      `Market is ${marketName}`,
    ]);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(await shownIds(4)).toHaveLength(4);
    const [one, two] = [await named('offer', offers[0].id, shop), await named('offer', offers[1].id, shop)];
    await choose('Offer', new RegExp(`^${one.name}$`));
    expect(await shownIds(1)).toEqual([local]);
    // The Offer filter has no "is not" option, because a subscription can have several offers.
    await page.getByRole('button', { name: /^Offer is / }).click();
    expect(await page.getByRole('dialog').getByRole('button').allTextContents()).toEqual(['Apply']);
    await page.getByRole('dialog').getByRole('checkbox', { name: two.name }).check({ force: true });
    await page.getByRole('button', { name: 'Apply' }).click();
    expect(await shownIds(2)).toEqual([cheap, local]);
    const asked: string[] = [];
    page.on('request', (request) => {
      const body = request.postData() ?? '';
      if (body.includes('query Subscriptions(')) asked.push(body);
    });
    await page.reload();
    expect(await shownIds(2)).toEqual([cheap, local]);
    expect(await chips()).toEqual([`Offer is ${one.name} or ${two.name}`]);
    // The first request after the reload already includes both offers.
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((body) => !body.includes(offers[1].id))).toEqual([]);
  });

  it('applies its filters to the totals, too', async () => {
    ({ page } = seller);
    const payment = await latestTransaction(shop, sold.plain);
    await t.graphql(
      'mutation ($input: TransactionRefundInput!) { transactionRefund(input: $input) { id } }',
      { input: { id: payment, amount: 900 } },
      { key: shop.key },
    );
    await seller.open('/refunds');
    expect(await shownIds(1)).toEqual([payment]);
    await page.getByText('1 refund · $9.00 refunded · $0.00 pending', { exact: true }).waitFor();
    expect(await seller.accessibilityViolations()).toEqual([]);
    await choose('Reason', /^Duplicate payment$/);
    await page.getByText('No refunds match.').waitFor();
    expect(await page.getByText(/ refunded · /).count()).toBe(0);
    await page.getByRole('link', { name: 'Payments', exact: true }).last().click();
    await page.getByText('4 payments · $134.00 collected · $9.00 refunded', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill(payment);
    await page.getByText('1 payment · $49.00 collected · $9.00 refunded', { exact: true }).waitFor();
    expect(await shownIds(1)).toEqual([payment]);
    expect(addressed()).toEqual({ q: payment });
  });

  it('filters usage by outcome, model, and property, at a shareable URL', async () => {
    // Each customer has one usage event.
    const link = 'a[href*="/customers/"]';
    const customersOf = async (filter: string): Promise<string[]> => {
      const { usageEvents } = await t.graphql<{ usageEvents: { nodes: { customerId: string }[] } }>(
        `{ usageEvents(first: 100, filter: ${filter}) { nodes { customerId } } }`,
      );
      return usageEvents.nodes.map(({ customerId }) => customerId);
    };
    await member.follow('/usage');
    await choose('Outcome', /^Balance used up$/, /^Deducted$/);
    const pooled = await customersOf('{ outcomes: [exhausted, deducted] }');
    expect(await shownIds(pooled.length, link)).toEqual(pooled);
    const model = await edit('AI model');
    await model.getByRole('textbox').fill('acme/large');
    await model.getByRole('button', { name: 'Apply' }).click();
    const large = await customersOf('{ outcomes: [exhausted, deducted], models: ["acme/large"] }');
    expect(await shownIds(large.length, link)).toEqual(large);
    expect(large.length).toBeLessThan(pooled.length);
    const editor = await edit('Property (name=value)');
    await editor.getByRole('textbox').fill('region');
    expect(await editor.getByRole('button', { name: 'Apply' }).isDisabled()).toBe(true);
    await editor.getByRole('textbox').fill('region=us');
    await editor.getByRole('button', { name: 'Apply' }).click();
    const inRegion = await customersOf(
      '{ outcomes: [exhausted, deducted], models: ["acme/large"], property: { name: "region", value: "us" } }',
    );
    expect(await shownIds(inRegion.length, link)).toEqual(inRegion);
    const address = { outcome: 'exhausted,deducted', model: 'acme/large', property: 'region=us' };
    expect(addressed()).toEqual(address);
    await member.open(`/usage?${new URLSearchParams(address)}`);
    expect(await shownIds(inRegion.length, link)).toEqual(inRegion);
  });

  it('applies its filters to the live stream of usage events, too', async () => {
    ({ page } = seller);
    const [pooled, metered] = [await createCreditsConsumer(shop), await createConsumer(shop)];
    const track = (value: number) =>
      shop.rest('POST', '/usage/events', { ...of(value === 5 ? metered : pooled), value });
    await seller.open('/usage');
    await choose('Outcome', /^Metered$/);
    await page.getByRole('button', { name: 'Watch live' }).click();
    expect(addressed()).toEqual({ outcome: 'metered', open: 'tail' });
    const tail = page.getByRole('dialog');
    const values = () => tail.getByRole('row').getByRole('cell', { name: /^\d+$/ }).allTextContents();
    await tail.getByRole('button', { name: 'Outcome is Metered', exact: true }).waitFor();
    // The subscription to the stream starts shortly after the sheet opens, so repeat the events until they're
    // shown.
    const both = () =>
      track(1)
        .then(() => track(5))
        .then(values);
    await expect.poll(both, { timeout: 20_000, interval: 500 }).toContain('5');
    expect(new Set(await values())).toEqual(new Set(['5']));
    expect(await seller.accessibilityViolations()).toEqual([]);
    await tail.getByRole('button', { name: 'Remove Outcome is Metered' }).click();
    await tail.getByText('No usage events since you opened this panel').waitFor();
    expect(addressed()).toEqual({ open: 'tail' });
    await expect.poll(both, { timeout: 20_000, interval: 500 }).toContain('1');
    await page.keyboard.press('Escape');
    await tail.waitFor({ state: 'detached' });
    expect(addressed()).toEqual({});
  });

  it('finds an email by its ID and emails by recipient', async () => {
    const grid = page.getByRole('grid');
    await member.follow('/emails');
    await page.getByRole('searchbox').fill(`eml_${'7'.padStart(22, '0')}`);
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await grid.getByText('person7@acme.test').waitFor();
    const { emails } = await t.graphql<{ emails: { nodes: { recipient: string }[] } }>(
      '{ emails(first: 100, search: "@acme.test") { nodes { recipient } } }',
    );
    await page.getByRole('searchbox').fill('@acme.test');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe(String(emails.nodes.length + 1));
    expect(emails.nodes.length).toBeGreaterThan(1);
    expect(await grid.getByText(/^person\d+@acme\.test$/).allTextContents()).toEqual(
      emails.nodes.map(({ recipient }) => recipient),
    );
    expect(addressed()).toEqual({ q: '@acme.test' });
  });

  it.each([
    ['/payments', 'transactions', (total: Total) => total.status !== 'failed' && total.status !== 'pending'],
    ['/refunds', 'refunds', (total: Total) => total.status === 'succeeded'],
    ['/payouts', 'payouts', (total: Total) => total.status === 'paid'],
  ] as const)('shows the same totals as GraphQL for %s', async (path, list, isDone) => {
    const nouns = { transactions: 'payments', refunds: 'refunds', payouts: 'payouts' };
    const words = { transactions: 'collected', refunds: 'refunded', payouts: 'paid' };
    const totalsShown = async (): Promise<string[]> =>
      page.getByText(new RegExp(`^\\d+ ${nouns[list]}? · `)).allTextContents();
    const expected = async (filter: string): Promise<string[]> => {
      const data = await t.graphql<Record<string, { totals: Total[] }>>(
        `{ ${list}(${filter}) { totals { currency status count amount } } }`,
      );
      const totals = data[list]?.totals ?? [];
      return [...new Set(totals.map(({ currency }) => currency))].map((currency) => {
        const own = totals.filter((total) => total.currency === currency);
        const count = own.reduce((sum, total) => sum + total.count, 0);
        const done = own.filter(isDone).reduce((sum, total) => sum + total.amount, 0);
        return `${count} ${nouns[list]} · ${moneyText(done, currency, 'en-US')} ${words[list]} · `;
      });
    };
    const agree = async (filter: string): Promise<void> => {
      const wanted = (await expected(filter)).sort();
      expect(wanted.length).toBeGreaterThan(0);
      await expect
        .poll(async () =>
          (await totalsShown()).map((text) => text.split(' · ').slice(0, 2).join(' · ').concat(' · ')).sort(),
        )
        .toEqual(wanted);
    };
    await member.follow(path);
    await agree('first: 1');
    const [option, status] =
      list === 'payouts'
        ? [/^In transit$/, 'in_transit']
        : list === 'refunds'
          ? [/^Refunded$/, 'succeeded']
          : [/^Refunded$/, 'refunded'];
    await choose('Status', option);
    await agree(`filter: { statuses: [${status}] }`);
    expect(addressed()).toEqual({ status });
  });
});

type Total = {
  readonly currency: string;
  readonly status: string;
  readonly count: number;
  readonly amount: number;
};
