import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import { type Consumer, createConsumer, of } from '../support/consumers.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { firstShop, openPortal, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

/** Folder for screenshots. No screenshots are taken if it isn't set. */
const folder = process.env['SCREENSHOTS'];

async function shot(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Creates a customer with overage for 1.00 a unit from the first unit. */
const overageConsumer = (): Promise<Consumer> =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } } });

const track = (consumer: Consumer, value: number, budget?: string) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), value, budget });

/** Chooses an option of a list in a dialog. */
async function choose(dialog: Locator, list: string, option: string | RegExp): Promise<void> {
  await dialog.getByRole('button', { name: list }).click();
  await dialog.page().getByRole('option', { name: option }).click();
}

/** True if the page doesn't scroll horizontally. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth);

describe.skipIf(browserPath === null)('limits in the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('are created and raised, follow usage live, and show which limit rejects a quantity', async () => {
    const consumer = await overageConsumer();
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open(`/customers/${consumer.customerId}?tab=limits`);
    await page.getByText('Create a limit to bound the usage, or to get an event at a value.').waitFor();
    await page.getByRole('button', { name: 'Create limit' }).click();
    const sheet = page.getByRole('dialog', { name: 'New limit' });
    await sheet.getByLabel('Amount', { exact: true }).fill('25');
    await shot(page, 'limit-new');
    expect(await member.accessibilityViolations()).toEqual([]);
    await sheet.getByRole('button', { name: 'Create limit' }).click();
    await page.getByText('Limit created').waitFor();
    const bar = page.getByRole('meter', { name: 'Spend per usage window' });
    await page.getByText('$0.00 of $25.00').waitFor();

    expect((await track(consumer, 20)).status).toBe(200);
    await page.getByText('$20.00 of $25.00').waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('80');
    await page.getByText('$5.00 left').waitFor();

    await page.getByRole('button', { name: 'Raise limit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Raise “Spend per usage window”?' });
    await dialog.getByLabel('Amount to add').fill('10');
    await dialog.getByLabel('Reason').fill('Launch week');
    await dialog.getByRole('button', { name: 'Raise limit' }).click();
    await page.getByText('$20.00 of $25.00 + $10.00 raise').waitFor();
    await page.getByText('Launch week').waitFor();

    await page.getByRole('textbox', { name: 'Quantity' }).fill('16');
    await page.getByRole('button', { name: 'Check quantity' }).click();
    await page.getByText('Largest quantity that fits: 15').waitFor();
    expect(await page.getByRole('region', { name: 'Limits' }).getByText('Rejects').count()).toBe(1);
    await shot(page, 'limits-light');
    expect(await member.accessibilityViolations()).toEqual([]);

    await page.getByRole('button', { name: 'End raise' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End raise' }).click();
    await page.getByText('Raise ended').waitFor();
    await page.getByText('$20.00 of $25.00', { exact: true }).waitFor();
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('include the limits from the plan, and report days with unusual usage', async () => {
    const consumer = await createConsumer(shop, { terms: { includedAmount: 1_000 } });
    const { customerId } = consumer;
    for (const value of [40, 50, 30, 45, 20, 60, 40]) {
      await track(consumer, value);
      await t.app.database.query(
        `UPDATE "UsageEvent" SET "createdAt" = "createdAt" - interval '1 day' WHERE "customerId" = $1`,
        [customerId],
      );
    }
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open(`/customers/${customerId}?tab=limits`);
    await page.getByText('285 of 1,000').waitFor();
    await page.getByText('715 left · Events at 800, 1,000').waitFor();
    await page.getByRole('button', { name: 'Create limit' }).click();
    const sheet = page.getByRole('dialog', { name: 'New limit' });
    await choose(sheet, 'Measure', 'Usage events');
    await choose(sheet, 'Window', /^Day/);
    await sheet.getByText('Notify', { exact: true }).click();
    const factor = sheet.getByRole('textbox', { name: 'Report unusual days' });
    await factor.fill('2');
    await factor.press('Tab');
    const minimum = sheet.getByRole('textbox', { name: 'Only above' });
    await minimum.fill('5');
    await minimum.press('Tab');
    await shot(page, 'limit-unusual');
    expect(await member.accessibilityViolations()).toEqual([]);
    await sheet.getByRole('button', { name: 'Create limit' }).click();
    await page.getByText('Limit created').waitFor();
    for (let event = 0; event < 7; event++) expect((await track(consumer, 1)).status).toBe(200);
    await page.getByText('292 of 1,000').waitFor();
    await shot(page, 'limits-plan');
    expect(await member.accessibilityViolations()).toEqual([]);
    await member.open(`/usage/limits?customer=${customerId}`);
    await page.getByText('Unusual: above 5').waitFor();
    await shot(page, 'limit-history-unusual');
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('include the budgets, which are created, opened with their path, and archived', async () => {
    const consumer = await overageConsumer();
    const { customerId } = consumer;
    const window = { kind: 'month' };
    const common = { measure: 'value', currency: 'usd', action: 'block', window };
    await shop.rest('POST', '/limits', { ...common, scope: { customer: customerId }, amount: 99_999_999 });
    const member = await DashboardMember.signIn(t, browser, { theme: 'dark', ...phone });
    const { page } = member;
    await member.open(`/customers/${customerId}?tab=limits`);
    await page.getByRole('button', { name: 'Create budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'New budget' });
    await dialog.getByLabel('Key', { exact: true }).fill('team:eu');
    await dialog.getByLabel('Name').fill('Europe');
    await dialog.getByRole('button', { name: 'Create budget' }).click();
    await page.getByText('Budget created').waitFor();
    await shop.rest('POST', '/limits', {
      ...common,
      scope: { customer: customerId, budget: 'team:eu' },
      amount: 1_000,
    });
    await page.getByRole('button', { name: 'Open team:eu' }).click();
    const sheet = page.getByRole('dialog', { name: 'Europe' });
    await sheet.getByText('$0.00 of $10.00').waitFor();
    await sheet.getByText('$0.00 of $999,999.99').waitFor();
    expect((await track(consumer, 9, 'team:eu')).status).toBe(200);
    await sheet.getByText('$9.00 of $10.00').waitFor();
    await sheet.getByText('$9.00 of $999,999.99').waitFor();
    await shot(page, 'budget-dark-phone');
    expect(await member.accessibilityViolations()).toEqual([]);
    await sheet.getByRole('button', { name: 'Archive budget' }).click();
    const question = page.getByRole('alertdialog', { name: 'Archive team:eu?' });
    await question.getByText('Usage of the budget and of the budgets below it is rejected.').waitFor();
    await question.getByRole('button', { name: 'Archive budget' }).click();
    await page.getByText('Budget archived').waitFor();
    await sheet.getByText('The budget is archived. Its usage is rejected.').waitFor();
    await page.keyboard.press('Escape');
    await shot(page, 'limits-dark-phone');
    expect(await fits(page)).toBe(true);
    expect(await member.accessibilityViolations()).toEqual([]);
    expect((await track(consumer, 1, 'team:eu')).status).toBe(400);
    await member.close();
  });

  it('are listed with their templates and the history of crossings and rejections, which is filtered and links to customers', async () => {
    const consumer = await overageConsumer();
    const { customerId, planId } = consumer;
    const template = await shop.rest('POST', '/limits', {
      name: 'Default cap',
      scope: { each: 'customer', in: { plan: planId } },
      measure: 'spend',
      currency: 'usd',
      action: 'block',
      window: { kind: 'usage_window' },
      amount: 1_000,
    });
    expect(template.status).toBe(201);
    await shop.rest('POST', '/limits', {
      scope: { customer: customerId },
      measure: 'calls',
      action: 'block',
      window: { kind: 'rolling', minutes: 300 },
      amount: 9_007_199_254_740_991,
    });
    const member = await DashboardMember.signIn(t, browser, { viewport: { width: 1_440, height: 900 } });
    const { page } = member;
    await member.open(`/usage/limits?customer=${customerId}`);
    await page.getByText('Crossings of thresholds and rejected usage appear here.').waitFor();
    const templates = page.getByRole('region', { name: 'Templates' });
    const row = templates.getByRole('row', { name: /Default cap/ });
    expect(await row.getByRole('cell').allTextContents()).toEqual([
      'Default cap',
      expect.stringMatching(/^Each customer of /),
      'Blocks',
      '$10.00',
      '0',
      '0',
      'Edit',
    ]);

    expect((await track(consumer, 9)).status).toBe(200);
    expect((await track(consumer, 2)).status).toBe(400);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Rejected usage above $10.00').waitFor();
    await history.getByText('Reached $8.00').waitFor();
    await row.getByRole('cell').nth(5).getByText('1').waitFor();
    await shot(page, 'usage-limits-light');
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'All Show' }).click();
    await page.getByRole('option', { name: 'Usage rejected' }).click();
    await history.getByText('Reached $8.00').waitFor({ state: 'detached' });
    await history.getByRole('link').first().click();
    await page.getByRole('meter', { name: 'Default cap' }).waitFor();
    await page.getByText('$9.00 of $10.00').waitFor();
    await page.getByText('1 of 9,007,199,254,740,991').waitFor();

    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Exempt from the template' }).click();
    const question = page.getByRole('alertdialog', { name: 'Exempt from “Default cap”?' });
    await question.getByRole('button', { name: 'Exempt from the template' }).click();
    await page.getByText('Exemption created').waitFor();
    await page.getByText('Exempt', { exact: true }).waitFor();
    expect((await track(consumer, 20)).status).toBe(200);
    expect(await member.accessibilityViolations()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();

    const small = await DashboardMember.signIn(t, browser, { theme: 'dark', language: 'es', ...phone });
    await small.open('/usage/limits');
    await small.page.getByText('Se rechazó uso por encima de 10,00').first().waitFor();
    await shot(small.page, 'usage-limits-dark-phone');
    expect(await fits(small.page)).toBe(true);
    expect(await small.accessibilityViolations()).toEqual([]);
    await small.close();
  });

  it('apply to the organization or to plans, show the usage of all customers, and can be changed', async () => {
    const consumer = await overageConsumer();
    const member = await DashboardMember.signIn(t, browser, { viewport: { width: 1_440, height: 900 } });
    const { page } = member;
    await member.open('/usage/limits');
    const heading = page.getByRole('heading', { name: 'Limits of the organization and of plans' });
    const region = page.locator('section').filter({ has: heading });
    await region.getByRole('button', { name: 'Create limit' }).click();
    const sheet = page.getByRole('dialog', { name: 'New limit' });
    await sheet.getByRole('button', { name: /Applies to/ }).click();
    const { name } = (await shop.rest<{ name: string }>('GET', `/plans/${consumer.planId}`)).body;
    await page.getByRole('option', { name, exact: true }).click();
    await sheet.getByRole('textbox', { name: /^Name/ }).fill('All spend');
    await sheet.getByLabel('Amount', { exact: true }).fill('50');
    expect(await member.accessibilityViolations()).toEqual([]);
    await sheet.getByRole('button', { name: 'Create limit' }).click();
    await page.getByText('Limit created').waitFor();
    const row = region.getByRole('row', { name: /All spend/ });
    await row.getByText('$50.00').waitFor();
    await row.getByText(name, { exact: true }).waitFor();
    expect((await track(consumer, 20)).status).toBe(200);
    await row.getByText('$20.00').waitFor();

    await row.getByRole('button', { name: /All spend/ }).click();
    const edit = page.getByRole('dialog', { name: 'All spend' });
    await edit.getByLabel('Amount', { exact: true }).fill('20');
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Limit saved').waitFor();
    expect((await track(consumer, 1)).status).toBe(400);
    await row.getByRole('button', { name: /All spend/ }).click();
    await page
      .getByRole('dialog', { name: 'All spend' })
      .getByRole('button', { name: 'Delete limit' })
      .click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete limit' }).click();
    await page.getByText('Limit deleted').waitFor();
    expect((await track(consumer, 1)).status).toBe(200);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});

describe.skipIf(browserPath === null)('limits in the portal', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('reject usage beyond the cap of the customer, and accept usage after the cap is raised', async () => {
    const consumer = await overageConsumer();
    const { customerId } = consumer;
    await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu', name: 'Europe' });
    const token = await openPortal(shop, customerId);
    const visitor = await Visitor.open(browser, `${t.url}/portal/${token}/usage`, phone);
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Usage and limits', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Set cap', exact: true }).click();
    await page.getByText('Enter an amount, such as 1250 or 12.50.').waitFor();
    await page.getByLabel('Maximum').fill('20');
    await page.getByRole('button', { name: 'Set cap', exact: true }).click();
    await page.getByText('Spend cap set.').waitFor();
    await page.getByText('$0.00 of $20.00 used').waitFor();

    expect((await track(consumer, 20)).status).toBe(200);
    expect((await track(consumer, 1)).status).toBe(400);
    await page.reload();
    await page.getByText('$20.00 of $20.00 used').waitFor();
    await page.getByText('Reached. Further usage is rejected.').waitFor();
    await page.getByRole('button', { name: 'Raise: Spend per usage window' }).click();
    await page.getByRole('dialog').getByLabel('Amount to add').fill('5');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Raise limit' }).click();
    await page.getByText('Limit raised.').waitFor();
    await page.getByText('$20.00 of $20.00 + $5.00 used').waitFor();
    expect((await track(consumer, 5)).status).toBe(200);

    const form = page.getByRole('group', { name: 'Set an alert' });
    await form.getByRole('button', { name: 'Set alert' }).click();
    await form.getByText('Enter an amount, such as 1250 or 12.50.').waitFor();
    await form.getByLabel('Amount').fill('40');
    await form.getByLabel('Notify me').selectOption('At 50%, at 80%, and at the amount');
    await form.getByRole('button', { name: 'Set alert' }).click();
    await page.getByText('Alert set.').waitFor();
    await page.getByText('Alert: spend per usage window').waitFor();
    await page.getByText('Notifies you by email at $20.00, $32.00, and $40.00.').waitFor();
    await page.getByText('You reached $20.00.').waitFor();

    await page.getByRole('button', { name: 'Set alert: Europe' }).click();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await shot(page, 'portal-alert-dialog-phone');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Set cap: Europe' }).click();
    await page.getByRole('dialog').getByLabel('Maximum').fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Set cap' }).click();
    await page.getByText('$0.00 of $7.00 used').waitFor();
    await shop.rest('POST', '/limits', {
      scope: { customer: customerId },
      measure: 'spend',
      currency: 'usd',
      action: 'block',
      window: { kind: 'usage_window' },
      amount: 1_900,
    });
    await page.reload();
    await page.getByText(/has set a lower limit, which applies first\./).waitFor();
    expect(await page.getByText('$19.00').count()).toBe(0);
    await page.emulateMedia({ colorScheme: 'light' });
    await shot(page, 'portal-limits-phone');
    expect(await fits(page)).toBe(true);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, 'portal-limits-phone-dark');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Remove: Spend per usage window' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove limit' }).click();
    await page.getByText('Limit removed.').waitFor();
    await page.getByRole('button', { name: 'Remove: Alert: spend per usage window' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove alert' }).click();
    await page.getByText('Alert removed.').waitFor();
    expect(await page.getByText('You reached $20.00.').count()).toBe(0);
    await visitor.close();
  });

  it('are hidden if the organization turned them off', async () => {
    const { customerId } = await overageConsumer();
    await t.settings({ portal: { customerLimits: false } });
    const token = await openPortal(shop, customerId);
    const visitor = await Visitor.open(browser, `${t.url}/portal/${token}/usage`);
    await visitor.page.getByRole('heading', { name: 'Usage and limits', level: 1 }).waitFor();
    expect(await visitor.page.getByRole('button', { name: 'Set cap' }).count()).toBe(0);
    await t.settings({ portal: { customerLimits: true } });
    await visitor.close();
  });
});
