import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, Visitor } from '../support/browser.ts';
import { createConsumer, of } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { advanceDays, firstShop, openPortal } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

/** Folder for screenshots. No screenshots are taken if it isn't set. */
const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('prepaid commitments in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('are charged when they are created, and pay the usage of the next invoice', async () => {
    const shop = firstShop(t);
    const consumer = await createConsumer(shop, {
      terms: { includedAmount: 0, overage: { enabled: true } },
      rate: { tiers: [{ upTo: null, amount: '2.00' }] },
    });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    const shot = async (name: string): Promise<void> => {
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
    };
    const address = `/subscriptions/${consumer.subscriptionId}`;
    await member.open(address);
    const list = page.getByRole('region', { name: 'Prepaid commitments' });
    await list.getByText('No prepaid commitments.').waitFor();
    await page.getByRole('button', { name: 'Create prepaid commitment' }).click();
    const form = page.getByRole('dialog', { name: 'Create prepaid commitment' });
    await form.getByLabel('Price before tax').fill('120');
    await form.getByLabel('Amount', { exact: true }).fill('130');
    await form.getByText('Renew automatically').click();
    const create = form.getByRole('button', { name: 'Create commitment and charge $120.00' });
    await create.waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await shot('commitment-form');
    await create.click();
    await form.waitFor({ state: 'hidden' });

    const row = list.getByRole('row', { name: /^Prepaid commitment/ });
    await row.waitFor();
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/^Prepaid commitmentINV-/),
      '$120.00',
      '$130.00',
      '$0.00',
      '$130.00',
      expect.stringMatching(/^\w{3} \d{1,2}, \d{4}Renews automatically$/),
      'Change',
    ]);
    const { subscription } = await t.graphql<{ subscription: { invoices: { nodes: object[] } } }>(
      `query ($id: ID!) { subscription(id: $id) { invoices(first: 1) { nodes {
         invoiceType status subtotal lineItems { description amount } } } } }`,
      { id: consumer.subscriptionId },
    );
    expect(subscription.invoices.nodes).toEqual([
      {
        invoiceType: 'credit_purchase',
        status: 'paid',
        subtotal: 12_000,
        lineItems: [{ description: 'Prepaid commitment', amount: 12_000 }],
      },
    ]);

    await row.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change prepaid commitment' });
    await change.getByText('Renew automatically').click();
    await change.getByText("isn't charged again").waitFor();
    await shot('commitment-change');
    await change.getByRole('button', { name: 'Save changes' }).click();
    await change.waitFor({ state: 'hidden' });
    await row.getByText("Doesn't renew").waitFor();

    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 10 });
    await advanceDays(shop, 32);
    await member.open(address);
    await row.getByRole('cell', { name: '$110.00' }).waitFor();
    expect((await row.getByRole('cell').allTextContents()).slice(1, 5)).toEqual([
      '$120.00',
      '$130.00',
      '$20.00',
      '$110.00',
    ]);
    expect(await member.accessibilityViolations()).toEqual([]);
    await shot('commitments');
    expect(member.browserErrors).toEqual([]);
    await member.close();

    const visitor = await Visitor.open(
      browser,
      `${t.url}/portal/${await openPortal(shop, consumer.customerId)}`,
    );
    await visitor.page.getByRole('link', { name: 'Prepaid commitments' }).click();
    const item = visitor.page.getByRole('listitem').filter({ hasText: '$110.00 of $130.00 left' });
    expect(await item.textContent()).toMatch(
      /^Prepaid commitment\$110\.00 of \$130\.00 left · Ends on \w+ \d{1,2}, \d{4}$/,
    );
    expect(await visitor.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await visitor.page.screenshot({ path: `${folder}/portal-commitments.png` });
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });
});
