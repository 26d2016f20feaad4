import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { createConsumer, of } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createCustomer,
  createPayment,
  createPromoCode,
  firstShop,
  latestTransaction,
  type MadeSubscription,
  payLink,
  type Shop,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { createPayout } from '../support/payouts.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;
let page: Page;
let ada: MadeSubscription;
let payment: string;

/** Entries in an object's history, from newest to oldest. */
async function history(part: Locator): Promise<string[]> {
  const [, below = ''] = (await part.innerText()).split(/^History$/m);
  return below.split('\n').filter((line) => line.endsWith('.'));
}

/** Waits until the history has these entries. */
const grows = (part: Locator, expected: readonly string[]): Promise<void> =>
  expect.poll(() => history(part), { timeout: 20_000 }).toEqual(expected);

/** Current time of the environment's test clock. */
const clockNow = async (): Promise<string> =>
  (await t.graphql<{ testClock: { now: string } }>('{ testClock { now } }')).testClock.now;

/** Number of payment attempts for a customer. */
const paymentsOf = async (customerEmail: string): Promise<number> => {
  const { transactions } = await t.graphql<{ transactions: { totalCount: { value: number } } }>(
    'query ($customerEmail: String) { transactions(customerEmail: $customerEmail) { totalCount { value } } }',
    { customerEmail },
  );
  return transactions.totalCount.value;
};

/** Marks the window so that a test can detect a page reload. */
const mark = (): Promise<void> => page.evaluate(() => void Object.assign(window, { isMarked: true }));
const isMarked = (): Promise<boolean> => page.evaluate(() => 'isMarked' in window);

describe.skipIf(browserPath === null)('the history in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    ada = await createActiveSubscription(shop);
    payment = await latestTransaction(shop, ada.id);
    member = await DashboardMember.signIn(t, browser);
    ({ page } = member);
  });
  afterAll(async () => {
    expect([member.browserErrors, member.foreignRequests]).toEqual([[], []]);
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('shows the ledger balances at the end of a day, at a shareable URL', async () => {
    const [today = ''] = (await clockNow()).split('T');
    await advanceDays(shop, 40);
    await clockSettled(shop);
    await member.open('/ledger');
    const accounts = page.getByRole('region', { name: 'Accounts' });
    const revenue = () =>
      accounts
        .getByRole('row', { name: /^Revenue/ })
        .getByRole('cell')
        .allTextContents();
    // Charges for the first period and one renewal, 49.00 each.
    await expect.poll(revenue).toEqual(['Revenue', 'Income', '$0.00', '$98.00', '-$98.00']);
    const [year, month, day] = today.split('-');
    await page.getByRole('main').getByRole('spinbutton').first().focus();
    await page.keyboard.type(`${month}${day}${year}`);
    await expect.poll(revenue).toEqual(['Revenue', 'Income', '$0.00', '$49.00', '-$49.00']);
    expect(new URL(page.url()).search).toBe(`?balances=${today}`);
    expect(await member.accessibilityViolations()).toEqual([]);
    await member.open(`/ledger?balances=${today}`);
    await expect.poll(revenue).toEqual(['Revenue', 'Income', '$0.00', '$49.00', '-$49.00']);
    await accounts.getByRole('link', { name: 'Revenue' }).click();
    await page.getByRole('button', { name: 'Account is Revenue', exact: true }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      balances: today,
      account: 'revenue',
    });
    await member.open('/ledger?balances=2020-02-29');
    await accounts.getByText('No transfers on or before this day').waitFor();
    await member.open('/ledger?balances=2020-02-30');
    await expect.poll(revenue).toEqual(['Revenue', 'Income', '$0.00', '$98.00', '-$98.00']);
  });

  it("shows a refund in the payment's history", async () => {
    await member.open(`/payments/${payment}`);
    const main = page.getByRole('main');
    await grows(main, ['Invoice INV-0001 for $49.00 was paid.']);
    await mark();
    await t.graphql(
      'mutation ($input: TransactionRefundInput!) { transactionRefund(input: $input) { id } }',
      { input: { id: payment, amount: 900 } },
    );
    await grows(main, ['$9.00 of invoice INV-0001 was refunded.', 'Invoice INV-0001 for $49.00 was paid.']);
    await main.getByText('No refunds yet.').waitFor({ state: 'detached' });
    expect(await isMarked()).toBe(true);
  });

  it("adds the payment to a payment link's history", async () => {
    const { id: customerId } = await createCustomer(shop);
    const link = await createPayment(shop, { customerId });
    await member.follow(`/payment-links?open=${link.id}`);
    const sheet = page.getByRole('dialog');
    const created = 'A payment link for $42.00 (Workshop) was created.';
    await grows(sheet, [created]);
    await payLink(shop, link.token);
    await sheet
      .getByText(/^The payment link for \$42\.00 \(Workshop\) was paid with invoice INV-\d+\.$/)
      .waitFor();
    await sheet.getByText('Paid', { exact: true }).waitFor();
    expect((await history(sheet)).slice(1)).toEqual([created]);
    expect(await isMarked()).toBe(true);
  });

  it("adds the outcome to a payout's history", async () => {
    const id = await createPayout(shop);
    await member.follow(`/payouts?open=${id}`);
    const sheet = page.getByRole('dialog');
    await grows(sheet, ['A payout of $15.00 was requested.']);
    await t.graphql(
      'mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { id } }',
      { input: { id, outcome: 'paid' } },
    );
    await grows(sheet, ['A payout of $15.00 was paid.', 'A payout of $15.00 was requested.']);
    await sheet.getByText('Paid', { exact: true }).waitFor();
    expect(await isMarked()).toBe(true);
  });

  it('searches by words and IDs, at a shareable URL', async () => {
    const consumer = await createConsumer(shop);
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 8 });
    const { body: used } = await shop.rest<{ id: string }>('POST', '/usage/events', {
      ...of(consumer),
      value: 3,
      eventId: 'request-4711',
    });
    const codes = [];
    for (let count = 0; count < 6; count += 1) codes.push(await createPromoCode(shop));
    const [code = { id: '', code: '' }] = codes;
    const { promoCode } = await t.graphql<{ promoCode: { offer: { id: string; name: string } } }>(
      'query ($id: ID!) { promoCode(id: $id) { offer { id name } } }',
      { id: code.id },
    );
    const { events } = await t.graphql<{ events: { nodes: { id: string; summary: string }[] } }>(
      '{ events(first: 1, filter: { types: [subscription_created] }) { nodes { id summary } } }',
    );
    const [event = { id: '', summary: '' }] = events.nodes;
    const email = 'customer1@shop.test';
    const found = async (path: string, text: string, row: string, count = 1): Promise<void> => {
      if (!page.url().includes(`/sandbox${path}`)) await member.follow(path);
      await page.getByRole('searchbox').fill(text);
      await page.waitForURL((url) => url.search === `?${new URLSearchParams({ q: text })}`);
      const rows = page.getByRole('main').getByRole('row');
      await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(1 + count);
      await rows.nth(1).getByText(row).first().waitFor();
    };
    // The customer's payments: the first payment, and a renewal if an earlier test advanced the clock.
    await found('/payments', email, 'Name of customer1', await paymentsOf(email));
    await found('/payments', payment, 'Name of customer1');
    await found('/usage', 'request-4711', 'Name of ');
    await found('/usage', used.id, 'Name of ');
    await found('/events', event.id, event.summary);
    await found('/promo-codes', code.code, code.code);
    await found('/promo-codes', code.id, code.code);
    await found('/offers', promoCode.offer.name, promoCode.offer.name);
    await found('/offers', promoCode.offer.id, promoCode.offer.name);
    await page.reload();
    await member.settled();
    expect(await page.getByRole('searchbox').inputValue()).toBe(promoCode.offer.id);
    expect(await page.getByRole('main').getByRole('row').count()).toBe(2);
  });
});
