import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createDispute,
  firstShop,
  latestTransaction,
  type Shop,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;
let page: Page;
let subscription: { id: string };

/** The status of a subscription. */
const statusOf = async (id: string): Promise<string> => {
  const { data } = await t.graphql<{ data: { status: string } }>(
    'query ($id: ID!) { data: subscription(id: $id) { status } }',
    { id },
  );
  return data.status;
};

describe.skipIf(browserPath === null)('money in the dashboard', () => {
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
    expect([member.complaints, member.foreignRequests]).toEqual([[], []]);
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('adds up recurring revenue, and what was collected, billed and is owed, as charts and as tables', async () => {
    await member.open('/metrics');
    const rowsOf = async (name: string, amount: string): Promise<string[]> => {
      const chart = page.getByRole('figure', { name, exact: true });
      await chart.getByRole('button', { name: 'Show as table' }).click();
      const rows = chart.getByRole('row').filter({ hasText: amount });
      await rows.first().waitFor();
      return rows.allInnerTexts();
    };
    // One subscription of 49.00 a month: it was new, and is all there is. Twelve of them make a year.
    await page.getByText('$588.00').waitFor();
    expect((await rowsOf('How it moved', '$49.00')).map((row) => row.split(/\s/)[0])).toEqual([
      'New',
      'After',
    ]);
    expect(await member.barriers()).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await member.barriers()).toEqual([]);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.getByRole('link', { name: 'Cash', exact: true }).click();
    // A first period and a renewal of 49.00 each.
    await page.getByText('$98.00').first().waitFor();
    expect(await rowsOf('Net cash', '$49.00')).toHaveLength(2);
  });

  it('leads from a bar, and from a reason, to the customers behind it, at an address', async () => {
    await member.open('/metrics');
    const bars = page.getByRole('slider', { name: 'How it moved' });
    await bars.focus();
    // From "Before" to "New".
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Changes behind it' });
    const row = sheet.getByRole('row', { name: /First payment.*\$0\.00 → \$49\.00/ });
    await row.waitFor();
    expect(await member.barriers()).toEqual([]);
    await page.reload();
    await row.waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show the customers: First payment' }).click();
    await row.getByRole('link').click();
    await page.waitForURL(/\/customers\/cus_/);
    await page.setViewportSize({ width: 390, height: 844 });
    await member.open('/metrics');
    const names = page.getByRole('figure', { name: 'How it moved' }).locator('svg text');
    // The chart is drawn again when it has its width.
    await eventually(async () => {
      const shown = (await names.allTextContents()).filter((name) =>
        ['Before', 'New', 'After'].includes(name),
      );
      return shown.join() === 'Before,New,After';
    });
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('explains the amount of every line, and works it out again', async () => {
    await member.open('/invoices');
    const rows = page.getByRole('grid').getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    await rows.nth(1).click();
    await page.getByRole('heading', { level: 1, name: /^INV-/ }).waitFor();
    await member.settled();
    const why = page.getByRole('button', { name: /^Why this amount/ });
    await why.first().waitFor();
    expect(await why.count()).toBeGreaterThan(0);
    for (const button of await why.all()) {
      await button.click();
      await page.getByText('Computed again in your browser: the amount is the same.').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(await member.barriers()).toEqual([]);
  });

  it('refunds a part without touching the subscription, and says that the whole ends it', async () => {
    const id = await latestTransaction(shop, subscription.id);
    await member.open(`/payments/${id}`);
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    const amount = page.getByRole('textbox', { name: 'Amount to refund' });
    await page.getByText('also cancels the subscription').waitFor();
    await page.getByRole('button', { name: 'Refund $49.00' }).waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await amount.waitFor({ state: 'detached' });
    await page.getByText('Nothing was refunded.').waitFor();
    await page.getByText('Added to your balance').waitFor();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await amount.fill('9.00');
    await page.getByText('$9.00 goes back to the card. $40.00 of this payment stays with you.').waitFor();
    await page.getByText('also cancels the subscription').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Refund $9.00' }).click();
    await page.getByText('$9.00 was refunded.').first().waitFor();
    expect(await statusOf(subscription.id)).toBe('active');
    await amount.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByText('also cancels the subscription').waitFor();
    expect(await statusOf(subscription.id)).toBe('active');
    await page.getByRole('button', { name: 'Refund $40.00' }).click();
    await page.getByText('$40.00 was refunded.').first().waitFor();
    expect(await statusOf(subscription.id)).toBe('canceled');
    await page.getByText(/^\$40\.00 of invoice INV-\d+ was refunded\.$/).waitFor();
    await page.getByText(/^\$9\.00 of invoice INV-\d+ was refunded\.$/).waitFor();
  });

  it('shows a dispute, which the sandbox can end', async () => {
    const { id } = await createDispute(shop);
    await member.open(`/payments/${id}`);
    await page.getByRole('button', { name: 'End as won' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End as won' }).click();
    await page.getByText('You won the dispute. The money is back.').first().waitFor();
    const { transaction } = await t.graphql<{ transaction: { status: string; disputeOutcome: string } }>(
      'query ($id: ID!) { transaction(id: $id) { status disputeOutcome } }',
      { id },
    );
    expect(transaction).toEqual({ status: 'succeeded', disputeOutcome: 'won' });
  });

  it('lists open disputes by when they are to be answered', async () => {
    const { id } = await createDispute(shop);
    await member.open('/disputes');
    const table = page.getByRole('region', { name: 'Disputes' });
    await table.locator(`a[href$="/payments/${id}"]`).waitFor();
    expect(await table.getByText('Fraudulent', { exact: false }).count()).toBeGreaterThan(0);
    expect(await member.barriers()).toEqual([]);
    await table.locator(`a[href$="/payments/${id}"]`).click();
    await page.getByText(/It is to be answered by/).waitFor();
    expect(member.complaints).toEqual([]);
  });

  it('makes a payment link, and takes it back', async () => {
    await member.open('/payment-links');
    await page.getByRole('button', { name: 'New payment link' }).first().click();
    await page.getByRole('textbox', { name: 'What is it for?' }).fill('Workshop');
    await page.getByRole('textbox', { name: 'Amount' }).fill('150');
    await page.getByRole('button', { name: 'Create link for $150.00' }).click();
    await page.getByRole('button', { name: 'Cancel link' }).click();
    await page.getByText('nobody can pay the $150.00 with it anymore').waitFor();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel link' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByText(/^A payment link over \$150\.00.* was created\.$/).waitFor();
    const { payments } = await t.graphql<{ payments: { nodes: { status: string; amountTotal: number }[] } }>(
      '{ payments(first: 1) { nodes { status amountTotal } } }',
    );
    expect(payments.nodes).toEqual([{ status: 'canceled', amountTotal: 15_000 }]);

    await member.open('/payment-links');
    const search = page.getByRole('searchbox', { name: 'Search by description, customer or email' });
    const found = page.getByRole('grid').getByText('Workshop');
    await found.waitFor();
    await search.fill('none like it');
    await found.waitFor({ state: 'detached' });
    await search.fill('workSH');
    await found.waitFor();
  });

  it('withdraws a simulated payout, and proves the books', async () => {
    await advanceDays(shop, 30);
    await clockSettled(shop);
    await member.open('/payouts');
    await page.getByRole('button', { name: 'Simulate a payout' }).first().click();
    await page.getByRole('textbox', { name: 'Amount' }).fill('20');
    await page.getByRole('button', { name: 'Withdraw $20.00' }).click();
    await page.getByRole('grid').getByText('$20.00').first().click();
    const madeOf = page.getByRole('region', { name: 'What it is made of' });
    await madeOf
      .getByRole('row', { name: /Payout/ })
      .getByText('-$20.00')
      .waitFor();
    expect(await madeOf.getByRole('row', { name: /Released/ }).count()).toBeGreaterThan(0);
    await page
      .getByRole('dialog')
      .getByText(/payout.* was requested\.$/)
      .waitFor();
    expect(await member.barriers()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Changes of the balance' }).click();
    const changes = page.getByRole('region', { name: 'Changes of the balance' });
    await changes
      .getByRole('row', { name: /Payout/ })
      .getByText('-$20.00')
      .waitFor();
    await changes
      .getByRole('row', { name: /Released/ })
      .first()
      .waitFor();
    await page.getByRole('button', { name: /Show/ }).click();
    await page.getByRole('option', { name: 'Payout', exact: true }).click();
    await changes
      .getByRole('row', { name: /Released/ })
      .first()
      .waitFor({ state: 'detached' });
    expect(await member.barriers()).toEqual([]);
    await member.open('/ledger');
    await page.getByRole('button', { name: 'Verify the books' }).click();
    await page.getByText(/All books agree: \d+ transfers checked\./).waitFor();
    expect(await member.barriers()).toEqual([]);
  });
});
