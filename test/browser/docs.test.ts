import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, colorSchemeViolationsOf, openBrowser } from '../support/browser.ts';
import { startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
let page: Page;

/** Messages about errors, and addresses outside the service that the browser requested. */
const problems: string[] = [];

describe.skipIf(browserPath === null)('the documentation site in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    const html = { headers: { accept: 'text/html' } };
    await eventually(async () => (await fetch(`${t.url}/docs`, html)).status === 200);
    page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('request', (request) => {
      if (!/^(?:data:|blob:)/.test(request.url()) && !request.url().startsWith(t.url))
        problems.push(request.url());
    });
  }, 150_000);
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each([
    '/docs',
    '/docs/guides/webhooks',
    '/docs/reference/subscriptions/subscription-change-plan',
    '/docs/reference/types/enums-s',
    '/docs/events/invoice-created',
    '/docs/errors/charge_failed',
  ])('renders %s without errors and accessibility violations, at 1,440 and 390 px', async (address) => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${t.url}${address}`);
    expect(await colorSchemeViolationsOf(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    expect(problems).toEqual([]);
  });

  it('finds the page of an operation by its name, without a request to another server', async () => {
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${t.url}/docs`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('textbox', { name: 'Search' }).fill('subscriptionChangePlan');
    await page.getByRole('link', { name: 'subscriptionChangePlan' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'subscriptionChangePlan' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/reference/subscriptions/subscription-change-plan');
    expect(problems).toEqual([]);
  });
});
