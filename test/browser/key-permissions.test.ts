import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('the form for a new API key', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('limits the permissions of the key to selected areas', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/api-keys?new=yes');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Metering');
    await dialog.getByRole('button', { name: 'Permissions apply to' }).click();
    await page.getByRole('option', { name: 'Selected areas' }).click();
    await dialog.getByText('Select at least one permission.').waitFor();
    for (const name of ['Read in Usage', 'Write in Usage', 'Read in Customers'])
      await dialog.getByRole('checkbox', { name, exact: true }).press('Space');
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/key-permissions.png` });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('API key created').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Read in 2 areas').waitFor();
    await page.getByText('Write in 1 area').waitFor();
    const [key] = await t.app.database.prisma.apiKey.findMany({ where: { name: 'Metering' } });
    expect(key).toMatchObject({
      scopes: ['read', 'write'],
      permissions: ['customers:read', 'usage:read', 'usage:write'],
    });
  });
});
