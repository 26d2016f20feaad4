import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  advanceDays,
  createActiveSubscription,
  createCustomer,
  createOffer,
  createPricedPlan,
  firstShop,
  off,
  pay,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;

const endsWithPeriod = async (id: string): Promise<boolean> =>
  (
    await t.graphql<{ subscription: { cancelAtPeriodEnd: boolean } }>(
      'query ($id: ID!) { subscription(id: $id) { cancelAtPeriodEnd } }',
      { id },
    )
  ).subscription.cancelAtPeriodEnd;

type Id = { readonly id: string };

/** Names of the offers applied to each subscription, from newest to oldest. */
const offersOf = (subscriptions: readonly Id[]): Promise<string[][]> =>
  Promise.all(
    subscriptions.map(async ({ id }) => {
      const { subscription } = await t.graphql<{
        subscription: { offerApplications: { name: string }[] };
      }>('query ($id: ID!) { subscription(id: $id) { offerApplications { name } } }', { id });
      return subscription.offerApplications.map(({ name }) => name);
    }),
  );

/** Total of each subscription's latest invoice, in minor units. */
const renewalsOf = (subscriptions: readonly Id[]): Promise<(number | undefined)[]> =>
  Promise.all(
    subscriptions.map(async ({ id }) => {
      const { subscription } = await t.graphql<{
        subscription: { invoices: { nodes: { total: number }[] } };
      }>('query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { nodes { total } } } }', { id });
      return subscription.invoices.nodes[0]?.total;
    }),
  );

describe.skipIf(browserPath === null)("a list's bulk action bar", () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    member = await DashboardMember.signIn(t, browser);
  });
  afterAll(async () => {
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('cancels selected subscriptions one by one, and can retry a rejected cancellation', async () => {
    const { page } = member;
    const first = await createActiveSubscription(shop);
    const second = await createActiveSubscription(shop);
    await member.open('/subscriptions');
    const grid = page.getByRole('grid', { name: 'Subscriptions' });
    await grid.getByRole('row').nth(2).waitFor();
    await grid.focus();
    for (const key of ['x', 'j', 'x']) await page.keyboard.press(key);
    expect(await grid.locator('[role="row"][aria-selected="true"]').count()).toBe(2);
    await page.getByRole('button', { name: 'Cancel at period end' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No charge now.').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    // Another client cancels one of the selected subscriptions.
    await t.graphql(
      'mutation ($input: SubscriptionCancelInput!) { subscriptionCancel(input: $input) { id } }',
      {
        input: { id: second.id },
      },
    );
    await dialog.getByRole('button', { name: 'Cancel subscription (2)' }).click();
    await dialog.getByText('1 row completed, 1 rejected.').waitFor();
    expect(await endsWithPeriod(first.id)).toBe(true);
    expect(await member.accessibilityViolations()).toEqual([]);
    await t.graphql(
      'mutation ($input: SubscriptionUncancelInput!) { subscriptionUncancel(input: $input) { id } }',
      { input: { id: second.id } },
    );
    await dialog.getByRole('button', { name: 'Retry 1 row' }).click();
    await dialog.getByText('2 rows completed.', { exact: true }).waitFor();
    expect(await endsWithPeriod(second.id)).toBe(true);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    expect(member.browserErrors).toEqual([]);
  });

  it('previews an offer, applies it to the selected subscriptions, and can retry a rejected application', async () => {
    const { page } = member;
    const made = [
      await createActiveSubscription(shop, { price: 4_900 }),
      await createActiveSubscription(shop, { price: 9_900 }),
    ];
    const plan = await createPricedPlan(shop, { price: 4_900 });
    await setCurrency(shop, plan.id, 'brl', 5);
    const inBrazil = await subscribeTo(shop, (await createCustomer(shop, 'BR')).id, plan.id);
    await pay(shop, inBrazil.token);
    made.push(inBrazil);
    const spring = await createOffer(shop, [off.amount(1_000, 2)], { name: 'Spring' });
    await member.open('/subscriptions');
    const grid = page.getByRole('grid', { name: 'Subscriptions' });
    await grid.getByRole('row').nth(3).waitFor();
    await grid.focus();
    await page.keyboard.press('x');
    for (const _ of [1, 2]) await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').first().waitFor();
    await page.getByRole('button', { name: 'Apply offer' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Apply offer (3)' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: /Offer/ }).first().click();
    await page.getByRole('option', { name: 'Spring' }).click();
    await dialog.getByText('No charge now.').waitFor();
    // Discounted prices: 4,900 − 1,000 and 9,900 − 1,000. The offer has no amount in BRL, so the third row is rejected.
    await dialog.getByText('Upcoming charges will total $128.00 instead of $148.00.').waitFor();
    await dialog.getByText('1 row would be rejected.').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Apply offer (3)' }).click();
    await dialog.getByText('2 rows completed, 1 rejected.').waitFor();
    await dialog.getByText('1 rejected', { exact: true }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    expect(await offersOf(made)).toEqual([['Spring'], ['Spring'], []]);
    const amounts = [
      { currency: 'usd', amount: 1_000 },
      { currency: 'brl', amount: 5_000 },
    ];
    await shop.rest('PATCH', `/offers/${spring.id}`, {
      name: 'Spring',
      phases: [{ type: 'amount_off', durationCycles: 2, amounts }],
    });
    await dialog.getByRole('button', { name: 'Retry 1 row' }).click();
    await dialog.getByText('3 rows completed.', { exact: true }).waitFor();
    expect(await offersOf(made)).toEqual([['Spring'], ['Spring'], ['Spring']]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await advanceDays(shop, 31);
    // Discounted price in BRL: 4,900 × 5 − 5,000.
    expect(await renewalsOf(made)).toEqual([3_900, 8_900, 19_500]);
    expect(member.browserErrors).toEqual([]);
  });

  it('previews a customer credit and grants it to the selected customers', async () => {
    const { page } = member;
    const customers = [await createCustomer(shop), await createCustomer(shop)];
    await member.open('/customers');
    const grid = page.getByRole('grid', { name: 'Customers' });
    await grid.getByRole('row').nth(2).waitFor();
    await grid.focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').first().waitFor();
    await page.getByRole('button', { name: 'Add credit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('5');
    await dialog.getByLabel('Amount').press('Tab');
    await dialog.getByLabel('Reason').fill('An outage');
    await dialog.getByText('$10.00 in total.').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Add credit (2)' }).click();
    await dialog.getByText('2 rows completed.', { exact: true }).waitFor();
    for (const { id } of customers) {
      const { customer } = await t.graphql<{ customer: { credits: { nodes: { amount: number }[] } } }>(
        'query ($id: ID!) { customer(id: $id) { credits(first: 5) { nodes { amount } } } }',
        { id },
      );
      expect(customer.credits.nodes.map(({ amount }) => amount)).toEqual([500]);
    }
    expect(member.browserErrors).toEqual([]);
  });

  it('exports only the selected rows', async () => {
    const { page } = member;
    await member.open('/customers');
    const grid = page.getByRole('grid', { name: 'Customers' });
    await grid.getByRole('row').nth(2).waitFor();
    await grid.focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').first().waitFor();
    const ids = await t.graphql<{ customers: { nodes: { id: string }[] } }>(
      '{ customers(first: 2) { nodes { id } } }',
    );
    await page.getByRole('button', { name: 'Export selected' }).click();
    const dialog = page.getByRole('dialog');
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Start export' }).click();
    await dialog.getByRole('link', { name: /csv/ }).waitFor();
    const { exports } = await t.graphql<{ exports: { nodes: { rows: number; files: { url: string }[] }[] } }>(
      '{ exports(first: 1) { nodes { rows files { url } } } }',
    );
    const [made] = exports.nodes;
    const text = await (await fetch(made?.files[0]?.url ?? '')).text();
    expect(made?.rows).toBe(2);
    for (const { id } of ids.customers.nodes) expect(text).toContain(id);
    expect(member.browserErrors).toEqual([]);
  });

  it('can also export the selected rows of other lists', async () => {
    const { page } = member;
    for (const place of ['/invoices', '/payments', '/events', '/ledger']) {
      await member.open(place);
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
      await page.getByRole('grid').focus();
      await page.keyboard.press('x');
      await page.getByText('1 selected').first().waitFor();
      await page.getByRole('button', { name: 'Export selected' }).waitFor();
      expect(await member.accessibilityViolations()).toEqual([]);
    }
    expect(member.browserErrors).toEqual([]);
  });

  it('creates a portal link for each selected customer', async () => {
    const { page } = member;
    await createCustomer(shop);
    await member.open('/customers');
    const grid = page.getByRole('grid', { name: 'Customers' });
    await grid.getByRole('row').nth(1).waitFor();
    await grid.focus();
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Create portal links' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /\(1\)$/ }).click();
    await dialog.getByText('1 row completed.', { exact: true }).waitFor();
    await dialog.getByText(/\/portal\//).waitFor();
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
  });
});
