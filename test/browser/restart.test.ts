import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { type Child, startChild } from '../support/child.ts';
import { eventually } from '../support/eventually.ts';
import { password } from '../support/people.ts';

let folder: string;
let service: Child;
let browser: Browser;

const start = (port = '0'): Promise<Child> =>
  startChild({
    PORT: port,
    DATA_DIR: folder,
    DASHBOARD: 'on',
    SIGN_INS_PER_MINUTE: '0',
  });

describe.skipIf(browserPath === null)('the dashboard during a restart of the service', () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quittance-'));
    [service, browser] = await Promise.all([start(), openBrowser()]);
    await eventually(async () => (await fetch(`${service.url}/dashboard`)).status === 200);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), service.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps form entries, submits them once, and reconnects without a reload', async () => {
    const ctx = await browser.newContext();
    const page = await ctx.newPage();
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.url}/dashboard`);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Email').fill('ada@restart.test');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Organization name').fill('Analytical Engines');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('button', { name: /^Analytical Engines/ }).waitFor();
    await page.goto(`${service.url}/dashboard/sandbox/customers`);
    const opened = await page.evaluate(() => performance.timeOrigin);
    await page.getByRole('heading', { level: 1, name: 'Customers' }).press('n');
    await page.getByRole('textbox', { name: 'Email' }).fill('typed@restart.test');
    await page.getByRole('textbox', { name: 'Name' }).fill('Typed Name');

    const { port } = new URL(service.url);
    await service.stop();
    const create = page.getByRole('button', { name: 'Create customer' });
    await create.click();
    await page.getByText("We couldn't reach the server.").first().waitFor();
    service = await start(port);
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('typed@restart.test');
    await create.click();
    await page.waitForURL(/\/customers\/cus_/);
    await page.goBack();
    await page.keyboard.press('Escape');

    // The socket has reconnected automatically, so the page receives changes made in another tab.
    const other = await ctx.newPage();
    await other.goto(`${service.url}/dashboard/sandbox/customers?open=new`);
    await other.getByRole('textbox', { name: 'Email' }).fill('other@restart.test');
    await other.getByRole('textbox', { name: 'Name' }).fill('Other Tab');
    await other.getByRole('button', { name: 'Create customer' }).click();
    await other.waitForURL(/\/customers\/cus_/);
    await page
      .getByRole('row', { name: /Other Tab/ })
      .or(page.getByText(/^1 new/))
      .first()
      .waitFor();
    expect(await page.getByRole('row', { name: /Typed Name/ }).count()).toBe(1);
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(opened);
  });
});
