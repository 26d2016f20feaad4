import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createActiveSubscription, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

// Home with real figures: the chart with its comparison, upcoming payments, and amounts in lists.

let t: TestApp;
let browser: Browser;

describe.skipIf(browserPath === null)('the home page of the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), t.close()]);
  });

  it('shows metrics with a comparison, upcoming payments, and top customers', async () => {
    const shop = firstShop(t);
    await createActiveSubscription(shop);
    await createActiveSubscription(shop, { billingInterval: 'weekly', price: 99_999_999 });
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/');
    const metrics = page.getByRole('navigation', { name: 'Metrics' });
    await metrics.getByRole('link', { name: /^Active subscribers\s*2\b/ }).waitFor();
    const chart = page.getByRole('slider', { name: 'MRR' });
    await chart.focus();
    await page.keyboard.press('End');
    // 49.00 a month, and 52 weeks of 999,999.99 in twelve months. There are no earlier values.
    expect(await chart.getAttribute('aria-valuetext')).toContain(
      ': Last 30 days $4,333,382.29, Previous 30 days –',
    );
    await page.keyboard.press('ArrowLeft');
    expect(await chart.getAttribute('aria-valuetext')).not.toContain('$4,333,382.29');
    // Today's payments of $49.00 and $999,999.99, and the weekly renewal.
    await page.getByText('$2,000,048.98', { exact: true }).waitFor();
    await metrics.getByRole('link', { name: /^Net volume/ }).click();
    await page.getByRole('slider', { name: 'Net volume' }).waitFor();
    expect(new URL(page.url()).searchParams.get('figure')).toBe('cash');
    expect(await member.accessibilityViolations()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('uses its own font, and never cuts an amount in a list', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    for (const width of [1_440, 1_024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await member.open('/customers');
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
      const cut = await page
        .locator('[data-fit]')
        .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
      expect(cut).toBe(0);
    }
    const font = await page.evaluate(async () => {
      await document.fonts.ready;
      return [
        getComputedStyle(document.body).fontFamily.startsWith('"Instrument Sans"'),
        document.fonts.check('14px "Instrument Sans"'),
      ];
    });
    expect(font).toEqual([true, true]);
    expect(member.foreignRequests).toEqual([]);
    await member.close();
  });
});
