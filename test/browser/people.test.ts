import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailMessage } from '../../src/platform/mail.ts';
import { browserPath, openBrowser, Visitor } from '../support/browser.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { account, enter, memberOf, password, type Session } from '../support/people.ts';

let t: TestApp;
let browser: Browser;
const notifications: MailMessage[] = [];

describe.skipIf(browserPath === null)('the invitation and claim pages in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([
      startApp({ env: { SIGN_INS_PER_MINUTE: '0', PROVISIONING_PER_MINUTE: '0' } }),
      openBrowser(),
    ]);
    Object.assign(t.app, {
      mail: {
        send: async (notification: MailMessage) => void notifications.push(notification),
        close: () => undefined,
      },
    });
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  /** Invites an email address to a new organization. Returns the link and the organization's ID. */
  async function invite(email: string): Promise<{ link: string; organizationId: string }> {
    const { organizationId } = await t.otherTenant();
    const owner = await memberOf(t, organizationId, 'owner');
    const headers = { ...owner.headers, 'x-environment': 'live' };
    await t.graphql(
      'mutation ($input: MemberInviteInput!) { memberInvite(input: $input) { id } }',
      { input: { email, role: 'admin' } },
      { key: null, headers },
    );
    return {
      link: /http\S+\/invitation\/\S+/.exec(notifications.at(-1)?.text ?? '')?.[0] ?? '',
      organizationId,
    };
  }

  const membersOf = (organizationId: string) =>
    t.app.database.prisma.member.count({ where: { organizationId } });

  /** Adds the cookies of an existing session to a visitor's browser. */
  async function carry(visitor: Visitor, { headers }: Session): Promise<void> {
    const [name = '', value = ''] = (headers['cookie'] ?? '').split(/=(.*)/s);
    await visitor.context.addCookies([{ name, value, url: t.url }]);
  }

  it('creates an account from an emailed invitation and adds the account as a member', async () => {
    const { link, organizationId } = await invite('new@browser.test');
    const visitor = await Visitor.open(browser, link);
    expect(await visitor.page.textContent('#summary')).toBe(
      "You're invited to join as an admin with the email address new@browser.test.",
    );
    expect(await visitor.page.getAttribute('#email', 'readonly')).not.toBeNull();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.page.fill('#name', 'Ada');
    await visitor.page.fill('#password', password);
    await visitor.page.click('#submit');
    await visitor.page.locator('.status.done').waitFor();
    expect(await visitor.status()).toBe("Welcome. You're now a member of Another organization.");
    expect([await membersOf(organizationId), visitor.browserErrors]).toEqual([2, []]);
    await visitor.close();
  });

  it('rejects an invitation for another email address, and shows the invited address', async () => {
    const { link, organizationId } = await invite('right@browser.test');
    const other = await enter(t, 'other@browser.test');
    const visitor = await Visitor.open(browser, `${t.url}/claim/none`);
    await carry(visitor, other);
    await visitor.page.goto(link);
    await visitor.page.locator('#confirmation').waitFor();
    expect(await visitor.page.textContent('#signed-in')).toBe(
      "You're signed in as other@browser.test. This invitation is for right@browser.test. Sign in with that address.",
    );
    expect(await visitor.page.isVisible('#accept')).toBe(false);
    await visitor.page.click('#leave');
    await visitor.page.locator('#account').waitFor();
    expect(await membersOf(organizationId)).toBe(1);
    await visitor.close();
  });

  it('requires the password of an existing account with the invited email address', async () => {
    await account(t, '/sign-up/email', { name: 'Ada', email: 'known@browser.test', password });
    const { link, organizationId } = await invite('known@browser.test');
    const visitor = await Visitor.open(browser, link);
    await visitor.page.fill('#name', 'Ada');
    await visitor.page.fill('#password', 'another password');
    await visitor.page.click('#submit');
    await visitor.page.locator('#alert').waitFor();
    expect(await visitor.alert()).toBe(
      'An account with this email address already exists. Sign in with its password.',
    );
    expect(await visitor.page.textContent('#account-title')).toBe('Sign in');
    await visitor.page.fill('#password', password);
    await visitor.page.click('#submit');
    await visitor.page.locator('.status.done').waitFor();
    expect(await membersOf(organizationId)).toBe(2);
    await visitor.close();
  });

  it('claims an organization that an API client created, and rejects a second claim', async () => {
    const wish = { name: 'Acme', country: 'US', businessType: 'company' };
    const provisioned = { key: null, headers: { 'idempotency-key': randomUUID() } };
    const { body } = await t.rest<{ claimUrl: string; id: string }>('POST', '/provision', wish, provisioned);
    const visitor = await Visitor.open(browser, body.claimUrl);
    await visitor.page.fill('#name', 'Ada');
    await visitor.page.fill('#email', 'claims@browser.test');
    await visitor.page.fill('#password', password);
    await visitor.page.click('#submit');
    await visitor.page.locator('.status.done').waitFor();
    expect([await visitor.status(), await membersOf(body.id), visitor.browserErrors]).toEqual([
      'You now own Acme.',
      1,
      [],
    ]);
    expect([
      await visitor.focused(),
      await visitor.page.locator('#dashboard').evaluate((link: HTMLAnchorElement) => link.href),
    ]).toEqual(['dashboard', `${t.url}/dashboard/sandbox/welcome`]);
    await visitor.close();

    const late = await Visitor.open(browser, body.claimUrl);
    expect(await late.status()).toBe('This organization already has an owner.');
    expect(await late.page.locator('#dashboard').evaluate((link: HTMLAnchorElement) => link.href)).toBe(
      `${t.url}/dashboard`,
    );
    await late.close();
  });

  it('runs a query in GraphiQL within its content security policy', async () => {
    const page = await browser.newPage();
    const browserErrors: string[] = [];
    page.on('pageerror', (error) => browserErrors.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') browserErrors.push(message.text());
    });
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(violatedDirective, blockedURI),
      );
    });
    await page.goto(`${t.url}/graphql?query=${encodeURIComponent('{ organization { name } }')}`);
    await page.getByRole('button', { name: 'Headers' }).click();
    await page.locator('.monaco-editor[data-uri*=eaders]').first().click();
    await page.keyboard.insertText(JSON.stringify({ 'x-api-key': t.sandboxKey }));
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.result-window', { hasText: 'Test organization' }).waitFor();
    // GraphiQL validates queries in web workers.
    expect(page.workers().length).toBeGreaterThan(0);
    expect(browserErrors).toEqual([]);
    await page.close();
  });
});
