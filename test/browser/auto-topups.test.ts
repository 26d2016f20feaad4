import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import { createBalanceConsumer, of } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { firstShop, openPortal, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

/** Folder for screenshots. No screenshots are taken if it isn't set. */
const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('an automatic top-up', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('is turned on in the portal with the consent of the customer, purchases, and is turned off', async () => {
    const consumer = await createBalanceConsumer(shop);
    const token = await openPortal(shop, consumer.customerId);
    const visitor = await Visitor.open(browser, `${t.url}/portal/${token}/credits`, phone);
    const { page } = visitor;
    const shot = async (name: string): Promise<void> => {
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
    };
    const card = page.getByRole('region', { name: 'Automatic top-up' });
    await card.getByRole('button', { name: 'Turn on automatic top-up' }).click();
    expect(await card.getByText('Enter an amount, such as 1250 or 12.50.').count()).toBe(3);
    await card.getByLabel('Top up when the balance is at or below').fill('5');
    await card.getByLabel('Amount to add').fill('20');
    await card.getByLabel('Most per month, tax included').fill('100');
    await card.getByRole('button', { name: 'Turn on automatic top-up' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/charge your saved payment method \$20.00 plus tax each time your balance is \$5.00 or less/)
      .waitFor();
    await shot('auto-topup-consent');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Agree and turn on' }).click();
    await page.getByText('Automatic top-up turned on.').waitFor();
    await card
      .getByText('When your balance is $5.00 or less, $20.00 plus tax is charged and added.')
      .waitFor();

    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 7_500 });
    const { autoTopUp } = await eventually(
      () =>
        t.graphql<{ autoTopUp: { usedThisMonth: { count: number }; consent: { statement: string } } }>(
          'query ($id: ID!) { autoTopUp(customerId: $id) { usedThisMonth { count } consent { statement } } }',
          { id: consumer.customerId },
        ),
      (seen) => seen.autoTopUp.usedThisMonth.count === 1,
    );
    expect(autoTopUp.consent.statement).toContain(
      'At most 5 charges and $100.00 in total per calendar month',
    );
    expect(autoTopUp.consent.statement).toContain(
      'Unused balance expires when your included balance renews.',
    );
    await page.reload();
    await card.getByText('1 of 5 top-ups used this month: $20.00 of $100.00.').waitFor();
    await shot('auto-topup-on');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await card.getByRole('button', { name: 'Turn off automatic top-up' }).click();
    await page.getByText('Automatic top-up turned off.').waitFor();
    await card.getByRole('button', { name: 'Turn on automatic top-up' }).waitFor();
  });

  it('is shown in the dashboard with its terms, its attempts, and the reason, and is removed there', async () => {
    const consumer = await createBalanceConsumer(shop);
    await shop.rest('PUT', `/customers/${consumer.customerId}/auto-top-up`, {
      threshold: 50_000,
      refill: { amount: 2_000 },
      maxPerMonth: 1,
      maxAmountPerMonth: 10_000,
      minPause: 0,
      consentReference: 'contract-7',
    });
    const attempts = (count: number) =>
      eventually(
        () =>
          t.graphql<{ autoTopUp: { attempts: { nodes: object[] } } }>(
            'query ($id: ID!) { autoTopUp(customerId: $id) { attempts { nodes { id } } } }',
            { id: consumer.customerId },
          ),
        (seen) => seen.autoTopUp.attempts.nodes.length === count,
      );
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 7_500 });
    await attempts(1);
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 4_500 });
    await attempts(2);
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    await member.open(`/subscriptions/${consumer.subscriptionId}`);
    await member.page.getByRole('heading', { name: 'Automatic top-up (usd)' }).waitFor();
    await member.page.getByText('On. Adds $20.00 plus tax when $5.00 or less is available.').waitFor();
    await member.page.getByText('1 of 1 purchases this month: $20.00 of $100.00.').waitFor();
    const rows = member.page.getByRole('region', { name: 'Attempts' }).getByRole('row');
    expect(await rows.nth(1).textContent()).toContain(
      'Not purchasedThe number of purchases for this month is reached.',
    );
    expect(await rows.nth(2).textContent()).toMatch(/Purchased.*\$20\.00$/);
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined)
      await member.page.screenshot({ path: `${folder}/auto-topup-dashboard.png`, fullPage: true });
    await member.page.getByRole('button', { name: 'Remove automatic top-up' }).click();
    const dialog = member.page.getByRole('dialog', { name: 'Remove automatic top-up' });
    await dialog.getByText('The account is no longer topped up.').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Remove top-up' }).click();
    await member.page.getByText('Automatic top-up removed').waitFor();
    await member.page.getByRole('heading', { name: 'Automatic top-up (usd)' }).waitFor({ state: 'detached' });
    expect(await shop.rest('GET', `/customers/${consumer.customerId}/auto-top-up`)).toMatchObject({
      status: 404,
    });
  });
});
