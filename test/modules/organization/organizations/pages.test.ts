import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const shown =
  'slug pageTheme { mode radius font } portal { changePlan cancel reactivate updatePaymentMethod updateDetails purchase cancelReasons } checkout { promoCodes addressMode phone consent savedCards bankDebits pushPayments } pageLanguages supportEmail supportUrl termsUrl privacyUrl statementDescriptor embedOrigins returnOrigins';
const update = `mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { ${shown} } }`;

const change = (input: object) =>
  t.graphql<{ organizationUpdate: { termsUrl: unknown } }>(update, { input }, { key: t.liveKey });

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
  checkout: {
    promoCodes: true,
    addressMode: 'auto',
    phone: 'hidden',
    consent: false,
    savedCards: true,
    bankDebits: false,
    pushPayments: false,
  },
  pageLanguages: ['en', 'es', 'pt_BR'],
  supportEmail: null,
  supportUrl: null,
  termsUrl: null,
  privacyUrl: null,
  statementDescriptor: null,
  embedOrigins: [],
  returnOrigins: [],
};

describe('a hosted page setting', () => {
  test('has a default, can be changed individually, and applies to both environments', async () => {
    expect(await t.graphql(`{ organization { ${shown} } }`)).toEqual({ organization: atFirst });
    await Promise.all([
      change({ pageTheme: { radius: 0 }, slug: 'acme-shop' }),
      change({ portal: { cancel: false, cancelReasons: ['Too expensive'] } }),
      change({ checkout: { phone: 'required' }, supportEmail: 'help@acme.test' }),
    ]);
    await change({
      pageTheme: { mode: 'dark' },
      portal: { purchase: false },
      pageLanguages: ['es'],
      supportUrl: 'https://acme.test/help',
      termsUrl: 'https://acme.test/terms',
      privacyUrl: 'https://acme.test/privacy',
      statementDescriptor: 'ACME SHOP',
      embedOrigins: ['https://shop.acme.test', 'http://localhost:3000'],
      returnOrigins: ['https://acme.test'],
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
    const { organizationUpdate } = await change({ termsUrl: null });
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
    { embedOrigins: ['https://*'] },
    { embedOrigins: ['https://*.evil.com'] },
    { embedOrigins: ["https://a.b'none'"] },
    { returnOrigins: ['*'] },
    { returnOrigins: ['https://*.evil.com'] },
    { returnOrigins: Array.from({ length: 21 }, (_value, index) => `https://a${index}.test`) },
    { pageTheme: { radius: 25 } },
    { portal: { cancelReasons: ['x'.repeat(101)] } },
    { portal: { cancelReasons: [' '] } },
  ])('rejects the input %o', async (input) => {
    expect((await rejection(t, update, { input }, { key: t.liveKey })).code).toBe('validation_error');
  });

  test("requires the admin role, and rejects another organization's slug", async () => {
    const { liveKey } = await t.otherTenant();
    await change({ slug: 'taken-once' });
    expect((await rejection(t, update, { input: { slug: 'taken-once' } }, { key: liveKey })).code).toBe(
      'duplicate',
    );
    const member = await memberOf(t, t.organizationId, 'member');
    expect(
      (await rejection(t, update, { input: { slug: 'other' } }, { key: null, headers: member.headers })).code,
    ).toBe('forbidden');
  });
});

test("an environment's payment routes are listed by country", async () => {
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
