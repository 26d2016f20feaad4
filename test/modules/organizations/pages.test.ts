import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/harness.ts';
import { memberOf } from '../../support/people.ts';
import { rejection } from '../../support/refusals.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const shown =
  'slug pageTheme { mode radius font } portal { changePlan cancel reactivate updatePaymentMethod updateDetails purchase cancelReasons } checkout { promoCodes addressMode phone consent savedCards } pageLanguages supportEmail supportUrl termsUrl privacyUrl statementDescriptor embedOrigins returnOrigins';
const update = `mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { ${shown} } }`;

const atFirst = {
  slug: null,
  pageTheme: { mode: 'auto', radius: 8, font: 'system' },
  portal: {
    changePlan: true,
    cancel: true,
    reactivate: true,
    updatePaymentMethod: true,
    updateDetails: true,
    purchase: true,
    cancelReasons: [],
  },
  checkout: { promoCodes: true, addressMode: 'auto', phone: 'hidden', consent: false, savedCards: true },
  pageLanguages: ['en', 'es'],
  supportEmail: null,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  statementDescriptor: null,
  embedOrigins: [],
  returnOrigins: [],
};

describe('settings of pages', () => {
  test('have defaults, are changed one by one, and hold for both environments', async () => {
    expect(await t.graphql(`{ organization { ${shown} } }`)).toEqual({ organization: atFirst });
    await Promise.all([
      t.graphql(update, { input: { pageTheme: { radius: 0 }, slug: 'acme-shop' } }),
      t.graphql(update, { input: { portal: { cancel: false, cancelReasons: ['Too expensive'] } } }),
      t.graphql(update, { input: { checkout: { phone: 'required' }, supportEmail: 'help@acme.test' } }),
    ]);
    await t.graphql(update, {
      input: {
        pageTheme: { mode: 'dark' },
        portal: { purchase: false },
        pageLanguages: ['es'],
        supportUrl: 'https://acme.test/help',
        termsUrl: 'https://acme.test/terms',
        privacyUrl: 'https://acme.test/privacy',
        statementDescriptor: 'ACME SHOP',
        embedOrigins: ['https://shop.acme.test', 'http://localhost:3000'],
        returnOrigins: ['https://acme.test'],
      },
    });
    expect(await t.graphql(`{ organization { ${shown} } }`, {}, { key: t.liveKey })).toEqual({
      organization: {
        slug: 'acme-shop',
        pageTheme: { mode: 'dark', radius: 0, font: 'system' },
        portal: { ...atFirst.portal, cancel: false, purchase: false, cancelReasons: ['Too expensive'] },
        checkout: { ...atFirst.checkout, phone: 'required' },
        pageLanguages: ['en', 'es'],
        supportEmail: 'help@acme.test',
        supportUrl: 'https://acme.test/help',
        termsUrl: 'https://acme.test/terms',
        privacyUrl: 'https://acme.test/privacy',
        statementDescriptor: 'ACME SHOP',
        embedOrigins: ['https://shop.acme.test', 'http://localhost:3000'],
        returnOrigins: ['https://acme.test'],
      },
    });
    const { organizationUpdate } = await t.graphql<{ organizationUpdate: { termsUrl: unknown } }>(update, {
      input: { termsUrl: null },
    });
    expect(organizationUpdate.termsUrl).toBeNull();
  });

  test.each([
    { slug: 'Acme' },
    { slug: 'ab' },
    { slug: '-acme' },
    { supportUrl: 'http://acme.test' },
    { termsUrl: 'javascript:alert(1)' },
    { supportEmail: 'nobody' },
    { statementDescriptor: '12345' },
    { statementDescriptor: 'Acme <b>' },
    { embedOrigins: ['https://acme.test/path'] },
    { embedOrigins: ['http://acme.test'] },
    { returnOrigins: ['*'] },
    { returnOrigins: Array.from({ length: 21 }, (_value, index) => `https://a${index}.test`) },
    { pageTheme: { radius: 25 } },
    { portal: { cancelReasons: ['x'.repeat(101)] } },
    { portal: { cancelReasons: [' '] } },
  ])('%o is rejected', async (input) => {
    expect((await rejection(t, update, { input })).code).toBe('validation_error');
  });

  test('are for admins, and a slug is for one organization', async () => {
    const { sandboxKey } = await t.otherTenant();
    await t.graphql(update, { input: { slug: 'taken-once' } });
    expect((await rejection(t, update, { input: { slug: 'taken-once' } }, { key: sandboxKey })).code).toBe(
      'duplicate',
    );
    const member = await memberOf(t, t.organizationId, 'member');
    expect(
      (await rejection(t, update, { input: { slug: 'other' } }, { key: null, headers: member.headers })).code,
    ).toBe('forbidden');
  });
});

test('routes of payments are listed by country, for their environment', async () => {
  const route = (country: string, provider: string | null) =>
    t.graphql('mutation ($input: PaymentRouteSetInput!) { paymentRouteSet(input: $input) { isRouted } }', {
      input: { country, provider },
    });
  for (const country of ['US', 'DE', 'FR']) await route(country, 'platform');
  await route('FR', null);
  const list = '{ paymentRoutes { country isRouted connection { id } } }';
  expect(await t.graphql(list)).toEqual({
    paymentRoutes: [
      { country: 'DE', isRouted: true, connection: null },
      { country: 'US', isRouted: true, connection: null },
    ],
  });
  expect(await t.graphql(list, {}, { key: t.liveKey })).toEqual({ paymentRoutes: [] });
});
