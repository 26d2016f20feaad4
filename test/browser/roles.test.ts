import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { pageRoutes } from '../support/dashboard-routes.ts';
import { createActiveSubscription, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { messagesIn } from '../support/messages.ts';

const titles = messagesIn('dashboard', 'en', 'titles');

let t: TestApp;
let browser: Browser;

const plain = pageRoutes.filter(([, { path }]) => !path.includes('$'));
const listed = plain.filter(([, { group, icon }]) => group !== undefined || icon !== undefined);
const restricted = plain.filter(([, { role }]) => role !== undefined);
const open = plain.filter(([, { role }]) => role === undefined);

const forbidden = "Your role doesn't allow this action";

/** Records requests that the service rejects with `forbidden`. */
function watchRejections(page: Page): string[] {
  const rejected: string[] = [];
  page.on('response', async (response) => {
    if (!/\/graphql|\/auth/.test(response.url())) return;
    const body = await response.text().catch(() => '');
    if (body.includes('"forbidden"')) rejected.push(`${page.url()}: ${body.slice(0, 200)}`);
  });
  return rejected;
}

/** Target paths of the given links. */
const pathsOf = (links: Locator): Promise<string[]> =>
  links.evaluateAll((found) =>
    found.map(
      (link) =>
        new URL((link as HTMLAnchorElement).href).pathname.replace(/^.*\/dashboard\/(?:sandbox|live)/, '') ||
        '/',
    ),
  );
const linked = (page: Page): Promise<string[]> => pathsOf(page.locator('a[href*="/dashboard/"]'));

/** Paths listed in the navigation. */
const navigated = async (page: Page): Promise<string[]> => {
  const folded = page.locator('nav button[aria-expanded="false"]');
  while ((await folded.count()) > 0) await folded.first().click();
  return [...new Set(await pathsOf(page.locator('nav a[href*="/dashboard/"]')))].sort();
};

describe.skipIf(browserPath === null)('the dashboard for each member role', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    await createActiveSubscription(firstShop(t));
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('hides keys, webhooks and settings from members in navigation, command palette, shortcuts and URLs', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'member' });
    const { page } = member;
    const rejected = watchRejections(page);
    expect(restricted.map(([name]) => name)).toEqual([
      'webhooks',
      'webhookDeliveries',
      'apiKeys',
      'organization',
      'branding',
      'customerPages',
      'emailSettings',
      'members',
      'taxes',
      'paymentSettings',
    ]);
    await member.open();
    expect(await navigated(page)).toEqual(
      listed
        .filter(([, { role }]) => role === undefined)
        .map(([, { path }]) => path)
        .sort(),
    );
    for (const [name] of restricted) {
      await page.keyboard.press('Control+k');
      await page
        .getByRole('dialog')
        .getByRole('textbox')
        .or(page.getByRole('searchbox'))
        .first()
        .fill(titles[name]);
      await page.waitForTimeout(50);
      expect(await page.getByRole('menuitem', { name: titles[name], exact: true }).count(), name).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.keyboard.press('?');
    const list = page.getByRole('dialog');
    await list.getByText(titles.customers, { exact: true }).waitFor();
    expect(await list.getByText(titles.webhooks, { exact: true }).count()).toBe(0);
    await page.keyboard.press('Escape');
    for (const environment of ['sandbox', 'live'] as const)
      for (const [name, { path }] of restricted) {
        await member.open(path, environment);
        expect(
          [name, await member.heading(), await page.getByText(forbidden).count()],
          `${environment} ${path}`,
        ).toEqual([name, titles[name], 1]);
      }
    await member.open('/webhooks/whe_none');
    expect(await page.getByText(forbidden).count()).toBe(1);
    expect([rejected, member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('shows members only links and buttons that they are allowed to use', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'member' });
    const { page } = member;
    const rejected = watchRejections(page);
    const closed = restricted.map(([, { path }]) => path);
    const wrong = async () => (await linked(page)).filter((path) => closed.includes(path));
    const alike = new Set<string>();
    let pressed = 0;
    await member.open();
    for (const [name, { path }] of open) {
      await member.follow(path);
      expect([await wrong(), await page.getByText(forbidden).count()], name).toEqual([[], 0]);
      const buttons = page.locator('main button:visible:enabled');
      for (let index = 0; index < (await buttons.count()); index += 1) {
        const before = page.url();
        const button = buttons.nth(index);
        // List toolbars share their buttons. Test each button once.
        const label = await button.innerText();
        if (alike.has(label)) continue;
        if (name === 'customers' && ['Filter', 'Views', 'Display'].includes(label)) alike.add(label);
        await button.click();
        await page.waitForTimeout(30);
        pressed += 1;
        expect(await wrong(), `${name} ${index}`).toEqual([]);
        const opened = page.locator('[role="dialog"], [role="alertdialog"], [role="menu"]');
        if ((await opened.count()) > 0) await page.keyboard.press('Escape');
        // A redirecting page has no heading from which the test could follow a link.
        if ((await opened.count()) > 0 || page.url() !== before) await member.open(path);
      }
    }
    expect(pressed).toBeGreaterThan(60);
    await member.open('/', 'live');
    for (const [name, { path, environment }] of open) {
      if (environment === 'sandbox') continue;
      await member.follow(path);
      expect([await wrong(), await page.getByText(forbidden).count()], name).toEqual([[], 0]);
    }
    expect([rejected, member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it.each(['admin', 'owner'] as const)('lets an %s open every page', async (role) => {
    const { organizationId } = role === 'owner' ? await t.otherTenant() : t;
    const member = await DashboardMember.signIn(t, browser, { role, organizationId });
    const { page } = member;
    const rejected = watchRejections(page);
    await member.open();
    expect(await navigated(page)).toEqual(listed.map(([, { path }]) => path).sort());
    for (const [name, { path }] of restricted) {
      await member.follow(path);
      expect([name, await page.getByText(forbidden).count()]).toEqual([name, 0]);
    }
    expect([rejected, member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('shows the identity form for the payout provider only to the owner', async () => {
    const admin = await DashboardMember.signIn(t, browser);
    const rejected = watchRejections(admin.page);
    await admin.open('/payouts?open=verification', 'live');
    await admin.page.getByRole('dialog').getByText(/owner/i).first().waitFor();
    expect([rejected, admin.browserErrors]).toEqual([[], []]);
    await admin.close();
  });
});
