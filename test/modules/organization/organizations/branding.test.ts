import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createActiveSubscription,
  createCustomer,
  createPayment,
  createSubscription,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Branding and language of an organization's hosted pages.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
beforeEach(async () => {
  shop = await otherShop(t);
});
afterAll(() => t.close());

const change = (input: object): Promise<unknown> => t.settings(input, shop.environmentId);

const all =
  'branding { name logoUrl logoWidth logoHeight accentColor onAccentColor theme radius font supportEmail supportUrl termsUrl privacyUrl statementDescriptor embedOrigins }';

/** Reads a field of a page, using only the page's token. */
async function shown(page: string, token: string | null, fields: string): Promise<Record<string, unknown>> {
  const data = await t.graphql<Record<string, Record<string, unknown>>>(
    `query ($token: String!) { ${page}(token: $token) { ${fields} } }`,
    { token },
    { key: null },
  );
  return data[page] ?? {};
}

const tokenOf = (url: string): string => url.split('/').at(-1) ?? '';

async function portalOf(input: Record<string, unknown>): Promise<string> {
  const { body } = await shop.rest<{ portalUrl: string }>('POST', '/portal/sessions', input);
  return tokenOf(body.portalUrl);
}

/** Returns the token of a page that replaces a payment method. */
async function methodPage(subscriptionId: string): Promise<string> {
  const { body } = await shop.rest<{ checkoutUrl: string }>(
    'POST',
    `/subscriptions/${subscriptionId}/payment-method/update`,
    {},
  );
  return tokenOf(body.checkoutUrl);
}

describe('hosted page branding', () => {
  it('uses the defaults on every page until the organization sets its branding', async () => {
    const { token } = await createSubscription(shop);
    expect((await shown('checkout', token, all))['branding']).toEqual({
      name: 'Another organization',
      logoUrl: null,
      logoWidth: null,
      logoHeight: null,
      accentColor: null,
      onAccentColor: null,
      theme: 'auto',
      radius: 8,
      font: 'system',
      supportEmail: null,
      supportUrl: null,
      termsUrl: null,
      privacyUrl: null,
      statementDescriptor: 'Another organization',
      embedOrigins: [],
    });
  });

  it("applies the organization's settings to every page", async () => {
    const links = {
      supportEmail: 'help@acme.test',
      supportUrl: 'https://acme.test/help',
      termsUrl: 'https://acme.test/terms',
      privacyUrl: 'https://acme.test/privacy',
      statementDescriptor: 'ACME WEB',
    };
    const embedOrigins = ['https://acme.test'];
    await change({
      embedOrigins,
      accentColor: '#ffd400',
      pageTheme: { mode: 'dark', radius: 2, font: 'serif' },
      ...links,
    });
    const branding = {
      name: 'Another organization',
      logoUrl: null,
      logoWidth: null,
      logoHeight: null,
      accentColor: '#ffd400',
      onAccentColor: '#000000',
      theme: 'dark',
      radius: 2,
      font: 'serif',
      embedOrigins,
      ...links,
    };
    const { customerId, id } = await createActiveSubscription(shop);
    const pages = [
      ['checkout', (await createSubscription(shop)).token],
      ['paymentLink', (await createPayment(shop)).token],
      ['portal', await portalOf({ customerId })],
      ['paymentMethodUpdate', await methodPage(id)],
    ] as const;
    for (const [page, token] of pages)
      expect([page, (await shown(page, token, all))['branding']]).toEqual([page, branding]);
  });
});

describe("a hosted page's language", () => {
  const locale = async (page: string, token: string | null): Promise<unknown> =>
    (await shown(page, token, 'locale locales'))['locale'];

  it('comes from the link, the session, the customer, or the organization, in this order', async () => {
    const { id: customerId } = await createCustomer(shop);
    const portal = await portalOf({ customerId });
    expect(
      await shown('portal', portal, 'locale locales es: locale(link: "es-MX") fr: locale(link: "fr")'),
    ).toEqual({ locale: 'en', locales: ['en', 'es', 'pt_BR'], es: 'es', fr: 'en' });
    await change({ language: 'es' });
    expect(await shown('portal', portal, 'locale locales')).toEqual({
      locale: 'es',
      locales: ['es', 'en', 'pt_BR'],
    });
    await shop.rest('PATCH', `/customers/${customerId}`, { metadata: { language: 'en' } });
    expect(await locale('portal', portal)).toBe('en');
    expect(await locale('portal', await portalOf({ customerId, locale: 'es' }))).toBe('es');
  });

  it('is always a language that the organization offers', async () => {
    await change({ pageLanguages: ['en'] });
    const { token } = await createSubscription(shop);
    expect(await shown('checkout', token, 'locales locale(link: "es")')).toEqual({
      locales: ['en'],
      locale: 'en',
    });
  });

  it('is the most recently requested language if several requests return the same checkout URL', async () => {
    const { customerId, planId, token } = await createSubscription(shop);
    expect(await locale('checkout', token)).toBe('en');
    const ask = async (body: Record<string, unknown>): Promise<string> =>
      tokenOf((await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', body)).body.checkoutUrl);
    expect(await ask({ customerId, planId, locale: 'es' })).toBe(token);
    expect(await locale('checkout', token)).toBe('es');
    expect(await ask({ customerId, planId })).toBe(token);
    expect(await locale('checkout', token)).toBe('es');
  });
});
