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

/** The invoices of a customer, the latest first. */
const invoicesOf = async (id: string) => {
  const { customer } = await t.graphql<{
    customer: { invoices: { nodes: { total: number; status: string }[] } };
  }>('query ($id: ID!) { customer(id: $id) { invoices(first: 10) { nodes { total status } } } }', { id });
  return customer.invoices.nodes.map(({ total, status }) => [total, status]);
};

/** How the invoices of a subscription stand. */
const invoicesStay = async (id: string): Promise<string[]> => {
  const { subscription } = await t.graphql<{
    subscription: { invoices: { nodes: { status: string }[] } };
  }>('query ($id: ID!) { subscription(id: $id) { invoices(first: 10) { nodes { status } } } }', { id });
  return subscription.invoices.nodes.map(({ status }) => status);
};

/** What axe-core finds. The announcer of react-aria names the button that was pending, which is gone by then. */
const barriers = async () =>
  (await member.barriers()).filter((barrier) => !barrier.startsWith('role-img-alt'));

describe.skipIf(browserPath === null)('customers and subscriptions in the dashboard', () => {
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

  it('makes a customer and a subscription, whose checkout waits, and shows the payment while it is open', async () => {
    const { page } = member;
    const { lowId } = await createLadder(shop);
    await member.open('/customers');
    await page.getByRole('heading', { level: 1 }).press('n');
    await page.getByRole('textbox', { name: 'Email' }).fill('grace@example.com');
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper');
    await page.getByRole('button', { name: 'Create customer' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
    const customerId = page.url().split('/').at(-1) ?? '';

    await page.getByRole('main').getByRole('button', { name: 'New subscription' }).first().click();
    const plan = await t.graphql<{ plan: { name: string } }>('query ($id: ID!) { plan(id: $id) { name } }', {
      id: lowId,
    });
    await choose(/^Choose Plan|Plan/, new RegExp(`^${plan.plan.name}\\b`));
    const create = page.getByRole('button', { name: 'Create subscription, $34.00 to pay' });
    await create.waitFor();
    expect(await invoicesOf(customerId)).toEqual([]);
    expect(await barriers()).toEqual([]);
    await create.click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open link' }).waitFor();
    const token = await page
      .getByRole('dialog')
      .getByRole('link', { name: 'Open link' })
      .getAttribute('href');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('The customer has not paid the checkout yet.').waitFor();

    await pay(shop, token?.split('/').at(-1) ?? null);
    await page.getByRole('heading', { level: 1 }).locator('..').getByText('Active').waitFor();
    expect(await invoicesOf(customerId)).toEqual([[3_400, 'paid']]);
    expect(member.complaints).toEqual([]);
  });

  it('changes a plan for the amount the button names, and not before it is pressed', async () => {
    const { page } = member;
    const { customerId, id, highId } = await createClimber(shop);
    const { plan } = await t.graphql<{ plan: { name: string } }>(
      'query ($id: ID!) { plan(id: $id) { name } }',
      { id: highId },
    );
    // Pressed before its options are there, the list opens and shows them as they come.
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
    expect(await page.getByRole('dialog').getByText('$84.00 is charged now.').count()).toBe(1);
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
    expect(await barriers()).toEqual([]);
    expect(member.complaints).toEqual([]);
  });

  it('cancels at the end of the period, and takes it back', async () => {
    const { page } = member;
    const { id, customerId } = await createClimber(shop);
    await member.open(`/subscriptions/${id}?do=cancel`);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is charged now.').waitFor();
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
    expect(member.complaints).toEqual([]);
  });

  it('saves what the list shows as a view of all members, and loads pages before they are opened', async () => {
    const { page } = member;
    await member.open('/customers?sort=-name&view=paying');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save as a view…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save view' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Payers by name');
    await dialog.getByText('All members see it').click();
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

    const script = page.waitForRequest((request) => request.resourceType() === 'script');
    await page.getByRole('link', { name: 'Time machine' }).hover();
    await script;
    expect(member.complaints).toEqual([]);
  });

  it('scrolls within the window, and keeps its place over a reload', async () => {
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

  it('exports what the list shows, with the bytes of a stream, and lists the export', async () => {
    const { page } = member;
    await t.rest('POST', '/customers', { email: 'zoe@example.com', fullName: 'Zoë "Z", Ltd' });
    await member.open('/customers?view=none');
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export: Customers' });
    await dialog.getByRole('button', { name: 'Start export' }).click();
    const link = dialog.getByRole('link', { name: /^Download customers-.*\.csv$/ });
    await link.waitFor();
    expect(await barriers()).toEqual([]);
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
    const ofFeatures = page.getByRole('dialog', { name: 'Export: Features' });
    await ofFeatures.getByRole('button', { name: 'Start export' }).click();
    await ofFeatures.getByRole('link', { name: /^Download features-.*\.csv$/ }).waitFor();
    expect(member.complaints).toEqual([]);
  });

  it('removes a card nothing is charged to, and deletes a customer once its name is typed', async () => {
    const { page } = member;
    const { customerId } = await createPayer(shop);
    await member.open(`/customers/${customerId}`);
    await page.getByRole('button', { name: /^Remove Visa/ }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('What it paid can still be refunded.').waitFor();
    expect(await barriers()).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove card' }).click();
    await page.getByText('No card stored').waitFor();

    const { customerId: id, id: subscriptionId } = await createClimber(shop);
    await member.open(`/customers/${id}`);
    const heading = page.getByRole('heading', { level: 1 });
    await page.getByRole('button', { name: 'Actions' }).waitFor();
    const name = await heading.innerText();
    // The card of the subscription stays.
    expect(await page.getByRole('button', { name: /^Remove Visa/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete customer' }).click();
    await dialog.getByText(/is canceled now. Nothing is charged/).waitFor();
    await dialog.getByText('The stored card is removed.').waitFor();
    expect(await barriers()).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Delete customer' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill(name);
    await confirm.click();
    await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
    expect(await page.getByText(name, { exact: true }).count()).toBe(0);
    const { body } = await shop.rest('GET', `/subscriptions/${subscriptionId}`);
    expect(body).toMatchObject({ status: 'canceled' });
    expect(await invoicesStay(subscriptionId)).toEqual(['paid']);
    expect(member.complaints).toEqual([]);
  });

  it('shows usage as it arrives, until it is paused', async () => {
    const { page } = member;
    const { customerId, feature } = await createConsumer(shop);
    const track = () =>
      shop.rest('POST', '/usage/events', { customerId, featureCode: feature.code, value: 7 });
    await member.open('/usage');
    await page.getByRole('button', { name: 'Watch live' }).click();
    const tail = page.getByRole('dialog');
    await tail.getByText('Nothing has arrived since this was opened.').waitFor();
    const rows = tail.getByRole('row').filter({ hasText: '7' });
    // The stream begins a moment after the sheet is there.
    await expect
      .poll(() => track().then(() => rows.count()), { timeout: 20_000, interval: 1_000 })
      .toBeGreaterThan(0);
    expect(await barriers()).toEqual([]);
    await tail.getByRole('button', { name: 'Pause' }).click();
    await tail.getByText('Paused. What arrives meanwhile is not shown here.').waitFor();
    expect(member.complaints).toEqual([]);
  });

  it('shows events, changes, emails and notes on one timeline, which grows by itself', async () => {
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
    await panel.getByText('Nothing has happened yet.').waitFor();
    expect(await panel.getByText('Prefers calls in the morning.').count()).toBe(0);
    expect(await barriers()).toEqual([]);
    await show('Everything');
    await panel
      .getByText(/was created/)
      .first()
      .waitFor();
    await t.graphql('mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id } }', {
      input: { id: customerId, fullName: 'Ada Byron' },
    });
    await panel.getByText('customer_updated').or(panel.getByText('customer.updated')).first().waitFor();
    expect(member.complaints).toEqual([]);
  });
});
