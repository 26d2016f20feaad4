import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import type { TestApp } from '../support/harness.ts';
import { password, signUp } from '../support/people.ts';

const run = promisify(execFile);

let t: TestApp;
let browser: Browser;

const routes = readFileSync(path.resolve(import.meta.dirname, '../../src/dashboard/routes.ts'), 'utf8');

/** Paths of pages without parameters, each with its environment. */
const places = [...routes.matchAll(/path: '([^'$]+)'([^}]*)\}/g)].map(([, place = '', rest = '']) => ({
  place,
  environment: rest.includes("environment: 'live'") ? ('live' as const) : ('sandbox' as const),
}));

/** Timeout in milliseconds for opening every page. */
const sweepMs = 300_000;

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search or paste an ID').waitFor();
}

describe.skipIf(browserPath === null)('the dashboard in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it.each([
    { theme: 'light', language: 'en', width: 1_280 },
    { theme: 'dark', language: 'es', width: 390 },
  ] as const)(
    'renders every page without accessibility violations, errors, horizontal scrolling, or requests to other hosts: $theme, $language, $width wide',
    async ({ theme, language, width }) => {
      const viewport = { width, height: 800 };
      const member = await DashboardMember.signIn(t, browser, { theme, language, viewport });
      const found: string[] = [];
      let at: string | null = null;
      for (const { place, environment } of places) {
        if (environment === at) await member.follow(place);
        else await member.open(place, environment);
        at = environment;
        found.push(...(await member.accessibilityViolations()).map((barrier) => `${place} ${barrier}`));
        if (await member.page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
          found.push(`${place} scrolls horizontally`);
      }
      expect([found, member.browserErrors, member.foreignRequests]).toEqual([[], [], []]);
      expect(await member.page.getAttribute('html', 'lang')).toBe(language);
      await member.close();
    },
    sweepMs,
  );

  it('signs in with email and password, and shows errors', async () => {
    const { email } = await signUp(t);
    const ctx = await browser.newContext();
    const page = await ctx.newPage();
    await page.goto(`${t.url}/dashboard`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The email address or password is incorrect.').waitFor();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: "You don't belong to an organization yet" }).waitFor();
    expect(await page.title()).toBe("You don't belong to an organization yet · Quittance");
    await page.getByLabel('Organization name').fill('Lovelace Ltd');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('button', { name: 'Lovelace Ltd Sandbox' }).waitFor();
    await ctx.close();
  });

  it('shows a sign-in dialog over the page when the session ends, and continues after sign-in', async () => {
    const member = await DashboardMember.signIn(t, browser);
    await member.open('/features');
    const { email } = await t.app.database.prisma.person.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
    // Deleting the session closes the socket and invalidates its next ticket.
    await t.app.database.prisma.session.deleteMany();
    const dialog = member.page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Password').fill(password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await member.heading()).toBe('Features');
    await member.page.getByRole('link', { name: 'Customers' }).click();
    await member.page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
    await member.close();
  });

  it('finds pages and customers with the command palette, and lists keyboard shortcuts', async () => {
    const customer = { email: 'grace@example.com', fullName: 'Grace Hopper' };
    const { body } = await t.rest<{ id: string }>('POST', '/customers', customer);
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/');
    await openPalette(page);
    await page.keyboard.type('feat');
    await page.getByRole('menuitem', { name: /^Features/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Features', level: 1 }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent === 'Features');
    await openPalette(page);
    await page.keyboard.type('hopp');
    await page.getByRole('menuitem', { name: /^Grace Hopper/ }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.keyboard.press('Escape');
    await openPalette(page);
    await page.keyboard.insertText(body.id);
    await page.waitForURL(`${t.url}/dashboard/sandbox/customers/${body.id}`);
    await member.settled();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL(`${t.url}/dashboard/sandbox/customers`);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('streams events, reconnects after a lost connection, and advances the test clock', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/features');
    await page.keyboard.press('`');
    await page.getByRole('tab', { name: 'Events' }).click();
    await page.getByText('No events since you opened this panel').waitFor();
    await t.rest('POST', '/customers', { email: 'first@example.com', fullName: 'First Arrival' });
    await page.getByText('Customer First Arrival was created.').waitFor();
    await member.context.setOffline(true);
    await t.rest('POST', '/customers', { email: 'second@example.com', fullName: 'Second Arrival' });
    await member.context.setOffline(false);
    await page.getByText('Customer Second Arrival was created.').waitFor();
    expect(await page.getByText(/Arrival was created/).count()).toBe(2);
    const later = new Date();
    later.setUTCDate(1);
    later.setUTCMonth(later.getUTCMonth() + 1);
    const month = later.toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' });
    await page.getByRole('button', { name: /^Sandbox/ }).click();
    const clock = page.getByRole('dialog', { name: 'Test clock' });
    await clock.getByRole('button', { name: '+1 month' }).click();
    await clock.getByRole('button', { name: 'Advance', exact: true }).click();
    await page.getByRole('button', { name: new RegExp(`^Sandbox ${month} `) }).waitFor();
    expect(member.browserErrors.filter((each) => !/ERR_INTERNET_DISCONNECTED|WebSocket/.test(each))).toEqual(
      [],
    );
    await member.close();
  });

  it('shows the API requests of five pages, which succeed if the user copies and runs them', async () => {
    const member = await DashboardMember.signIn(t, browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { page } = member;
    const answers: unknown[] = [];
    for (const place of ['/customers', '/subscriptions', '/invoices', '/payments', '/usage']) {
      await member.open(`${place}?drawer=query`);
      await page.getByRole('button', { name: 'Copy as curl' }).click();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      const { stdout } = await run('sh', ['-c', command], {
        env: { ...process.env, QUITTANCE_KEY: t.sandboxKey },
      });
      answers.push((JSON.parse(stdout) as { errors?: unknown }).errors);
    }
    expect(answers).toEqual([undefined, undefined, undefined, undefined, undefined]);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('shows the current object with its events and transfers at a shareable URL, and opens its request in the explorer', async () => {
    const made = { email: 'mary@example.com', fullName: 'Mary Somerville' };
    const { body } = await t.rest<{ id: string }>('POST', '/customers', made);
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open(`/customers/${body.id}?drawer=object`);
    const drawer = page.getByRole('complementary', { name: 'Developer panel' });
    await drawer.getByText('"mary@example.com"').waitFor();
    await drawer.getByRole('tab', { name: 'Events' }).click();
    await drawer.getByText('Customer Mary Somerville was created.').waitFor();
    await t.rest('PATCH', `/customers/${body.id}`, { fullName: 'Mary Greig' });
    // Events that arrive while the page is open include the payload.
    await drawer
      .getByRole('row', { name: /customer_updated/ })
      .getByRole('button', { name: 'Payload' })
      .click();
    await page.getByRole('dialog', { name: 'Payload' }).getByText('"Mary Greig"').first().waitFor();
    await page.keyboard.press('Escape');
    await drawer.getByRole('tab', { name: 'Ledger' }).click();
    await drawer.getByText('No ledger transfers for this object').waitFor();
    await page.waitForURL(/drawer=ledger/);
    await drawer.getByRole('tab', { name: 'Requests' }).click();
    await drawer.getByRole('row', { name: /DrawerTransfers 200/ }).waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await drawer.getByRole('tab', { name: 'Query' }).click();
    await drawer.getByRole('button', { name: 'Open in explorer' }).click();
    await page.getByRole('heading', { name: 'Explorer' }).waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('textbox', { name: 'Document' }).getByText('query').first().waitFor();
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText(/^Cost/).waitFor();
    expect(await page.getByText(body.id).count()).toBeGreaterThan(0);
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it('autocompletes queries from the schema, runs queries, mutations, and live fields, and marks errors', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/developers/explorer');
    const editor = page.getByRole('textbox', { name: 'Document' });
    const type = async (text: string): Promise<void> => {
      await editor.click();
      await page.keyboard.press('Control+a');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Escape');
    };
    await type('');
    await page.keyboard.type('{ customerC');
    await page.getByRole('option', { name: /customerCredits/ }).waitFor();
    await type('query Nobody { customer(id: "cus_nobody") { id } }');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('button', { name: 'Line 1, column 16' }).waitFor();
    await type('subscription Now { eventStream { summary } }');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('Live: 0').waitFor();
    await t.rest('POST', '/customers', { email: 'live@example.com', fullName: 'Live Arrival' });
    await page.getByText('Live: 1').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await type(
      'mutation Make($input: CustomerCreateInput!) { customerCreate(input: $input) { id fullName } }',
    );
    await page.getByLabel('Variables (JSON)').fill('{ "input": ');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('Enter a JSON object.').first().waitFor();
    await page
      .getByLabel('Variables (JSON)')
      .fill('{ "input": { "email": "typed@example.com", "fullName": "Typed Here" } }');
    await page.getByRole('button', { name: /^Run/ }).click();
    await page.getByText('"Typed Here"', { exact: true }).waitFor();
    expect(await page.getByText(/^Cost \d+$/).count()).toBe(1);
    await page.getByRole('tab', { name: 'Documentation' }).click();
    await page.getByLabel('Search fields and types').fill('customerCreateInput');
    await page.getByRole('button', { name: 'CustomerCreateInput' }).click();
    await page.getByText('externalId').first().waitFor();
    expect(await member.accessibilityViolations()).toEqual([]);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Nobody' }).click();
    await editor.getByText('cus_nobody').waitFor();
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });
});
