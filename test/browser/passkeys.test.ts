import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import type { TestApp } from '../support/harness.ts';
import { messagesIn } from '../support/messages.ts';
import { password } from '../support/people.ts';

let t: TestApp;
/** The service runs under a host name, because browsers reject passkeys at IP addresses. */
let named: TestApp;
let browser: Browser;

const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

/** Adds a virtual authenticator to a page. Returns a function that sets whether the authenticator can verify its user. */
async function withAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verify: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

const cases = [{ language: 'en', width: 1_280, theme: 'light' }] as const;

describe.skipIf(browserPath === null)('the passkey page in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    named = Object.create(t, { url: { value: t.url.replace('127.0.0.1', 'localhost') } });
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each(cases)(
    'adds and removes a passkey, which replaces one-time codes at sign-in and reauthenticates the member: $language, $width wide',
    async ({ language, width, theme }) => {
      const words = messagesIn('dashboard', language, 'account');
      const entry = messagesIn('dashboard', language, 'entry');
      const viewport = { width, height: 800 };
      const member = await DashboardMember.signIn(named, browser, { language, theme, viewport });
      const { page } = member;
      const { verify } = await withAuthenticator(page);
      const person = await t.app.database.prisma.person.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
      const stored = () => t.app.database.prisma.passkey.findMany({ where: { userId: person.id } });
      const forgetProof = () =>
        t.app.database.prisma.session.updateMany({
          where: { userId: person.id },
          data: { provenAt: null },
        });
      const card = page
        .locator('section')
        .filter({ has: page.getByRole('heading', { name: words.passkeys, exact: true }) })
        .first();
      const proof = page.getByRole('dialog', { name: entry.prove });
      const leave = async () => {
        await page.context().clearCookies({ name: /session_token/ });
        await page.goto(`${named.url}/dashboard`);
        await page.getByLabel(entry.email).waitFor();
      };
      const usePasskey = () => page.getByRole('button', { name: entry.usePasskey }).click();

      await member.open('/account');
      await card.getByText(words.noPasskeys).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);

      // Adding a passkey requires a recent sign-in and an authenticator that verifies its user.
      await forgetProof();
      await verify(false);
      await card.getByRole('button', { name: words.addPasskey }).click();
      await proof.getByLabel(entry.password).fill(password);
      await page.keyboard.press('Enter');
      await card.getByText(entry.passkeyCanceled).waitFor();
      expect(await stored()).toEqual([]);
      await verify(true);
      await card.getByRole('button', { name: words.addPasskey }).click();
      const [added] = await eventually(stored, (rows) => rows.length === 1);
      const name = added?.name ?? '';
      await card.getByRole('button', { name: words.removeOf({ name }) }).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      // The authenticator already has a passkey for this account.
      await card.getByRole('button', { name: words.addPasskey }).click();
      await card.getByText(entry.passkeyKnown).waitFor();
      expect(await stored()).toHaveLength(1);

      // The password alone is no longer sufficient for signing in, but the passkey is.
      await t.app.database.prisma.person.update({
        where: { id: person.id },
        data: { twoFactorEnabled: true },
      });
      await leave();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      await page.getByLabel(entry.email).fill(person.email);
      await page.getByLabel(entry.password).fill(password);
      await page.keyboard.press('Enter');
      await page.getByText(entry.codeText).waitFor();
      await page.getByRole('button', { name: entry.beginAgain }).click();
      await verify(false);
      await usePasskey();
      await page.getByText(entry.passkeyCanceled).waitFor();
      await verify(true);
      await usePasskey();
      await page.getByLabel(entry.email).waitFor({ state: 'detached' });
      await member.settled();

      // The passkey also confirms the person's identity before a sensitive change.
      await member.open('/account');
      await forgetProof();
      await card.getByRole('button', { name: words.renameOf({ name }) }).click();
      const renaming = page.getByRole('dialog', { name: words.renamePasskey });
      await renaming.getByLabel(words.passkeyName).fill('Laptop');
      await page.keyboard.press('Enter');
      await proof.getByRole('button', { name: entry.provePasskey }).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      await proof.getByRole('button', { name: entry.provePasskey }).click();
      await card.getByRole('button', { name: words.removeOf({ name: 'Laptop' }) }).click();
      const removal = page.getByRole('alertdialog', { name: words.removePasskey({ name: 'Laptop' }) });
      await removal.getByText(words.removePasskeyText).waitFor();
      expect([await member.accessibilityViolations(), (await stored()).map((row) => row.name)]).toEqual([
        [],
        ['Laptop'],
      ]);
      await removal.getByRole('button', { name: words.removePasskeyAction, exact: true }).click();
      await card.getByText(words.noPasskeys).waitFor();
      expect(await stored()).toEqual([]);

      // The browser still stores the passkey, but the account no longer accepts it.
      await leave();
      await usePasskey();
      await page.getByText(entry.passkeyUnknown).waitFor();
      expect([await member.accessibilityViolations(), await overflows(page)]).toEqual([[], false]);
      expect(member.browserErrors.filter((each) => !/status of 4\d\d/.test(each))).toEqual([]);
      await member.close();
    },
  );

  it('is disabled when opened by IP address, and links to the same page at the host name', async () => {
    const words = messagesIn('dashboard', 'en', 'account');
    const entry = messagesIn('dashboard', 'en', 'entry');
    const member = await DashboardMember.signIn(t, browser);
    await member.open('/account');
    const { page } = member;
    expect(await page.getByRole('button', { name: words.addPasskey }).isDisabled()).toBe(true);
    const address = `${named.url}/dashboard/sandbox/account`;
    const link = page.getByRole('link', { name: address });
    expect([await link.getAttribute('href'), await member.accessibilityViolations()]).toEqual([address, []]);
    await link.click();
    await page.getByRole('button', { name: entry.usePasskey }).waitFor();
    expect([page.url(), member.browserErrors]).toEqual([address, []]);
    await member.close();
  });
});
