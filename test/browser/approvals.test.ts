import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createActiveSubscription, firstShop, latestTransaction, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('the approval of a call', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('is required by a policy that a member sets, and given by a member who has seen the preview', async () => {
    const { body: key } = await t.rest<{ apiKey: string }>('POST', '/api-keys', { name: 'Support agent' });
    const { id } = await createActiveSubscription(shop, { price: 6_000 });
    const transaction = await latestTransaction(shop, id);
    const refund = () =>
      t.rest('POST', `/transactions/${transaction}/refund`, undefined, { key: key.apiKey });
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;

    await member.open('/api-keys');
    await page.getByRole('button', { name: 'Policy of Support agent' }).click();
    const sheet = page.getByRole('dialog', { name: 'Policy of Support agent' });
    await sheet.getByLabel('Maximum amount per day').fill('200');
    await sheet.getByLabel('Approval above').fill('50');
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/policy.png` });
    await sheet.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Policy saved').waitFor();

    await member.open('/approvals');
    await page.getByText('No requests').waitFor();
    expect((await refund()).status).toBe(403);
    await page.getByRole('link', { name: 'transactionRefund' }).click();
    await page.getByText('$60.00').first().waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/approval.png`, fullPage: true });
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('Request approved').waitFor();
    await page.getByText('Approved', { exact: true }).waitFor();
    expect((await refund()).status).toBe(200);
  });

  it('can include the call, whose response the page and the repeated call show', async () => {
    const { body: key } = await t.rest<{ id: string; apiKey: string }>('POST', '/api-keys', {
      name: 'Refund agent',
    });
    const { id } = await createActiveSubscription(shop, { price: 7_000 });
    const transaction = await latestTransaction(shop, id);
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/api-keys');
    await page.getByRole('button', { name: 'Policy of Refund agent' }).click();
    const sheet = page.getByRole('dialog', { name: 'Policy of Refund agent' });
    await sheet.getByLabel('Approval above').fill('50');
    await sheet.getByRole('button', { name: 'Save policy' }).click();
    await page.getByText('Policy saved').waitFor();
    const refund = () =>
      t.rest('POST', `/transactions/${transaction}/refund`, undefined, { key: key.apiKey });
    expect((await refund()).status).toBe(403);

    await member.open('/approvals');
    await page.getByRole('link', { name: 'transactionRefund' }).first().click();
    await page.getByRole('button', { name: 'Approve and run' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve and run' }).click();
    await page.getByText('Request approved, and call made').waitFor();
    await page.getByRole('heading', { name: 'Response' }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/approval-run.png`, fullPage: true });
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    const repeated = await refund();
    expect([repeated.status, repeated.body]).toMatchObject([200, { object: 'refund', amount: 7_000 }]);
  });
});
