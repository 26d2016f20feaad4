import type { Browser, Page } from 'playwright-core';
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

/** Dashboard paths that a page links to. */
const linked = (page: Page): Promise<string[]> =>
  page
    .locator('a[href*="/dashboard/"]')
    .evaluateAll((found) =>
      found.map(
        (link) =>
          new URL((link as HTMLAnchorElement).href).pathname.replace(
            /^.*\/dashboard\/(?:sandbox|live)/,
            '',
          ) || '/',
      ),
    );

describe.skipIf(browserPath === null)('the dashboard for each member role', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    await createActiveSubscription(firstShop(t));
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('shows members only links to pages that they can open, and sends no request that the service rejects', async () => {
    const member = await DashboardMember.signIn(t, browser, { role: 'member' });
    const { page } = member;
    const rejected = watchRejections(page);
    const closed = restricted.map(([, { path }]) => path);
    for (const current of ['sandbox', 'live'] as const) {
      await member.open('/', current);
      for (const [name, { path, environment }] of open) {
        if (environment !== undefined && environment !== current) continue;
        await member.follow(path);
        const wrong = (await linked(page)).filter((target) => closed.includes(target));
        expect([wrong, await page.getByText(forbidden).count()], `${current} ${name}`).toEqual([[], 0]);
      }
      for (const [name, { path }] of restricted) {
        await member.follow(path);
        expect(
          [await member.heading(), await page.getByText(forbidden).count()],
          `${current} ${name}`,
        ).toEqual([titles[name], 1]);
      }
    }
    await member.open('/webhooks/whe_none');
    expect(await page.getByText(forbidden).count()).toBe(1);
    expect([rejected, member.browserErrors]).toEqual([[], []]);
    await member.close();
  });

  it('lets an admin open every page', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const rejected = watchRejections(page);
    await member.open();
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
