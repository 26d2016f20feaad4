import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';
import { messagesIn } from '../support/messages.ts';
import { codeOf } from '../support/one-time-code.ts';
import { password } from '../support/people.ts';

let t: TestApp;
let browser: Browser;

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

describe.skipIf(browserPath === null)('the one-time code settings in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each([{ language: 'es', width: 390, theme: 'dark' }] as const)(
    'sets up one-time codes, requires one at the next sign-in, and removes them: $language, $width wide',
    async ({ language, width, theme }) => {
      const words = messagesIn('dashboard', language, 'account');
      const entry = messagesIn('dashboard', language, 'entry');
      const viewport = { width, height: 800 };
      const member = await DashboardMember.signIn(t, browser, { language, theme, viewport });
      const { page } = member;
      await member.open('/account');
      const card = page.locator('section').filter({ has: page.getByRole('heading', { name: words.codes }) });
      await card.getByLabel(words.currentPassword).fill('not the password');
      await card.getByRole('button', { name: words.setUpCodes }).click();
      await card.getByText(entry.passwordWrong).waitFor();
      await card.getByLabel(words.currentPassword).fill(password);
      await page.keyboard.press('Enter');
      const link = card.getByRole('link', { name: words.openApp });
      await link.waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      const uri = (await link.getAttribute('href')) ?? '';
      const [recovery = ''] = (await card.locator('pre').innerText()).split('\n');
      await card.getByLabel(words.firstCode).fill(codeOf(uri));
      await page.keyboard.press('Enter');
      await card.getByText(words.codesOn).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);

      const { email } = await t.app.database.prisma.person.findFirstOrThrow({
        where: { secondFactor: { verified: true } },
      });
      const next = await browser.newContext({ viewport });
      next.setDefaultTimeout(30_000);
      await next.addCookies([{ name: 'quittance-language', value: language, url: t.url }]);
      const other = await next.newPage();
      const signIn = async () => {
        await other.goto(`${t.url}/dashboard`);
        await other.getByLabel(entry.email).fill(email);
        await other.getByLabel(entry.password).fill(password);
        await other.keyboard.press('Enter');
        await other.getByText(entry.codeText).waitFor();
      };
      await signIn();
      expect(await overflows(other)).toBe(false);
      await other.getByLabel(entry.code).fill('000000');
      await other.keyboard.press('Enter');
      await other.getByText(entry.codeWrong).waitFor();
      await other.getByLabel(entry.code).fill(codeOf(uri, 1));
      await other.keyboard.press('Enter');
      await other.getByText(entry.codeText).waitFor({ state: 'detached' });
      await next.clearCookies({ name: 'quittance.session_token' });
      await signIn();
      await other.getByRole('button', { name: entry.useRecovery }).click();
      await other.getByLabel(entry.recoveryCode).fill(recovery.trim());
      await other.keyboard.press('Enter');
      await other.getByText(entry.recoveryText).waitFor({ state: 'detached' });
      await next.close();

      await card.getByLabel(words.currentPassword).fill(password);
      await card.getByRole('button', { name: words.removeCodes }).click();
      await card.getByText(words.codesOff).waitFor();
      expect(await t.app.database.prisma.secondFactor.count()).toBe(0);
      expect(member.browserErrors.filter((each) => !/status of 4\d\d/.test(each))).toEqual([]);
      await member.close();
    },
  );
});
