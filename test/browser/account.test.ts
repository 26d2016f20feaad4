import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../src/platform/mail.ts';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApp } from '../support/harness.ts';
import { messagesIn } from '../support/messages.ts';
import { account, enter, password } from '../support/people.ts';

let t: TestApp;
let browser: Browser;
const emails: MailMessage[] = [];

/** Link to the dashboard in the latest email to a recipient. */
const linkTo = async (recipient: string): Promise<string> => {
  const email = await eventually(
    () => emails.findLast(({ to }) => to === recipient),
    (found) => found !== undefined,
  );
  return /http\S+\/dashboard\/\S+/.exec(email?.text ?? '')?.[0] ?? '';
};

const openedIn = async (language: 'en' | 'es', width: number): Promise<Page> => {
  const ctx = await browser.newContext({ viewport: { width, height: 800 } });
  await ctx.addCookies([{ name: 'quittance-language', value: language, url: t.url }]);
  return ctx.newPage();
};

/** Returns true if the page can be scrolled horizontally. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

const wide = { language: 'en', width: 1_280, theme: 'light' } as const;
const narrow = { language: 'es', width: 390, theme: 'dark' } as const;

describe.skipIf(browserPath === null)('the account page in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    Object.assign(t.app, {
      mail: { send: async (email: MailMessage) => void emails.push(email), close: () => undefined },
    });
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each([wide])(
    'requires the password to create a live API key: $language, $width wide',
    async ({ language, width, theme }) => {
      const entry = messagesIn('dashboard', language, 'entry');
      const developers = messagesIn('dashboard', language, 'developers');
      const member = await DashboardMember.signIn(t, browser, {
        language,
        theme,
        viewport: { width, height: 800 },
      });
      const { page } = member;
      const keys = () =>
        t.app.database.prisma.apiKey.count({ where: { environmentId: t.liveId, name: `Made ${language}` } });
      await member.open('/api-keys?new=yes', 'live');
      await t.app.database.prisma.session.updateMany({ data: { provenAt: null } });
      await page.getByRole('textbox', { name: developers.name }).fill(`Made ${language}`);
      const create = page.getByRole('dialog').getByRole('button', { name: developers.createKey });
      await create.click();
      const proof = page.getByRole('dialog', { name: entry.prove });
      await proof.waitFor();
      expect([await member.accessibilityViolations(), await overflows(page), await keys()]).toEqual([
        [],
        false,
        0,
      ]);

      // Dismissing the password dialog doesn't clear the form.
      await page.keyboard.press('Escape');
      await proof.waitFor({ state: 'detached' });
      expect([await page.getByRole('textbox', { name: developers.name }).inputValue(), await keys()]).toEqual(
        [`Made ${language}`, 0],
      );

      await create.click();
      await proof.getByLabel(entry.password).fill('not the password');
      await proof.getByRole('button', { name: entry.goOn }).click();
      await proof.getByText(entry.passwordWrong).waitFor();
      expect(await keys()).toBe(0);
      await proof.getByLabel(entry.password).fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: developers.keyCreated }).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page), await keys()]).toEqual([
        [],
        false,
        1,
      ]);

      // The confirmation remains valid for a while, so deleting the key doesn't require the password.
      await page.getByRole('button', { name: developers.done }).click();
      await page.getByRole('button', { name: developers.removeOf({ name: `Made ${language}` }) }).click();
      const removal = page.getByRole('alertdialog');
      await removal.getByRole('textbox').fill(`Made ${language}`);
      await removal.getByRole('button', { name: developers.removeKey, exact: true }).click();
      await page.getByText(developers.removed).first().waitFor();
      expect(await keys()).toBe(0);
      expect(member.browserErrors.filter((each) => !/status of 4\d\d/.test(each))).toEqual([]);
      await member.close();
    },
  );

  it.each([narrow])(
    'resets a password with a link that can be used only once: $language, $width wide',
    async ({ language, width }) => {
      const entry = messagesIn('dashboard', language, 'entry');
      const { email } = await enter(t, `forgot-${language}@people.test`);
      const page = await openedIn(language, width);
      await page.goto(`${t.url}/dashboard`);
      await page.getByRole('button', { name: entry.forgotPassword }).click();
      await page.getByLabel(entry.email).fill(email);
      await page.getByRole('button', { name: entry.sendLink }).click();
      await page.getByText(entry.resetSent({ email })).waitFor();
      const link = await linkTo(email);
      await page.goto(link);
      await page.getByLabel(entry.newPassword).fill('short');
      await page.getByRole('button', { name: entry.savePassword }).click();
      await page
        .getByRole('textbox', { name: entry.newPassword })
        .and(page.locator('[aria-invalid]'))
        .waitFor();
      await page.getByLabel(entry.newPassword).fill('another long password');
      await page.getByRole('button', { name: entry.savePassword }).click();
      await page.getByText(entry.resetDone).waitFor();
      expect(await overflows(page)).toBe(false);
      await page.getByRole('button', { name: entry.signIn }).click();
      await page.getByLabel(entry.email).fill(email);
      await page.getByLabel(entry.password).fill('another long password');
      await page.getByRole('button', { name: entry.signIn, exact: true }).click();
      await page.getByRole('heading', { name: entry.noOrganization }).waitFor();

      await page.goto(link);
      await page.getByLabel(entry.newPassword).fill('a third long password');
      await page.getByRole('button', { name: entry.savePassword }).click();
      await page.getByText(entry.linkStale).waitFor();
      expect((await account(t, '/sign-in/email', { email, password: 'another long password' })).status).toBe(
        200,
      );
      await page.context().close();
    },
  );

  it.each([wide])(
    'verifies an email address with an emailed link: $language, $width wide',
    async ({ language, width, theme }) => {
      const entry = messagesIn('dashboard', language, 'entry');
      const words = messagesIn('dashboard', language, 'account');
      const member = await DashboardMember.signIn(t, browser, {
        language,
        theme,
        viewport: { width, height: 800 },
      });
      const { page } = member;
      const { person } = t.app.database.prisma;
      const { id, email } = await person.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
      await person.update({ where: { id }, data: { emailVerified: false } });
      await member.open('/account');
      const bar = page.getByRole('region', { name: entry.verifyEmail });
      await bar.getByText(entry.verifyEmailText({ email })).waitFor();
      expect(await page.getByText(words.verifyFirst).count()).toBe(2);
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      await bar.getByRole('button', { name: entry.sendLink }).click();
      await bar.getByText(entry.verificationSent({ email })).waitFor();
      // The first verification requires the password if the person hasn't entered it recently.
      await t.app.database.prisma.session.updateMany({ where: { userId: id }, data: { provenAt: null } });
      await page.goto(await linkTo(email));
      const proof = page.getByRole('dialog', { name: entry.prove });
      await proof.getByLabel(entry.password).fill(password);
      await proof.getByRole('button', { name: entry.goOn }).click();
      await page.getByText(entry.emailConfirmed).waitFor();
      await member.open('/account');
      expect([await bar.count(), await page.getByText(words.verifyFirst).count()]).toEqual([0, 0]);
      await member.close();
    },
  );

  it.each([narrow])(
    'changes the email address after the new address is verified: $language, $width wide',
    async ({ language, width, theme }) => {
      const entry = messagesIn('dashboard', language, 'entry');
      const member = await DashboardMember.signIn(t, browser, {
        language,
        theme,
        viewport: { width, height: 800 },
      });
      const { page } = member;
      const { id } = await t.app.database.prisma.person.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
      await member.open('/account');
      await t.app.database.prisma.session.updateMany({ data: { provenAt: null } });
      const to = `moved-${language}@people.test`;
      await page.locator('input[name="newEmail"]').fill(to);
      await page.keyboard.press('Enter');
      const proof = page.getByRole('dialog', { name: entry.prove });
      await proof.getByLabel(entry.password).fill(password);
      await proof.getByRole('button', { name: entry.goOn }).click();
      await page.getByText(to).first().waitFor();
      await page.goto(await linkTo(to));
      await page.getByText(entry.emailConfirmed).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      expect((await t.app.database.prisma.person.findUniqueOrThrow({ where: { id } })).email).toBe(to);
      await page.getByRole('button', { name: entry.openDashboard }).click();
      await member.settled();
      await page.goto(`${t.url}/dashboard/verify-email/none`);
      await page.getByText(entry.linkStale).waitFor();
      await member.close();
    },
  );
});
