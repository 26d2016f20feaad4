import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createLadder,
  createMarket,
  createPricedPlan,
  createPricingTable,
  firstShop,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Tests the HTML documents for pricing tables before scripts run.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

const get = (path: string, language = 'en') =>
  fetch(`${t.url}${path}`, { headers: { 'accept-language': language } });

/** Returns the text of a document that is visible if JavaScript is disabled. */
const textOf = (html: string): string =>
  html
    .replace(/[\s\S]*<div id="root">/, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&nbsp;|\u00a0/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('the pricing table page', () => {
  it("contains current plans and prices, isn't cached, and allows only its own scripts", async () => {
    const { lowId, highId, freeId } = await createLadder(shop);
    const { token } = await createPricingTable(shop, {
      name: 'Plans & <prices>',
      plans: [{ planId: lowId, text: 'To begin with.' }, { planId: highId }, { planId: freeId }],
      highlightedPlanId: highId,
    });
    const response = await get(`/pricing/${token}`);
    const names = [
      'content-type',
      'cache-control',
      'referrer-policy',
      'x-robots-tag',
      'x-frame-options',
      'vary',
    ];
    expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
      'noindex',
      'DENY',
      expect.stringContaining('Accept-Language'),
    ]);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('stripe');
    const html = await response.text();
    expect(html).toContain('<title>Plans &amp; &lt;prices&gt; – Test organization</title>');
    expect(textOf(html)).toMatch(
      /Plans &amp; &lt;prices> .*To begin with\. \$34\.00 per month .*Recommended \$118\.00 per month .*Free /,
    );
    expect(html).not.toMatch(/\sstyle=|\son\w+=/);
  });

  it("uses the country in the URL, or the region of the browser's language if the URL has no country", async () => {
    const market = await createMarket(shop, ['MX']);
    const { id: planId } = await createPricedPlan(shop, {
      marketPrices: [{ marketGroupId: market.id, currency: 'eur', price: 4_100 }],
    });
    const { token } = await createPricingTable(shop, { plans: [{ planId }] });
    const shown = async (search: string, language: string) => {
      const html = await (await get(`/pricing/${token}${search}`, language)).text();
      return [/<html lang="(\w+)"/.exec(html)?.[1], /[€$]?\d+[.,]00(?: [€$])?/.exec(textOf(html))?.[0]];
    };
    expect(await shown('?country=MX', 'en')).toEqual(['en', '€41.00']);
    expect(await shown('?country=MX&locale=es', 'en')).toEqual(['es', '41,00 €']);
    expect(await shown('', 'es-MX,es;q=0.9')).toEqual(['en', '€41.00']);
    expect(await shown('?country=NO', 'es-MX')).toEqual(['en', '$49.00']);
    for (const nowhere of ['?country=XX', '?country=mx', '?country=%3Cb%3E', ''])
      expect(await shown(nowhere, 'en')).toEqual(['en', '$49.00']);
    const html = await (await get(`/pricing/${token}?country=MX`)).text();
    expect(html).toContain('href="?country=MX&amp;locale=es"');
  });

  it('returns not found if the table is inactive or the token is wrong', async () => {
    const { id, token } = await createPricingTable(shop);
    await shop.rest('PATCH', `/pricing-tables/${id}`, { isActive: false });
    for (const address of [`/pricing/${token}`, '/pricing/none', `/pricing/${token}/plans`]) {
      const html = await (await get(address)).text();
      expect(html).not.toContain('$49.00');
    }
    expect(textOf(await (await get(`/pricing/${token}`)).text())).toContain('no longer available');
  });

  it('can be framed only by the embed origins of its organization', async () => {
    const seller = await otherShop(t, 'Framed');
    await t.settings({ embedOrigins: ['https://shop.example'] }, seller.environmentId);
    const ancestorsOf = async (owner: Shop) =>
      /frame-ancestors ([^;]+)/.exec(
        (await get(`/pricing/${(await createPricingTable(owner)).token}`)).headers.get(
          'content-security-policy',
        ) ?? '',
      )?.[1];
    expect(await ancestorsOf(seller)).toBe('https://shop.example');
    expect(await ancestorsOf(shop)).toBe("'none'");
  });
});
