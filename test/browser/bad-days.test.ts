import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import { createPlan, firstShop } from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';
import { memberOf, password } from '../support/people.ts';

// Tests with connection losses, expired sessions, concurrent changes, and unusual names.

let t: TestApp;
let browser: Browser;

const customersWith = (email: string): Promise<number> =>
  t.app.database.prisma.customer.count({ where: { email } });

/** Fills in the form for a new customer without submitting it. */
async function typeCustomer(page: Page, email: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).press('n');
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed Name');
}

const create = (page: Page) => page.getByRole('button', { name: 'Create customer' });

describe.skipIf(browserPath === null)('the dashboard under adverse conditions', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('shows each event that occurred while the browser was offline exactly once', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/features?drawer=events');
    await page.getByText('No events since you opened this panel').waitFor();
    await t.rest('POST', '/customers', { email: 'before@cut.test', fullName: 'Before Cut' });
    await page.getByText('Customer Before Cut was created.').waitFor();
    await member.context.setOffline(true);
    for (let number = 1; number <= 20; number++)
      await t.rest('POST', '/customers', { email: `${number}@cut.test`, fullName: `Cut ${number}.` });
    const lost = page.getByText('No connection. The data on this page might be outdated.', { exact: false });
    // Going offline doesn't close the socket. The page reports the loss when the service stops responding.
    await lost.waitFor({ timeout: 60_000 });
    await member.context.setOffline(false);
    await lost.waitFor({ state: 'detached', timeout: 60_000 });
    const told = page.getByText(/^Customer Cut \d+\. was created\.$/);
    await expect.poll(() => told.count(), { timeout: 60_000 }).toBe(20);
    expect(new Set(await told.allTextContents()).size).toBe(20);
    await member.close();
  });

  it('keeps form entries if the session ends in another tab, and submits them once after sign-in', async () => {
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

  it("opens the member's organization if the browser last used an organization of another member", async () => {
    const { organizationId } = await t.otherTenant();
    const other = await DashboardMember.signIn(t, browser, { organizationId });
    await other.open('/customers');
    const own = await memberOf(t, t.organizationId, 'admin');
    const [name = '', value = ''] = (own.headers['cookie'] ?? '').split(/=(.*)/s);
    await other.context.addCookies([{ name, value, url: t.url }]);
    await other.open('/features');
    expect(await other.heading()).toBe('Features');
    expect(await other.page.evaluate(() => localStorage.getItem('quittance-organization'))).toBe(
      t.organizationId,
    );
    await other.close();
  });

  it('executes a request once if its response is lost and the form is submitted again', async () => {
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
    await page.getByText("We couldn't reach the server.").first().waitFor();
    expect(await customersWith('lost@bad.test')).toBe(1);
    expect(await page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe('lost@bad.test');
    await create(page).click();
    await page.waitForURL(/\/customers\/cus_/);
    expect(await customersWith('lost@bad.test')).toBe(1);
    expect(keys).toEqual([keys[0], keys[0]]);
    await member.close();
  });

  it("shows an error and changes nothing if the member's role has been lowered", async () => {
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

  it("merges two members' changes to one plan and reports conflicts", async () => {
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
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('1 unsaved change').waitFor({ state: 'detached' });
    expect(await plan()).toEqual({ name: 'Mine', description: 'Theirs' });

    await page.getByLabel('Name', { exact: true }).fill('Mine again');
    await change({ name: 'Theirs again' });
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('Someone else changed the same part of this plan.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Mine again');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs again');
    expect(await plan()).toEqual({ name: 'Theirs again', description: 'Theirs' });
    await member.close();
  });

  it('displays 300-character, right-to-left, and Chinese names on a phone', async () => {
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
      const heading = page.getByRole('heading', { level: 1, name: fullName });
      await heading.waitFor();
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
    expect(await member.accessibilityViolations()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
