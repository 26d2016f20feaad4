import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createPlan, createPrice, firstShop, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;
let shop: Shop;

type Table = {
  id: string;
  name: string;
  url: string;
  isActive: boolean;
  intervals: string[];
  highlightedPlanId: string | null;
  plans: { planId: string; text: string | null }[];
};

const tables = async (): Promise<Table[]> =>
  (await shop.rest<{ data: Table[] }>('GET', '/pricing-tables')).body.data;

describe.skipIf(browserPath === null)('the pricing table editor in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('creates, shows, disables, and deletes a pricing table with ordered plans', async () => {
    const { id: small } = await createPlan(shop, { name: 'Small' });
    const { id: large } = await createPlan(shop, { name: 'Large' });
    for (const [planId, price] of [
      [small, 1_900],
      [large, 4_900],
    ] as const)
      await createPrice(shop, planId, { price });
    const member = await DashboardMember.signIn(t, browser, { role: 'admin' });
    const { page } = member;
    await member.open('/pricing-tables');
    await page.getByRole('button', { name: 'New pricing table' }).first().click();
    const made = page.getByRole('dialog', { name: 'New pricing table' });
    await made.getByLabel('Name').fill('Our plans');
    await made.getByText('Large', { exact: true }).click();
    await made.getByText('Small', { exact: true }).first().click();
    await made.getByRole('button', { name: 'Move Small up' }).click();
    await made.getByLabel('Text for Small').fill('To begin with.');
    expect(await member.accessibilityViolations()).toEqual([]);
    await made.getByRole('button', { name: 'Create pricing table' }).click();
    await page.getByRole('link', { name: 'Our plans' }).waitFor();
    const [table] = await tables();
    expect(table).toMatchObject({
      name: 'Our plans',
      isActive: true,
      plans: [
        { planId: small, text: 'To begin with.' },
        { planId: large, text: null },
      ],
    });
    await page.getByRole('link', { name: 'Our plans' }).click();
    const sheet = page.getByRole('dialog', { name: 'Our plans' });
    await sheet.getByText('$19.00 / month').waitFor();
    expect(await sheet.getByRole('region', { name: 'Code for your page' }).innerText()).toContain(
      `<div data-quittance-url="${table?.url}"></div>`,
    );
    expect(await sheet.getByRole('link', { name: 'Open page' }).getAttribute('href')).toBe(table?.url);
    expect(await member.accessibilityViolations()).toEqual([]);
    await sheet.getByText('Enabled', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Save' }).click();
    await sheet.waitFor({ state: 'detached' });
    expect((await tables())[0]?.isActive).toBe(false);
    await page.getByRole('link', { name: 'Our plans' }).click();
    await sheet.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No pricing tables yet').waitFor();
    expect(await tables()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
