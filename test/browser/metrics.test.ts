import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { advanceDays, createActiveSubscription, firstShop, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;
let page: Page;

const views = [
  'mrr',
  'retention',
  'scheduled',
  'trials',
  'cash',
  'receivables',
  'recovery',
  'usage',
] as const;

/** Moves to a chart bar with the keyboard and opens the underlying list. */
async function openBar(name: string, steps: number): Promise<void> {
  const chart = page.getByRole('slider', { name, exact: true });
  await chart.focus();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
}

describe.skipIf(browserPath === null)('the metrics page of the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    const { id } = await createActiveSubscription(shop);
    await createActiveSubscription(shop);
    await advanceDays(shop, 10);
    await t.graphql(
      'mutation ($input: SubscriptionCancelInput!) { subscriptionCancel(input: $input) { id } }',
      { input: { id } },
    );
    member = await DashboardMember.signIn(t, browser);
    page = member.page;
  });
  afterAll(async () => {
    expect([member.browserErrors, member.foreignRequests]).toEqual([[], []]);
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('has a view with a URL for each series, and keeps the interval when the view changes', async () => {
    await member.open('/metrics');
    const tabs = page.getByRole('navigation', { name: 'Metrics' });
    await page.getByText('Current metrics in US dollars').waitFor();
    // MRR of two subscriptions for 49.00 each.
    await page.getByText('$98.00').first().waitFor();
    await member.open('/metrics?interval=week');
    await tabs.getByRole('link', { name: 'Recovery' }).click();
    await page.getByText('No failed payments in this period').waitFor();
    expect(new URL(page.url()).search).toBe('?view=recovery&interval=week');
    await tabs.getByRole('link', { name: 'Trials' }).click();
    await page.getByText('No trials in this period').waitFor();
    await tabs.getByRole('link', { name: 'Usage' }).click();
    await page.getByText('No usage in this period').waitFor();
    await tabs.getByRole('link', { name: 'Receivables' }).click();
    await page.getByText('No outstanding invoices').waitFor();
    expect(new URL(page.url()).search).toBe('?view=receivables&interval=week');
  });

  it('shows scheduled changes by effective date, and links to the subscriptions', async () => {
    await member.open('/metrics?view=scheduled');
    await page.getByRole('heading', { name: 'Scheduled changes in USD' }).waitFor();
    await page.getByText('-$49.00').first().waitFor();
    await openBar('Scheduled changes in USD', 1);
    const sheet = page.getByRole('dialog', { name: 'Scheduled changes' });
    await sheet.getByText('-$49.00 · 1 subscription').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.reload();
    await sheet.getByRole('link', { name: 'Subscriptions with a period that ends on this day' }).click();
    await page.getByRole('grid', { name: 'Subscriptions' }).getByRole('row').nth(1).waitFor();
  });

  it('shows the breakdown of a chart point, and exports the series that is shown', async () => {
    await member.open('/metrics?view=cash&interval=year');
    await openBar('Net cash', 1);
    const sheet = page.getByRole('dialog', { name: 'Net cash' });
    await sheet.getByRole('link', { name: 'Payments in this period' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Export: Net cash' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export Cash' });
    await dialog.getByRole('button', { name: 'Start export' }).click();
    const file = dialog.getByRole('link', { name: /^Download / });
    await file.waitFor();
    const lines = (await (await fetch((await file.getAttribute('href')) ?? '')).text()).trim().split(/\r?\n/);
    expect(lines[0]?.split(',').slice(0, 2)).toEqual(['currency', 'isConverted']);
    expect(lines.slice(1).some((line) => line.includes('9800'))).toBe(true);
    await page.keyboard.press('Escape');
  });

  it('updates immediately when recurring revenue changes', async () => {
    await member.open('/metrics');
    await page.getByText('$98.00').first().waitFor();
    await createActiveSubscription(shop);
    await page.getByText('$147.00').first().waitFor();
    expect(await eventually(async () => (await page.getByText('$98.00').count()) === 0)).toBe(true);
  });

  it.each([{ theme: 'dark', width: 390 }] as const)(
    'renders every view without accessibility violations: $theme, $width wide',
    async ({ theme, width }) => {
      const other = await DashboardMember.signIn(t, browser, { theme, viewport: { width, height: 844 } });
      const found: string[] = [];
      for (const view of views) {
        await other.open(`/metrics?view=${view}`);
        await other.page.locator('section h2').first().waitFor();
        found.push(...(await other.accessibilityViolations()).map((barrier) => `${view} ${barrier}`));
        const room = await other.page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (room > 0) found.push(`${view} is ${room} px too wide`);
      }
      expect([found, other.browserErrors, other.foreignRequests]).toEqual([[], [], []]);
      await other.close();
    },
    180_000,
  );
});
