import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { startLogin } from '../support/cli-login.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
const directory = mkdtempSync(path.join(tmpdir(), 'quittance-'));
const file = path.join(directory, 'settings.json');

const folder = process.env['SCREENSHOTS'];

describe.skipIf(browserPath === null)('the sign-in of a command line', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(async () => {
    rmSync(directory, { recursive: true, force: true });
    await Promise.all([browser.close(), t.close()]);
  });

  it('is decided on the page of its code, after which the command line continues', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const login = await startLogin(t.url, file);

    // Opening the link decides nothing.
    await page.goto(login.verificationUrl);
    await page.getByText(`Does your terminal show ${login.userCode}?`).waitFor();
    await page.getByText('ada-laptop').waitFor();
    await page.getByText('90 days after approval').waitFor();
    expect(await page.getByRole('radio', { name: 'Builder' }).isChecked()).toBe(true);
    expect(await member.accessibilityViolations()).toEqual([]);
    if (folder !== undefined) await page.screenshot({ path: `${folder}/device.png`, fullPage: true });
    expect(await t.app.database.prisma.deviceLogin.count({ where: { memberId: null } })).toBe(1);

    // The live environment offers no preset of the sandbox.
    await page.getByRole('navigation', { name: 'Environment' }).getByRole('link', { name: 'Live' }).click();
    await page.getByText('The key can access real customers and payments.').waitFor();
    expect(await page.getByRole('radio', { name: 'Builder' }).count()).toBe(0);
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'Sandbox' })
      .click();
    await page.getByText('Reader', { exact: true }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Sign-in approved').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    expect((await login.ended).code).toBe(0);
    const { apiKey } = JSON.parse(readFileSync(file, 'utf8')) as { apiKey: string };
    expect((await t.rest('GET', '/customers', undefined, { key: apiKey })).status).toBe(200);
    expect((await t.rest('POST', '/customers', { email: 'a@b.test' }, { key: apiKey })).status).toBe(403);

    await page.getByRole('link', { name: 'View API keys' }).click();
    await page.getByText('ada-laptop').waitFor();

    const denied = await startLogin(t.url, file, 'other-machine');
    await member.open('/device');
    await page.getByLabel('Code').fill('wrong');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong, has expired, or was already used.').waitFor();
    await page.getByRole('button', { name: 'Enter another code' }).click();
    await page.getByLabel('Code').fill(denied.userCode.toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('other-machine').waitFor();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Sign-in denied').waitFor();
    expect((await denied.ended).code).toBe(1);
  });
});
