import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { createClimber, firstShop, type Shop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;
let member: DashboardMember;

const cellsOf = (table: string) =>
  member.page
    .getByRole('region', { name: table })
    .getByRole('row')
    .evaluateAll((rows) => rows.slice(1).map((row) => [...row.children].map((cell) => cell.textContent)));

describe.skipIf(browserPath === null)('the test clock page of the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
    shop = firstShop(t);
    member = await DashboardMember.signIn(t, browser);
  });
  afterAll(async () => {
    await member.close();
    await Promise.all([browser.close(), t.close()]);
  });

  it('simulates a month without charges, and then charges the simulated amounts', async () => {
    const { page } = member;
    const { customerId } = await createClimber(shop);
    await member.open('/time-machine');
    await page.getByRole('main').getByRole('button', { name: '+1 month' }).click();
    const advance = page.getByRole('button', { name: 'Advance and charge $34.00' });
    await advance.waitFor();
    expect(await cellsOf('Invoiced')).toEqual([['USD', '$34.00', '$0.00', '$34.00', '$0.00']]);
    expect(await chargesOf(shop, customerId)).toEqual([[3_400, 'succeeded']]);
    expect(await member.accessibilityViolations()).toEqual([]);

    await advance.click();
    await page.getByText('The result matches the simulation.').waitFor();
    expect(await cellsOf('Simulated and actual')).toEqual([
      ['Invoiced, USD', '$34.00', '$34.00'],
      ['Collected, USD', '$34.00', '$34.00'],
    ]);
    expect(await chargesOf(shop, customerId)).toEqual([
      [3_400, 'succeeded'],
      [3_400, 'succeeded'],
    ]);
    expect(member.browserErrors).toEqual([]);
  });

  it('lets admins reset the sandbox after typing a confirmation, and hides the action from members', async () => {
    const other = await DashboardMember.signIn(t, browser, { role: 'member' });
    await other.open('/time-machine');
    expect(await other.page.getByRole('button', { name: 'Reset sandbox' }).count()).toBe(0);
    await other.close();
    const { page } = member;
    await member.open('/time-machine');
    await page.getByRole('button', { name: 'Reset sandbox' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('reset');
    expect(await dialog.getByRole('button', { name: 'Reset sandbox' }).isDisabled()).toBe(true);
    expect(await t.app.database.prisma.customer.count()).toBe(1);
    await dialog.getByRole('textbox').fill('reset sandbox');
    await dialog.getByRole('button', { name: 'Reset sandbox' }).click();
    await page.getByText('Sandbox reset').waitFor();
    expect(await t.app.database.prisma.customer.count()).toBe(0);
    expect(member.browserErrors).toEqual([]);
  });

  it("stops a running simulation, even after a reload, and shows the test clock's time", async () => {
    const { page } = member;
    // With several subscriptions, the run takes long enough to be stopped. The run leaves many rows, so the reset is tested first.
    await Promise.all(Array.from({ length: 10 }, () => createClimber(shop)));
    await member.open('/time-machine');
    await t.graphql('mutation { testClockAdvance(input: { advanceDays: 36500 }) { id } }');
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('row', { name: /Stopped/ }).waitFor();
    const { error } = await eventually(
      () => t.app.database.prisma.testClockRun.findFirstOrThrow({ orderBy: { createdAt: 'desc' } }),
      ({ status }) => status === 'failed',
    );
    expect(error).toMatchObject({ code: 'canceled' });
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
  });
});
