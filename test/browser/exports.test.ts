import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { advanceDays, createCustomer, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

type Schedule = { readonly kind: string; readonly frequency: string; readonly isActive: boolean };

let t: TestApp;
let browser: Browser;
let member: DashboardMember;
let page: Page;

const schedules = async (): Promise<readonly Schedule[]> =>
  (
    await t.graphql<{ exportSchedules: { nodes: readonly Schedule[] } }>(
      '{ exportSchedules { nodes { kind frequency isActive isIncremental format } } }',
    )
  ).exportSchedules.nodes;

const row = () => page.getByRole('table').getByRole('row').filter({ hasText: 'Customers' });

async function choose(action: string): Promise<void> {
  await row().getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe.skipIf(browserPath === null)('the exports page of the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    await createCustomer(firstShop(t));
    member = await DashboardMember.signIn(t, browser);
    page = member.page;
  });
  afterAll(async () => {
    expect([member.browserErrors, member.foreignRequests]).toEqual([[], []]);
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('exports a selected list, and lists it under exports', async () => {
    await member.open('/exports');
    await page.getByRole('button', { name: 'New export' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New export' });
    await dialog.getByRole('button', { name: 'Start export' }).click();
    await dialog.getByRole('link', { name: /^Download / }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await row().getByText('Completed').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
  });

  it('creates a schedule for a list, and shows the exported file after the schedule has run', async () => {
    await member.open('/customers');
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export Customers' });
    await dialog.getByRole('button', { name: /Frequency/ }).click();
    await page.getByRole('option', { name: 'Every day' }).click();
    await dialog.getByText('New rows only').click();
    await dialog.getByRole('button', { name: 'Start export' }).click();
    await dialog.getByText('Schedule created. First run:').waitFor();
    expect(await schedules()).toEqual([
      { kind: 'customers', frequency: 'daily', isActive: true, isIncremental: true, format: 'csv' },
    ]);
    await dialog.getByRole('link', { name: 'All schedules' }).click();
    await row().getByText('Never').waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await advanceDays(firstShop(t), 1);
    await row()
      .getByRole('link', { name: /^Download / })
      .waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('updates, pauses, resumes, and deletes a schedule', async () => {
    await member.open('/exports?view=schedules');
    await choose('Change');
    const dialog = page.getByRole('dialog', { name: 'Customers' });
    await dialog.getByRole('button', { name: /Frequency/ }).click();
    await page.getByRole('option', { name: 'Every Monday' }).click();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await row().getByText('Every Monday').waitFor();
    await choose('Pause');
    await row().getByText('Paused').waitFor();
    expect((await schedules())[0]).toMatchObject({ frequency: 'weekly', isActive: false });
    await choose('Resume');
    await row().getByText('Paused').waitFor({ state: 'detached' });
    await choose('Delete');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No schedules yet').waitFor();
    expect(await eventually(schedules, (rows) => rows.length === 0)).toEqual([]);
  });
});
