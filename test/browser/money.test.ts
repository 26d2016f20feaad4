import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createCustomer,
  createDispute,
  createPricedPlan,
  firstShop,
  latestTransaction,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;
let page: Page;
let subscription: { id: string };

const statusOf = async (id: string): Promise<string> => {
  const { data } = await t.graphql<{ data: { status: string } }>(
    'query ($id: ID!) { data: subscription(id: $id) { status } }',
    { id },
  );
  return data.status;
};

describe.skipIf(browserPath === null)('the dashboard for payments and revenue', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    subscription = await createActiveSubscription(shop);
    await advanceDays(shop, 40);
    await clockSettled(shop);
    member = await DashboardMember.signIn(t, browser);
    page = member.page;
  });
  afterAll(async () => {
    expect([member.browserErrors, member.foreignRequests]).toEqual([[], []]);
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('shows recurring revenue and cash as charts and tables', async () => {
    await member.open('/metrics');
    const rowsOf = async (name: string, amount: string): Promise<string[]> => {
      const chart = page.getByRole('figure', { name, exact: true });
      await chart.getByRole('button', { name: 'Show as table' }).click();
      const rows = chart.getByRole('row').filter({ hasText: amount });
      await rows.first().waitFor();
      return rows.allInnerTexts();
    };
    // One new subscription for 49.00 a month, which is 588.00 a year.
    await page.getByText('$588.00').waitFor();
    expect((await rowsOf('MRR movements', '$49.00')).map((row) => row.split(/\s/)[0])).toEqual([
      'New',
      'End',
    ]);
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole('link', { name: 'Cash', exact: true }).click();
    // Charges for the first period and one renewal, 49.00 each.
    await page.getByText('$98.00').first().waitFor();
    expect(await rowsOf('Net cash', '$49.00')).toHaveLength(2);
  });

  it('links a chart bar and a reason to the affected customers, at a shareable URL', async () => {
    await member.open('/metrics');
    const bars = page.getByRole('slider', { name: 'MRR movements' });
    await bars.focus();
    // Moves the selection from the "Start" bar to the "New" bar.
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Customers' });
    const row = sheet.getByRole('row', { name: /First payment.*\$0\.00 → \$49\.00/ });
    await row.waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.reload();
    await row.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'show customers: First payment' }).click();
    await row.getByRole('link').click();
    await page.waitForURL(/\/customers\/cus_/);
    await page.setViewportSize({ width: 390, height: 844 });
    await member.open('/metrics');
    const names = page.getByRole('figure', { name: 'MRR movements' }).locator('svg text');
    // The chart renders again once its width is known.
    await eventually(async () => {
      const shown = (await names.allTextContents()).filter((name) => ['Start', 'New', 'End'].includes(name));
      return shown.join() === 'Start,New,End';
    });
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it("explains and recalculates each line item's amount", async () => {
    await member.open('/invoices');
    const rows = page.getByRole('grid').getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    await rows.nth(1).click();
    await page.getByRole('heading', { level: 1, name: /^INV-/ }).waitFor();
    await member.settled();
    const why = page.getByRole('button', { name: /^Explain this amount/ });
    await why.first().waitFor();
    expect(await why.count()).toBeGreaterThan(0);
    for (const button of await why.all()) {
      await button.click();
      await page.getByText('Recalculated in your browser: the amount matches.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(await member.accessibilityViolations()).toEqual([]);
  });

  it('makes a partial refund without changing the subscription, and cancels the subscription with a full refund', async () => {
    const id = await latestTransaction(shop, subscription.id);
    await member.open(`/payments/${id}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const amount = page.getByRole('textbox', { name: 'Amount to refund' });
    await page.getByRole('radio', { name: 'Cancel immediately', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Refund $49.00' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await amount.waitFor({ state: 'detached' });
    await page.getByText('No refunds yet.').waitFor();
    await page.getByText('Added to your balance').waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await amount.fill('9.00');
    await page.getByText('Refunds $9.00 to the card. You keep $40.00 of this payment.').waitFor();
    await page.getByRole('radio', { name: 'Keep the subscription', checked: true }).waitFor();
    await page.getByRole('button', { name: 'Refund $9.00' }).click();
    await page.getByText('$9.00 refunded').first().waitFor();
    expect(await statusOf(subscription.id)).toBe('active');
    await amount.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('radio', { name: 'Cancel immediately', checked: true }).waitFor();
    expect(await statusOf(subscription.id)).toBe('active');
    await page.getByRole('button', { name: 'Refund $40.00' }).click();
    await page.getByText('$40.00 refunded').first().waitFor();
    expect(await statusOf(subscription.id)).toBe('canceled');
    await page.getByText(/^\$40\.00 of invoice INV-\d+ was refunded\.$/).waitFor();
    await page.getByText(/^\$9\.00 of invoice INV-\d+ was refunded\.$/).waitFor();
  });

  it('shows a dispute, and can close it in the sandbox', async () => {
    const { id } = await createDispute(shop);
    await member.open(`/payments/${id}`);
    await page.getByRole('button', { name: 'Win dispute' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Win dispute' }).click();
    await page.getByText('You won the dispute. The amount was returned to your balance.').first().waitFor();
    const { transaction } = await t.graphql<{ transaction: { status: string; disputeOutcome: string } }>(
      'query ($id: ID!) { transaction(id: $id) { status disputeOutcome } }',
      { id },
    );
    expect(transaction).toEqual({ status: 'succeeded', disputeOutcome: 'won' });
  });

  it('lists an open dispute with its response deadline', async () => {
    const { id } = await createDispute(shop);
    await member.open('/disputes');
    const table = page.getByRole('region', { name: 'Disputes' });
    await table.locator(`a[href$="/payments/${id}"]`).waitFor();
    expect(await table.getByText('Fraudulent', { exact: false }).count()).toBeGreaterThan(0);
    expect(await member.accessibilityViolations()).toEqual([]);
    await table.locator(`a[href$="/payments/${id}"]`).click();
    await page.getByText(/Respond by/).waitFor();
    expect(member.browserErrors).toEqual([]);
  });

  it('creates, cancels, and finds a payment link', async () => {
    await member.open('/payment-links');
    await page.getByRole('button', { name: 'New payment link' }).first().click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Workshop');
    await page.getByRole('textbox', { name: 'Amount' }).fill('150');
    await page.getByRole('button', { name: /Save card/ }).click();
    await page.getByRole('option', { name: 'Never' }).click();
    await page.getByRole('button', { name: 'Create link for $150.00' }).click();
    await page.getByRole('button', { name: 'Cancel link' }).click();
    await page.getByText('Customers can no longer pay $150.00 with it.').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel link' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByText(/^A payment link for \$150\.00.* was created\.$/).waitFor();
    const { payments } = await t.graphql<{ payments: { nodes: object[] } }>(
      '{ payments(first: 1) { nodes { status amountTotal saveCard } } }',
    );
    expect(payments.nodes).toEqual([{ status: 'canceled', amountTotal: 15_000, saveCard: 'never' }]);

    await member.open('/payment-links');
    const search = page.getByRole('searchbox', { name: 'Search by description, customer, or email' });
    const found = page.getByRole('grid').getByText('Workshop');
    await found.waitFor();
    await search.fill('none like it');
    await found.waitFor({ state: 'detached' });
    await search.fill('workSH');
    await found.waitFor();
  });

  it('requests a simulated payout, and verifies the ledger', async () => {
    await advanceDays(shop, 30);
    await clockSettled(shop);
    await member.open('/payouts');
    await page.getByRole('button', { name: 'Simulate payout' }).first().click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('20');
    await page.getByRole('button', { name: 'Pay out $20.00' }).click();
    await page.getByRole('grid').getByText('$20.00').first().click();
    const madeOf = page.getByRole('region', { name: 'Balance activity' });
    await madeOf
      .getByRole('row', { name: /Payout/ })
      .getByText('-$20.00')
      .waitFor();
    expect(await madeOf.getByRole('row', { name: /Became available/ }).count()).toBeGreaterThan(0);
    await page
      .getByRole('dialog')
      .getByText(/payout.* was requested\.$/)
      .waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Balance activity' }).click();
    const changes = page.getByRole('region', { name: 'Balance activity' });
    await changes
      .getByRole('row', { name: /Payout/ })
      .getByText('-$20.00')
      .waitFor();
    await changes
      .getByRole('row', { name: /Became available/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: /Show/ }).click();
    await page.getByRole('option', { name: 'Payout', exact: true }).click();
    await changes
      .getByRole('row', { name: /Became available/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await member.accessibilityViolations()).toEqual([]);
    await member.open('/ledger');
    await page.getByRole('button', { name: 'Verify ledger' }).click();
    await page.getByText(/The ledger matches: \d+ transfers verified\./).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
  });

  it("shows an open checkout's invoice without an outstanding amount, even after its due date", async () => {
    const customer = await createCustomer(shop);
    const plan = await createPricedPlan(shop, { price: 3_100 });
    await subscribeTo(shop, customer.id, plan.id);
    await advanceDays(shop, 2);
    await clockSettled(shop);
    await member.open('/invoices');
    const row = page.getByRole('row').filter({ hasText: '$31.00' });
    await row.getByText('Awaiting checkout').waitFor();
    expect(await row.getByText('Overdue').count()).toBe(0);
    const { invoices } = await t.graphql<{ invoices: { nodes: { id: string }[] } }>(
      '{ invoices(filter: { isFinal: false }) { nodes { id } } }',
    );
    await member.open(`/invoices/${invoices.nodes[0]?.id}`);
    await page.getByText('Awaiting checkout').first().waitFor();
  });
});
