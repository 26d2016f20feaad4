import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createPlan, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { password } from '../support/people.ts';

// What goes wrong on a bad day: nothing that was typed is lost, and nothing is done twice.

let t: TestApp;
let browser: Browser;

/** How many customers have an email address. */
const customersWith = (email: string): Promise<number> =>
  t.app.database.prisma.customer.count({ where: { email } });

/** Fills in a new customer, without sending it. */
async function typeCustomer(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).press('n');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed Name');
}

const create = (page: Page) => page.getByRole('button', { name: 'Create customer' });

describe.skipIf(browserPath === null)('on a bad day the dashboard', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('tells what happened while the connection was cut, each event once', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/features?drawer=events');
    await page.getByText('Nothing has happened since you opened this').waitFor();
    await t.rest('POST', '/customers', { email: 'before@cut.test', fullName: 'Before Cut' });
    await page.getByText('Customer Before Cut was created.').waitFor();
    await member.context.setOffline(true);
    for (let number = 1; number <= 20; number++)
      await t.rest('POST', '/customers', { email: `${number}@cut.test`, fullName: `Cut ${number}.` });
    const lost = page.getByText('No connection. What you see may be out of date', { exact: false });
    // Nothing closes the socket: it is given up when the service does not answer it any more.
    await lost.waitFor({ timeout: 60_000 });
    await member.context.setOffline(false);
    await lost.waitFor({ state: 'detached', timeout: 60_000 });
    const told = page.getByText(/^Customer Cut \d+\. was created\.$/);
    await expect.poll(() => told.count(), { timeout: 60_000 }).toBe(20);
    expect(new Set(await told.allTextContents()).size).toBe(20);
    await member.close();
  });

  it('keeps what was typed while the session ended elsewhere, and sends it once after a sign-in', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/customers');
    await typeCustomer(page, 'session@bad.test');
    const { email, id } = await t.app.database.prisma.person.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    await t.app.database.prisma.session.deleteMany({ where: { userId: id } });
    await create(page).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password').fill(password);
    expect(await customersWith('session@bad.test')).toBe(0);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect.poll(() => customersWith('session@bad.test'), { timeout: 60_000 }).toBe(1);
    await member.close();
  });

  it('carries out once what was committed without an answer', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/customers');
    await typeCustomer(page, 'lost@bad.test');
    const keys: (string | undefined)[] = [];
    await page.route('**/graphql', async (route, request) => {
      if (!(request.postData() ?? '').includes('customerCreate(')) return route.fallback();
      keys.push(request.headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      return route.abort('failed');
    });
    await create(page).click();
    await page.getByText('The service did not answer.').first().waitFor();
    expect(await customersWith('lost@bad.test')).toBe(1);
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('lost@bad.test');
    await create(page).click();
    await page.getByRole('dialog').getByRole('link', { name: 'Open' }).waitFor();
    expect(await customersWith('lost@bad.test')).toBe(1);
    expect(keys).toEqual([keys[0], keys[0]]);
    await member.close();
  });

  it('says so when a role was lowered, and changes nothing', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/settings/organization');
    await page.getByLabel('Name', { exact: true }).fill('Taken Over Ltd');
    await t.app.database.prisma.member.updateMany({ data: { role: 'member' } });
    await page.getByRole('button', { name: /Save changes/ }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Taken Over Ltd');
    expect((await t.graphql<{ organization: object }>('{ organization { name } }')).organization).toEqual({
      name: 'Test organization',
    });
    await member.close();
  });

  it('keeps what two members change of one plan, and says where they change the same', async () => {
    const { id } = await createPlan(firstShop(t), { description: 'Old words' });
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const change = (input: object) =>
      t.graphql('mutation ($input: PlanUpdateInput!) { planUpdate(input: $input) { id } }', {
        input: { id, ...input },
      });
    const plan = async () =>
      (await t.graphql<{ plan: object }>('query ($id: ID!) { plan(id: $id) { name description } }', { id }))
        .plan;
    await member.open(`/plans/${id}`);
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await change({ description: 'Theirs' });
    await page.getByRole('button', { name: 'Review changes' }).click();
    await page.getByRole('button', { name: 'Make 1 change' }).click();
    await page.getByText('1 change is not saved').waitFor({ state: 'detached' });
    expect(await plan()).toEqual({ name: 'Mine', description: 'Theirs' });

    await page.getByLabel('Name', { exact: true }).fill('Mine again');
    await change({ name: 'Theirs again' });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('Somebody else changed the same part of this plan meanwhile.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine again');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs again');
    expect(await plan()).toEqual({ name: 'Theirs again', description: 'Theirs' });
    await member.close();
  });

  it('shows names of 300 characters, from right to left and in Chinese, on a phone', async () => {
    const names = ['W'.repeat(300), 'עדה לאבלייס', '艾达·洛夫莱斯'];
    const member = await DashboardMember.signIn(t, browser, phone);
    const { page } = member;
    const widest = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    const seen: unknown[] = [];
    for (const [index, fullName] of names.entries()) {
      const { body } = await t.rest<{ id: string }>('POST', '/customers', {
        email: `name-${index}@bad.test`,
        fullName,
      });
      await member.open(`/customers/${body.id}`);
      const heading = page.getByRole('heading', { level: 1 });
      seen.push([
        await heading.textContent(),
        await heading.evaluate((element) => getComputedStyle(element).direction),
        await widest(),
      ]);
    }
    expect(seen).toEqual([
      [names[0], 'ltr', 0],
      [names[1], 'rtl', 0],
      [names[2], 'ltr', 0],
    ]);
    await member.open('/customers');
    expect(await widest()).toBe(0);
    expect(await member.barriers()).toEqual([]);
    expect(member.complaints).toEqual([]);
    await member.close();
  });
});
