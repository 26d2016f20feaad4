import { loadavg } from 'node:os';
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, Visitor, violationsOf } from '../support/browser.ts';
import {
  cards,
  createCustomer,
  createPayment,
  createPricedPlan,
  createPricingTable,
  createPromoCode,
  firstShop,
  latestInvoice,
  openPortal,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Quality checks for every customer page: size, paint time, requests to other hosts, language, accessibility, and layout. Measurements are
// printed with the machine's load. Time limits are four times those for an idle machine.

/** Limits in kilobytes (1,000 bytes) transferred before the first interaction, with the font (30 KB). */
const most = { script: 26, all: 68, portalScript: 60 };
/** Maximum number of scripts that a page requests before the first interaction. */
const mostScripts = 6;
const paints = { plain: 600, throttled: 1_800 };
const noise = 4;

let t: TestApp;
let shop: Shop;
let browser: Browser;
let addresses: Readonly<Record<string, string>>;
const figures: Record<string, string>[] = [];

/** Opens a page in the window of a browser context. Another window would start another process. */
async function openIn(ctx: BrowserContext, path: string): Promise<Page> {
  const page = ctx.pages()[0] ?? (await ctx.newPage());
  await page.goto(`${t.url}${path}`, { waitUntil: 'networkidle' });
  return page;
}

const open = async (path: string, options: BrowserContextOptions = {}): Promise<Page> =>
  openIn(await browser.newContext(options), path);

/** Simulates a phone on a slow network. */
async function throttle(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const bytesPerSecond = (1.6 * 1_000_000) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
}

/** Largest contentful paint in milliseconds. */
async function paintOf(path: string, isThrottled: boolean): Promise<number> {
  const ctx = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await ctx.newPage();
  await page.addInitScript(() =>
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) Object.assign(window, { paint: startTime });
    }).observe({ type: 'largest-contentful-paint', buffered: true }),
  );
  if (isThrottled) await throttle(await ctx.newCDPSession(page));
  await page.goto(`${t.url}${path}`, { waitUntil: 'networkidle' });
  const paint = await page.evaluate(() => (window as unknown as { paint: number }).paint);
  await ctx.close();
  return paint;
}

/** Names and addresses that may contain English words on a Spanish page. */
const ownNames = /Name of \S+|\S+@\S+|Test organization|Workshop|INV-\d+|English/g;
const english =
  /\b(?:the|and|your|with|for|card|pay|paid|payment|invoice|month|monthly|tax|vat|due|now|choose|address|change|cancel|subscription|next|charge|until|billing|details|why|code|sandbox|receipt|of)\b/i;

describe.skipIf(browserPath === null)('a hosted page', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
    const { key } = shop;
    await t.graphql('mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }', {}, { key });
    const customers = [await createCustomer(shop, 'DE'), await createCustomer(shop, 'DE')];
    const [one, other] = customers.map(({ id }) => id);
    const plan = await createPricedPlan(shop);
    const active = await subscribeTo(shop, other ?? '', plan.id);
    await pay(shop, active.token);
    const { invoice } = await t.graphql<{ invoice: { hostedUrl: string } }>(
      'query ($id: ID!) { invoice(id: $id) { hostedUrl } }',
      { id: await latestInvoice(shop, active.id) },
      { key },
    );
    addresses = {
      checkout: `/checkout/${(await subscribeTo(shop, one ?? '', plan.id)).token}`,
      pay: new URL((await createPayment(shop, { customerId: other })).url).pathname,
      invoice: new URL(invoice.hostedUrl).pathname,
      pricing: `/pricing/${(await createPricingTable(shop)).token}`,
      portal: `/portal/${await openPortal(shop, other ?? '')}`,
    };
  });
  afterAll(async () => {
    console.table(figures);
    await Promise.all([browser.close(), t.close()]);
  });

  const names = ['checkout', 'pay', 'invoice', 'pricing', 'portal'];
  const at = (name: string): string => addresses[name] ?? '';

  it.each(names)(
    'stays within its transfer budget before the first interaction, and sends no requests to other hosts: %s',
    async (name) => {
      const ctx = await browser.newContext();
      const page = await ctx.newPage();
      let [script, all] = [0, 0];
      const scripts = new Set<string>();
      const hosts = new Set<string>();
      const browserErrors: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
      });
      page.on('pageerror', (error) => browserErrors.push(String(error)));
      page.on('requestfinished', async (request) => {
        hosts.add(new URL(request.url()).host);
        const { responseBodySize } = await request.sizes();
        all += responseBodySize;
        if (request.resourceType() !== 'script') return;
        script += responseBodySize;
        scripts.add(request.url());
      });
      await page.goto(`${t.url}${at(name)}`, { waitUntil: 'networkidle' });
      await page.waitForTimeout(300);
      figures.push({
        page: name,
        scripts: String(scripts.size),
        'script, KB': (script / 1_000).toFixed(1),
        'in all, KB': (all / 1_000).toFixed(1),
        load: (loadavg()[0] ?? 0).toFixed(1),
      });
      hosts.delete('');
      expect([...hosts]).toEqual([new URL(t.url).host]);
      expect(scripts.size).toBeLessThanOrEqual(mostScripts);
      expect(script / 1_000).toBeLessThan(
        name === 'portal' ? most.portalScript : name === 'checkout' ? most.script + 1 : most.script,
      );
      if (name !== 'portal') expect(all / 1_000).toBeLessThan(most.all);
      expect(browserErrors).toEqual([]);
      await ctx.close();
    },
  );

  it.each([false, true])('paints the checkout quickly (throttled: %s)', async (isThrottled) => {
    await fetch(`${t.url}${at('checkout')}`);
    const paint = await paintOf(at('checkout'), isThrottled);
    figures.push({
      page: isThrottled ? 'checkout, throttled' : 'checkout',
      'largest paint': `${Math.round(paint)} ms`,
      load: (loadavg()[0] ?? 0).toFixed(1),
    });
    expect(paint).toBeLessThan((isThrottled ? paints.throttled : paints.plain) * noise);
  });

  it("shows the checkout's price if JavaScript is disabled", async () => {
    const page = await open(at('checkout'), { javaScriptEnabled: false });
    expect(await page.locator('#summary').innerText()).toMatch(/^\$49\.00 per month\./);
    expect(await page.locator('#totals tr:last-child').innerText()).toMatch(/^Due now\s+\$58\.31$/);
    await page.context().close();
  });

  it.each([
    { locale: 'en', width: 1_280 },
    { locale: 'es', width: 390 },
  ] as const)(
    'renders without accessibility violations in light and dark mode: $locale, $width wide',
    async ({ locale, width }) => {
      const ctx = await browser.newContext({ colorScheme: 'light', viewport: { width, height: 844 } });
      for (const name of names) {
        const page = await openIn(ctx, `${at(name)}?locale=${locale}`);
        const address = page.locator('#billing');
        if ((await address.count()) > 0) {
          await page.click('#billing > summary');
          await page.check('#business');
          await page.selectOption('#country', 'US');
        }
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          expect([name, colorScheme, await violationsOf(page)]).toEqual([name, colorScheme, []]);
        }
        expect(await page.getAttribute('html', 'lang')).toBe(locale);
      }
      await ctx.close();
    },
  );

  it('uses Spanish if the browser and the organization use Spanish', async () => {
    await t.settings({ language: 'es' }, shop.environmentId);
    const ctx = await browser.newContext({ locale: 'es-ES' });
    for (const name of names) {
      for (const section of name === 'portal'
        ? ['', '/plan', '/cards', '/invoices', '/details', '/cancel']
        : ['']) {
        const page = await openIn(ctx, `${at(name)}${section}`);
        expect(await page.getAttribute('html', 'lang')).toBe('es');
        const text = (await page.locator('body').innerText()).replaceAll(ownNames, '');
        const said = text.split('\n').filter((line) => english.test(line));
        expect([name, section, said]).toEqual([name, section, []]);
      }
    }
    await ctx.close();
    await t.settings({ language: 'en' }, shop.environmentId);
  });

  it.each([
    ['320 wide', { viewport: { width: 320, height: 640 } }, 1],
    ['with text twice as large', { viewport: { width: 640, height: 900 } }, 2],
    [
      'in forced colors with reduced motion',
      { viewport: { width: 390, height: 844 }, forcedColors: 'active', reducedMotion: 'reduce' },
      1,
    ],
  ] as const)(
    'fits the window without clipped text or running animations: %s',
    async (_how, options, scale) => {
      const ctx = await browser.newContext(options);
      for (const name of names) {
        const page = await openIn(ctx, `${at(name)}?locale=es`);
        await page.evaluate((factor) => {
          document.documentElement.style.fontSize = `${factor * 100}%`;
        }, scale);
        const seen = await page.evaluate(() => ({
          over: document.documentElement.scrollWidth - innerWidth,
          cut: [...document.querySelectorAll<HTMLElement>('h1, h2, p, th, td, button, label, summary, a')]
            .filter((each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1)
            .filter((each) => getComputedStyle(each).overflowX === 'hidden')
            .map((each) => each.innerText),
          moving: document.getAnimations().filter(({ playState }) => playState === 'running').length,
        }));
        expect([name, seen.over <= 0, seen.cut, seen.moving]).toEqual([name, true, [], 0]);
      }
      await ctx.close();
    },
  );

  it('accepts a promo code, a company, and a second card on a phone, with touch targets of 44 pixels', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { code } = await createPromoCode(shop);
    const { token } = await subscribeTo(shop, customerId, (await createPricedPlan(shop)).id);
    const payer = await Visitor.open(browser, `${t.url}/checkout/${token}`, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const { page } = payer;
    await page.tap('#promo-open');
    await page.fill('#promoCode', code);
    await page.tap('#promo-apply');
    await page.locator('#promo-remove').waitFor();
    await page.selectOption('#country', 'DE');
    await page.check('#business');
    await page.fill('#companyName', 'Stein GmbH');
    await page.fill('#taxDocument', 'DE136695976');
    const small = await page.locator('a, button, input, select, summary').evaluateAll((targets) =>
      targets
        .map((target) => target.closest('label') ?? target)
        .map((target) => ({ what: target.outerHTML.slice(0, 80), box: target.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
        .map(({ what, box }) => `${what} ${Math.round(box.width)} × ${Math.round(box.height)}`),
    );
    expect(small).toEqual([]);
    await payer.typeCard(cards.declines);
    await page.tap('#pay');
    await page.locator('#alert').waitFor();
    expect([await page.getAttribute('#alert', 'role'), await payer.focused()]).toEqual(['alert', 'alert']);
    await page.tap('#other-card');
    expect(await payer.focused()).toBe('number');
    await payer.typeCard(cards.pays);
    await page.tap('#pay');
    await page.locator('.status.done').waitFor();
    expect((await chargesOf(shop, customerId)).map(([, status]) => status)).toEqual(['failed', 'succeeded']);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });
});
