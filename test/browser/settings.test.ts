import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser } from '../support/browser.ts';
import { DashboardMember, startDashboard } from '../support/dashboard.ts';
import {
  createAdjustment,
  createCustomer,
  createOffer,
  createPastDueSubscription,
  firstShop,
  off,
} from '../support/factories.ts';
import type { TestApp } from '../support/harness.ts';

let t: TestApp;
let browser: Browser;

/** PNG with one transparent pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe.skipIf(browserPath === null)('the settings page in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startDashboard(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  it('invites a member in the live environment, and changes the language to Spanish', async () => {
    const owner = await DashboardMember.signIn(t, browser);
    const { page } = owner;
    await owner.open('/settings/members');
    expect(await page.getByRole('button', { name: 'Invite member' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Switch to live' }).click();
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByLabel('Email').fill('grace@people.test');
    await page.getByText('Admin', { exact: true }).last().click();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByRole('row', { name: /grace@people\.test/ }).waitFor();
    expect(
      await t.app.database.prisma.memberInvitation.findMany({ select: { email: true, role: true } }),
    ).toEqual([{ email: 'grace@people.test', role: 'admin' }]);

    await page.getByRole('button', { name: 'Cancel invitation' }).click();
    await page.getByRole('row', { name: /grace@people\.test/ }).waitFor({ state: 'detached' });
    expect(await t.app.database.prisma.memberInvitation.count()).toBe(0);

    await owner.open('/account');
    await page.getByRole('radio', { name: 'Español' }).check({ force: true });
    await page.getByRole('heading', { name: 'Cuenta', level: 1 }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('es');
    expect(await owner.accessibilityViolations()).toEqual([]);
    expect([owner.browserErrors, owner.foreignRequests]).toEqual([[], []]);
    await owner.close();
  });

  it('hides the organization settings from members, and applies changes to both environments', async () => {
    const owner = await DashboardMember.signIn(t, browser);
    await owner.open('/settings/organization');
    await owner.page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await owner.page.getByRole('button', { name: /Save changes/ }).click();
    await owner.page.getByText('Changes saved').first().waitFor();
    expect((await t.graphql<{ organization: object }>('{ organization { name } }')).organization).toEqual({
      name: 'Analytical Engines',
    });
    const member = await DashboardMember.signIn(t, browser, { role: 'member' });
    await member.open('/account');
    expect(await member.page.getByRole('link', { name: 'Members' }).count()).toBe(0);
    await member.open('/settings/members');
    expect(await member.page.getByText("Your role doesn't allow this action").count()).toBe(1);
    expect([owner.browserErrors, member.browserErrors]).toEqual([[], []]);
    await Promise.all([owner.close(), member.close()]);
  });

  it('saves a retention offer for the current environment immediately', async () => {
    const { id } = await createOffer(firstShop(t), [off.percent(2_000, 2)], { name: 'A fifth off' });
    const owner = await DashboardMember.signIn(t, browser);
    const { page } = owner;
    const named = async () =>
      (await t.graphql<{ retentionOffer: { id: string } | null }>('{ retentionOffer { id } }'))
        .retentionOffer;
    await owner.open('/settings/customer-pages');
    await page.getByRole('button', { name: /None Offer$/ }).click();
    await page.getByRole('option', { name: 'A fifth off' }).click();
    await page.getByText('Changes saved').first().waitFor();
    expect(await named()).toEqual({ id });
    expect(await owner.accessibilityViolations()).toEqual([]);
    await owner.open(`/offers?open=${id}`);
    await page.getByText('Retention offer for customers who are about to cancel').waitFor();
    await owner.open('/settings/customer-pages');
    await page.getByRole('button', { name: /A fifth off Offer$/ }).click();
    await page.getByRole('option', { name: 'None' }).click();
    await page.getByRole('button', { name: /None Offer$/ }).waitFor();
    expect(await named()).toBeNull();
    expect(owner.browserErrors).toEqual([]);
    await owner.close();
  });

  it('lets the owner archive an organization after typing its name, in the live environment only', async () => {
    const { organizationId, sandboxKey } = await t.otherTenant();
    const owner = await DashboardMember.signIn(t, browser, { role: 'owner', organizationId });
    const { page } = owner;
    await owner.open('/settings/organization');
    expect(await page.getByRole('button', { name: 'Archive organization' }).count()).toBe(0);
    await owner.open('/settings/organization', 'live');
    await page.getByRole('button', { name: 'Archive organization' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText("You can't undo this.").waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    const confirm = dialog.getByRole('button', { name: 'Archive organization' });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Another organization');
    await confirm.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: /organization/i }).waitFor();
    const { errors } = await t.graphqlFailure('{ organization { id } }', {}, { key: sandboxKey });
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
    await owner.close();
  });

  it('shows countries with sales but without a tax registration', async () => {
    const shop = firstShop(t);
    const { id: customerId } = await createCustomer(shop, 'DE');
    await createAdjustment(shop, { customerId, amount: 3_000 });
    const owner = await DashboardMember.signIn(t, browser);
    const { page } = owner;
    await owner.open('/settings/taxes');
    const sales = page.getByRole('region', { name: 'Sales by country in the last 12 months' });
    const germany = sales.getByRole('row', { name: /Germany/ });
    await germany.getByText('$30.00').waitFor();
    await germany.getByText('Not registered').waitFor();
    expect(await owner.accessibilityViolations()).toEqual([]);
    await t.graphql(
      'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
      { input: { country: 'DE' } },
    );
    await owner.open('/settings/taxes');
    await germany.getByText('Registered', { exact: true }).waitFor();
    expect(owner.browserErrors).toEqual([]);
    await owner.close();
  });

  it("applies a member's theme, density, language, and columns in other browsers", async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    const prefers = async () => {
      const { id } = await t.app.database.prisma.person.findFirstOrThrow({ orderBy: { createdAt: 'desc' } });
      return (await t.app.database.prisma.person.findUniqueOrThrow({ where: { id } })).preferences;
    };
    await member.open('/customers');
    expect(await prefers()).toBeNull();
    await page.getByRole('button', { name: 'Display' }).click();
    await page.getByRole('checkbox', { name: 'Email' }).uncheck({ force: true });
    await page.getByRole('columnheader', { name: 'Email' }).waitFor({ state: 'detached' });
    await member.open('/account');
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await page.getByRole('radio', { name: 'Cozy' }).check({ force: true });
    await page.getByRole('radio', { name: 'Español' }).check({ force: true });
    await page.getByRole('heading', { name: 'Cuenta', level: 1 }).waitFor();
    expect(await prefers()).toMatchObject({
      theme: 'dark',
      density: 'cosy',
      language: 'es',
      hiddenColumns: { customers: expect.arrayContaining(['email']) },
    });

    const elsewhere = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    await elsewhere.addCookies(
      (await member.context.cookies()).filter(({ name }) => name.endsWith('session_token')),
    );
    const other = await elsewhere.newPage();
    await other.goto(`${t.url}/dashboard/sandbox/customers`);
    await other.getByRole('heading', { name: 'Clientes', level: 1 }).waitFor();
    const { theme, density } = await other.evaluate(() => ({ ...document.documentElement.dataset }));
    expect([theme, density]).toEqual(['dark', 'cosy']);
    await other.getByRole('columnheader', { name: 'Nombre' }).waitFor();
    expect(await other.getByRole('columnheader', { name: 'Correo' }).count()).toBe(0);
    await elsewhere.close();
    expect(member.browserErrors).toEqual([]);
    await member.close();
  });

  it.each([
    {
      language: 'es',
      width: 390,
      choose: 'Elegir imagen',
      remove: 'Quitar el logotipo',
      wrong: /imagen PNG, JPEG o WebP/,
    },
  ] as const)(
    'stores a logo for emails and pages: $language, $width wide',
    async ({ language, width, choose, remove, wrong }) => {
      const owner = await DashboardMember.signIn(t, browser, { language, viewport: { width, height: 800 } });
      const { page } = owner;
      const logo = async () =>
        (await t.graphql<{ organization: { logoUrl: string | null } }>('{ organization { logoUrl } }'))
          .organization.logoUrl;
      await owner.open('/settings/branding');
      const input = page.locator('input[type="file"]');
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('text') });
      await page.getByRole('alert').getByText(wrong).waitFor();
      expect(await logo()).toBeNull();
      await input.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture });
      await page.getByRole('button', { name: remove, exact: true }).waitFor();
      const url = await logo();
      const answer = await fetch(url ?? '');
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(picture);
      expect(await owner.accessibilityViolations()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
      await page.getByRole('button', { name: remove, exact: true }).click();
      await page.getByRole('button', { name: choose }).waitFor();
      expect([await logo(), owner.browserErrors, owner.foreignRequests]).toEqual([null, [], []]);
      await owner.close();
    },
  );

  it('shows live counts next to pages that need attention', async () => {
    const member = await DashboardMember.signIn(t, browser);
    const { page } = member;
    await member.open('/features');
    const link = page.getByRole('link', { name: 'Subscriptions' });
    expect(await link.textContent()).toBe('Subscriptions');
    await createPastDueSubscription(firstShop(t));
    await page.getByRole('link', { name: /^Subscriptions.*1 needs attention$/ }).waitFor();
    expect([await member.accessibilityViolations(), member.browserErrors]).toEqual([[], []]);
    await member.close();
  });
});
