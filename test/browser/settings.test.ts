import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

describe.skipIf(browserPath === null)('settings in a browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('invite a member in live, and turn to Spanish', async () => {
    const owner = await DashboardMember.signIn(t, browser);
    const { page } = owner;
    await owner.open('/settings/members');
    expect(await page.getByRole('button', { name: 'Invite someone' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Switch to live' }).click();
    await page.getByRole('button', { name: 'Invite someone' }).click();
    await page.getByLabel('Email').fill('grace@people.test');
    await page.getByText('Admin', { exact: true }).last().click();
    expect(await owner.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('row', { name: /grace@people\.test/ }).waitFor();
    expect(
      await t.app.database.prisma.memberInvitation.findMany({ select: { email: true, role: true } }),
    ).toEqual([{ email: 'grace@people.test', role: 'admin' }]);

    await page.getByRole('button', { name: 'Cancel invitation' }).click();
    await page.getByRole('row', { name: /grace@people\.test/ }).waitFor({ state: 'detached' });
    expect(await t.app.database.prisma.memberInvitation.count()).toBe(0);

    await owner.open('/account');
    await page.getByRole('radio', { name: 'Español' }).check({ force: true });
    await page.getByRole('heading', { name: 'Cuenta', level: 1 }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(await owner.barriers()).toEqual([]);
    expect([owner.complaints, owner.foreignRequests]).toEqual([[], []]);
    await owner.close();
  });

  it('of the organization are absent for members, and kept for both environments', async () => {
    const owner = await DashboardMember.signIn(t, browser);
    await owner.open('/settings/organization');
    await owner.page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await owner.page.getByRole('button', { name: /Save changes/ }).click();
    await owner.page.getByText('Your changes are saved.').first().waitFor();
    expect((await t.graphql<{ organization: object }>('{ organization { name } }')).organization).toEqual({
      name: 'Analytical Engines',
    });
    const member = await DashboardMember.signIn(t, browser, { role: 'member' });
    await member.open('/account');
    expect(await member.page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await member.open('/settings/members');
    expect(await member.page.getByText('Your role does not allow this').count()).toBe(1);
    expect([owner.complaints, member.complaints]).toEqual([[], []]);
    await Promise.all([owner.close(), member.close()]);
  });
});
