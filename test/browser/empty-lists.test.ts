import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstRequestCode, firstRequests } from '../../src/dashboard/lists/first-requests.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

const lists = pageRoutes.filter(([name]) => name in firstRequests);

describe.skipIf(browserPath === null)('an empty list in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each([
    { language: 'en', theme: 'light', width: 1_280 },
    { language: 'es', theme: 'dark', width: 390 },
  ] as const)(
    'explains how to create the first object, with a button and an API request: $language, $width wide',
    async ({ language, theme, width }) => {
      const { organizationId, sandboxKey: key } = await t.otherTenant();
      const { body } = await t.rest<{ data: { id: string }[] }>('GET', '/api-keys', undefined, { key });
      for (const { id } of body.data) await t.rest('DELETE', `/api-keys/${id}`, undefined, { key });
      const viewport = { width, height: 900 };
      const member = await DashboardMember.signIn(t, browser, { organizationId, language, theme, viewport });
      const { page } = member;
      for (const [name, { path }] of lists) {
        await member.open(path);
        const code = page.locator('main pre');
        await code.waitFor();
        expect([name, await code.innerText()]).toEqual([name, firstRequestCode(name)]);
        const empty = code.locator('xpath=ancestor::*[p][1]');
        expect([name, await empty.locator('p').first().innerText()]).not.toEqual([name, '']);
        const ways = empty.locator('button, a').filter({ hasText: /\p{L}{3}/u });
        expect([name, await ways.count()]).toEqual([name, 1]);
        expect([name, await member.accessibilityViolations()]).toEqual([name, []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), name).toBe(
          false,
        );
        await ways.click();
        await page.getByRole('dialog').or(page.locator('main form')).first().waitFor();
      }
      expect([member.browserErrors, member.foreignRequests]).toEqual([[], []]);
      await member.close();
    },
  );
});
