import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  createActiveSubscription,
  createCustomer,
  createPlan,
  createPricedPlan,
  createSubscription,
  pay,
  type Shop,
  shopOf,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

// A new merchant's first hour: customers, plans, and subscriptions without code, on pages that follow each payment.

describe.skipIf(browserPath === null)('the first hour', () => {
  let t: TestApp;
  let browser: Browser;
  let shop: Shop;
  let member: DashboardMember;

  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  beforeEach(async () => {
    const { organizationId, sandboxKey, sandboxId } = await t.otherTenant();
    shop = shopOf(t, sandboxKey, sandboxId);
    member = await DashboardMember.signIn(t, browser, { organizationId });
  });
  afterEach(() => member.close());
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('shows the next invoice, the forecast, and the activity after a payment in another tab', async () => {
    const { page } = member;
    const { customerId, token } = await createSubscription(shop);
    await member.open(`/customers/${customerId}`);
    await page.getByText('No charges in the next 12 months.').waitFor();
    await pay(shop, token);
    // 12 renewals of 49.00.
    await page
      .getByText(/\$588\.00/)
      .first()
      .waitFor();
    expect(await page.getByText('No charges in the next 12 months.').count()).toBe(0);
    expect(await page.getByText('No upcoming invoice.').count()).toBe(0);
    await page
      .getByText(/was paid/)
      .first()
      .waitFor();
    expect(member.browserErrors).toEqual([]);
  });

  it('creates the customer of a new subscription in the same dialog', async () => {
    const { page } = member;
    const plan = await createPricedPlan(shop, { price: 3_400 });
    await member.open('/subscriptions?open=new');
    // The open list of customers hides the rest of the dialog from the accessibility tree.
    await page.getByRole('button', { name: 'New customer', includeHidden: true }).click();
    await page.getByRole('textbox', { name: 'Email' }).fill('new@hour.test');
    await page.getByRole('textbox', { name: /^Name/ }).fill('New Person');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('dialog').getByRole('button', { name: /Plan/ }).first().click();
    await page.getByRole('option', { name: /\$34\.00/ }).click();
    await page.getByRole('button', { name: 'Create subscription ($34.00 due)' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open link' }).waitFor();
    const { customers } = await t.graphql<{ customers: { nodes: object[] } }>(
      '{ customers { nodes { email fullName subscription { catalogPlan { id } } } } }',
      {},
      { key: shop.key },
    );
    expect(customers.nodes).toEqual([
      { email: 'new@hour.test', fullName: 'New Person', subscription: { catalogPlan: { id: plan.id } } },
    ]);
  });

  it('adds another plan to the plan group if no other plan can be selected', async () => {
    const { page } = member;
    const { customerId, planId } = await createActiveSubscription(shop, { price: 2_900 });
    const other = await createPricedPlan(shop, { price: 9_900 });
    await member.open(`/customers/${customerId}?do=changePlan`);
    await page.getByRole('button', { name: /Other plan/ }).click();
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: 'Add to plan group' }).click();
    await page.getByRole('button', { name: /New plan/ }).click();
    await page.getByRole('option', { name: /\$99\.00/ }).click();
    await page.getByRole('button', { name: /^Change plan and charge/ }).waitFor();
    const { planGroups } = await t.graphql<{ planGroups: { nodes: object[] } }>(
      '{ planGroups { nodes { plans { id } } } }',
      {},
      { key: shop.key },
    );
    expect(planGroups.nodes).toEqual([{ plans: [{ id: planId }, { id: other.id }] }]);
  });

  it('creates a test customer with the first steps and opens the checkout', async () => {
    const { page } = member;
    await createPricedPlan(shop, { price: 1_900 });
    await member.open('/welcome');
    const popup = page.waitForEvent('popup');
    await page.getByRole('button', { name: 'Create test customer and pay' }).click();
    const checkout = await popup;
    await checkout.waitForURL(/\/checkout\//);
    await checkout.getByText('$19.00').first().waitFor();
    await page.getByText('Your first customer has a subscription.').waitFor();
    expect(member.browserErrors).toEqual([]);
    await checkout.close();
  });

  it.each(['Enter', 'Tab'])('selects the first matching country with %s', async (key) => {
    const { page } = member;
    await member.open('/settings/organization');
    const country = page.getByRole('combobox', { name: /^Country/ });
    await country.fill('Germ');
    await country.press(key);
    await expect.poll(() => country.inputValue()).toBe('Germany');
  });

  it('sorts customers by recurring revenue, and totals all customers', async () => {
    const { page } = member;
    await createPlan(shop);
    await createCustomer(shop);
    await createActiveSubscription(shop, { price: 1_900 });
    await createActiveSubscription(shop, { price: 99_000 });
    await member.open('/customers');
    await page.getByText('$1,009.00 MRR · $0.00 outstanding · $1,009.00 paid').waitFor();
    const header = page.getByRole('columnheader', { name: 'MRR' });
    const amounts = () => page.getByRole('gridcell', { name: /^\$(990|19)\.00$/ }).allTextContents();
    // The header shows the order before the rows do.
    for (const order of ['ascending', 'descending']) {
      await header.click();
      await expect.poll(() => header.getAttribute('aria-sort')).toBe(order);
      const sorted = ['$990.00', '$19.00'];
      await expect.poll(amounts).toEqual(order === 'descending' ? sorted : sorted.toReversed());
    }
  });

  it('shows the steps before live payments, and which are required', async () => {
    const { page } = member;
    await member.open('/welcome', 'live');
    expect(await member.heading()).toBe('Go live');
    expect(await page.getByText('Required', { exact: true }).count()).toBe(3);
    await page.getByRole('link', { name: 'Edit details' }).click();
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor();
    await member.open('/', 'live');
    await page.getByRole('link', { name: 'Open checklist' }).click();
    await page.getByRole('heading', { level: 1, name: 'Go live' }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
  });

  it('loads a failed list again once the connection is back', async () => {
    const { page } = member;
    await createCustomer(shop);
    await member.open('/invoices');
    await page.route('**/graphql', (route) => route.abort());
    await page.getByRole('link', { name: 'Customers' }).first().click();
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    await page.unroute('**/graphql');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.getByText('1 customer', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });
});
