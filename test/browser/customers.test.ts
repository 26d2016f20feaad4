import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser } from '../support/browser.ts';
import { createConsumer } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createClimber, createLadder, createPayer, firstShop, pay, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;

/** Totals and statuses of a customer's invoices, from newest to oldest. */
const invoicesOf = async (id: string) => {
  const { customer } = await t.graphql<{
    customer: { invoices: { nodes: { total: number; status: string }[] } };
  }>('query ($id: ID!) { customer(id: $id) { invoices(first: 10) { nodes { total status } } } }', { id });
  return customer.invoices.nodes.map(({ total, status }) => [total, status]);
};

/** Invoice statuses for a subscription. */
const invoicesStay = async (id: string): Promise<string[]> => {
  const { subscription } = await t.graphql<{
    subscription: { invoices: { nodes: { status: string }[] } };
  }>('query ($id: ID!) { subscription(id: $id) { invoices(first: 10) { nodes { status } } } }', { id });
  return subscription.invoices.nodes.map(({ status }) => status);
};

/**
 * Accessibility violations on the page. Skips react-aria's live announcer, which still refers to a button
 * that has been removed.
 */
const accessibilityViolations = async () =>
  (await member.accessibilityViolations()).filter((violation) => !violation.startsWith('role-img-alt'));

describe.skipIf(browserPath === null)('the dashboard for customers and subscriptions', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    member = await DashboardMember.signIn(t, browser);
  });
  afterAll(async () => {
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  const choose = async (label: RegExp, option: RegExp) => {
    await member.page.getByRole('dialog').getByRole('button', { name: label }).click();
    await member.page.getByRole('option', { name: option }).first().click();
  };

  it('creates a customer and a subscription with a pending checkout, and shows the amount due', async () => {
    const { page } = member;
    const { lowId } = await createLadder(shop);
    await member.open('/customers');
    await page.getByRole('heading', { level: 1 }).press('n');
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    const customerId = page.url().split('/').at(-1) ?? '';

    await page.getByRole('main').getByRole('button', { name: 'New subscription' }).first().click();
    const plan = await t.graphql<{ plan: { name: string } }>('query ($id: ID!) { plan(id: $id) { name } }', {
      id: lowId,
    });
    await choose(/^Choose Plan|Plan/, new RegExp(`^${plan.plan.name}\\b`));
    const create = page.getByRole('button', { name: 'Create subscription ($34.00 due)' });
    await create.waitFor();
    expect(await invoicesOf(customerId)).toEqual([]);
    expect(await accessibilityViolations()).toEqual([]);
    await create.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open link' }).waitFor();
    const token = await page
      .getByRole('dialog')
      .getByRole('link', { name: 'Open link' })
      .getAttribute('href');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText("The customer hasn't completed the checkout yet.").waitFor();

    await pay(shop, token?.split('/').at(-1) ?? null);
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Active').waitFor();
    expect(await invoicesOf(customerId)).toEqual([[3_400, 'paid']]);
    expect(member.browserErrors).toEqual([]);
  });

  it('changes the plan only after the user presses the button that shows the amount', async () => {
    const { page } = member;
    const { customerId, id, highId } = await createClimber(shop);
    const { plan } = await t.graphql<{ plan: { name: string } }>(
      'query ($id: ID!) { plan(id: $id) { name } }',
      { id: highId },
    );
    // Delays the options. The list must open and fill even if it's pressed before the options load.
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('query ChoicePlans') === true) await sleep(500);
      await route.continue();
    });
    await member.open(`/subscriptions/${id}`);
    await page.getByRole('button', { name: 'Change plan' }).click();
    await choose(/New plan/, new RegExp(`^${plan.name}\\b`));
    await page.unroute('**/graphql');
    const change = page.getByRole('button', { name: 'Change plan and charge $84.00' });
    await change.waitFor();
    expect(await page.getByRole('dialog').getByText('$84.00 will be charged now.').count()).toBe(1);
    expect(await chargesOf(shop, customerId)).toEqual([[3_400, 'succeeded']]);
    await change.click();
    await page.getByRole('heading', { level: 1, name: plan.name }).waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([
      [3_400, 'succeeded'],
      [8_400, 'succeeded'],
    ]);
    expect(await invoicesOf(customerId)).toEqual([
      [8_400, 'paid'],
      [3_400, 'paid'],
    ]);
    await member.open(`/customers/${customerId}`);
    expect(await accessibilityViolations()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
  });

  it('cancels at the end of the period, and can undo the cancellation', async () => {
    const { page } = member;
    const { id, customerId } = await createClimber(shop);
    await member.open(`/subscriptions/${id}?do=cancel`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No charge now.').waitFor();
    await dialog.getByLabel('Reason').fill('too expensive');
    await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
    await page.getByText('Reason: too expensive').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Keep subscription' }).first().click();
    const keep = dialog.getByRole('button', { name: 'Keep subscription' });
    await keep.click();
    await page.getByText('Reason: too expensive').waitFor({ state: 'detached' });
    const { subscription } = await t.graphql<{
      subscription: { status: string; cancelAtPeriodEnd: boolean };
    }>('query ($id: ID!) { subscription(id: $id) { status cancelAtPeriodEnd } }', { id });
    expect(subscription).toEqual({ status: 'active', cancelAtPeriodEnd: false });
    expect(await chargesOf(shop, customerId)).toEqual([[3_400, 'succeeded']]);
    expect(member.browserErrors).toEqual([]);
  });

  it('saves a filtered list as a view for all members, and preloads a page when the user hovers over its link', async () => {
    const { page } = member;
    await member.open('/customers?sort=-name&view=paying');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payers by name');
    await dialog.getByText('Share with all members').click();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('button', { name: 'Payers by name' }).waitFor();
    await member.open('/customers');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Payers by name Shared' }).click();
    await page.waitForURL(/sort=-name/);
    expect(new URL(page.url()).searchParams.get('view')).toBe('paying');
    await page.getByRole('button', { name: 'Payers by name' }).click();
    await page.getByRole('menuitem', { name: 'Delete “Payers by name”' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete view' }).click();
    await page.getByRole('button', { name: 'Views' }).waitFor();

    // Loads the page again, because earlier steps can have loaded the same scripts.
    await member.open('/customers');
    const script = page.waitForRequest((request) => request.resourceType() === 'script', { timeout: 8_000 });
    await page.getByRole('link', { name: 'Time machine' }).hover();
    await script;
    expect(member.browserErrors).toEqual([]);
  });

  it('scrolls a list without scrolling the page, and restores the scroll position after a reload', async () => {
    const { page } = member;
    const customers = Array.from({ length: 100 }, (_, index) => ({
      email: `row${index}@example.com`,
      fullName: `Row ${index}`,
    }));
    await t.rest('POST', '/customers/batch', { customers });
    await member.open('/customers');
    expect(await page.evaluate('document.documentElement.scrollHeight - innerHeight')).toBe(0);
    const grid = page.getByRole('grid');
    expect(await grid.getByRole('row').count()).toBeLessThan(60);
    await grid.hover();
    await page.mouse.wheel(0, 1_500);
    await page.waitForURL(/at=\d+/);
    const place = await grid.evaluate((element) => element.scrollTop);
    await page.reload();
    await member.settled();
    await page.waitForFunction(() => (document.querySelector('[role="grid"]')?.scrollTop ?? 0) > 1_000);
    expect(Math.abs((await grid.evaluate((element) => element.scrollTop)) - place)).toBeLessThan(38);
  });

  it('exports a list as a file with the same bytes as the export stream, and lists it under exports', async () => {
    const { page } = member;
    await t.rest('POST', '/customers', { email: 'zoe@example.com', fullName: 'Zoë "Z", Ltd' });
    await member.open('/customers?view=none');
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export Customers' });
    await dialog.getByRole('button', { name: 'Start export' }).click();
    const link = dialog.getByRole('link', { name: /^Download customers-.*\.csv$/ });
    await link.waitFor();
    expect(await accessibilityViolations()).toEqual([]);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const stream = await fetch(
      `${t.url}/api/v1/exports/stream?kind=customers&format=csv&hasSubscription=false`,
      { headers: { 'x-api-key': t.sandboxKey } },
    );
    const file = await readFile(await download.path(), 'utf8');
    expect(file).toBe(await stream.text());
    expect(file).toContain('"Zoë ""Z"", Ltd"');
    await dialog.getByRole('link', { name: 'All exports' }).click();
    await page.getByRole('heading', { level: 1, name: 'Exports' }).waitFor();
    await page.getByRole('row', { name: /Customers.*CSV.*Completed/ }).waitFor();
    await t.rest('POST', '/features', { name: 'Exported', code: 'exported', type: 'boolean' });
    await member.open('/features');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const ofFeatures = page.getByRole('dialog', { name: 'Export Features' });
    await ofFeatures.getByRole('button', { name: 'Start export' }).click();
    await ofFeatures.getByRole('link', { name: /^Download features-.*\.csv$/ }).waitFor();
    expect(member.browserErrors).toEqual([]);
  });

  it("removes an unused card, and deletes a customer after the user types the customer's name", async () => {
    const { page } = member;
    const { customerId } = await createPayer(shop);
    await member.open(`/customers/${customerId}`);
    await page.getByRole('button', { name: /^Remove Visa/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('You can still refund its past payments.').waitFor();
    expect(await accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove card' }).click();
    await page.getByText('No stored card').waitFor();

    const { customerId: id, id: subscriptionId } = await createClimber(shop);
    await member.open(`/customers/${id}`);
    const heading = page.getByRole('heading', { level: 1 });
    await page.getByRole('button', { name: 'Actions' }).waitFor();
    const name = await heading.innerText();
    // The subscription's card can't be removed.
    expect(await page.getByRole('button', { name: /^Remove Visa/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete customer' }).click();
    await dialog.getByText(/is canceled immediately. The customer isn't charged/).waitFor();
    await dialog.getByText('The stored card is removed.').waitFor();
    expect(await accessibilityViolations()).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Delete customer' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(name);
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await page.getByText(name, { exact: true }).count()).toBe(0);
    const { body } = await shop.rest('GET', `/subscriptions/${subscriptionId}`);
    expect(body).toMatchObject({ status: 'canceled' });
    expect(await invoicesStay(subscriptionId)).toEqual(['paid']);
    expect(member.browserErrors).toEqual([]);
  });

  it('streams usage events until the user pauses the stream', async () => {
    const { page } = member;
    const { customerId, feature } = await createConsumer(shop);
    const track = () =>
      shop.rest('POST', '/usage/events', { customerId, featureCode: feature.code, value: 7 });
    await member.open('/usage');
    await page.getByRole('button', { name: 'Watch live' }).click();
    const tail = page.getByRole('dialog');
    await tail.getByText('No usage events since you opened this panel').waitFor();
    const rows = tail.getByRole('row').filter({ hasText: '7' });
    // The subscription to the stream starts shortly after the sheet opens, so repeat the event until it's
    // shown.
    await expect
      .poll(() => track().then(() => rows.count()), { timeout: 20_000, interval: 1_000 })
      .toBeGreaterThan(0);
    expect(await accessibilityViolations()).toEqual([]);
    await tail.getByRole('button', { name: 'Pause' }).click();
    await tail.getByText("Paused. New usage events aren't shown.").waitFor();
    expect(member.browserErrors).toEqual([]);
  });

  it('merges events, changes, emails, and notes into one timeline that updates live', async () => {
    const { page } = member;
    const { customerId } = await createClimber(shop);
    await member.open(`/customers/${customerId}?tab=timeline`);
    const panel = page.getByRole('tabpanel');
    await panel
      .getByText(/was created/)
      .first()
      .waitFor();
    await page.getByLabel('New note').fill('Prefers calls in the morning.');
    await page.getByRole('button', { name: 'Add note' }).click();
    await panel.getByText('Prefers calls in the morning.').waitFor();
    const show = async (what: string) => {
      await panel.getByRole('button', { name: /Show/ }).first().click();
      await page.getByRole('option', { name: what, exact: true }).click();
    };
    await show('Notes');
    await panel.getByText('Prefers calls in the morning.').waitFor();
    expect(await panel.getByText(/was created/).count()).toBe(0);
    await show('Emails');
    await panel.getByText('No activity yet.').waitFor();
    expect(await panel.getByText('Prefers calls in the morning.').count()).toBe(0);
    expect(await accessibilityViolations()).toEqual([]);
    await show('All activity');
    await panel
      .getByText(/was created/)
      .first()
      .waitFor();
    await t.graphql('mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id } }', {
      input: { id: customerId, fullName: 'Ada Byron' },
    });
    await panel.getByText('customer_updated').or(panel.getByText('customer.updated')).first().waitFor();
    expect(member.browserErrors).toEqual([]);
  });
});
