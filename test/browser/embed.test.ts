import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, violationsOf } from '../support/browser.ts';
import {
  cards,
  createPricedPlan,
  createPricingTable,
  createSubscription,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Embedded checkouts in merchant pages, on an allowed origin and on one that isn't allowed.

let t: TestApp;
let shop: Shop;
let browser: Browser;
const hosts: Server[] = [];

/**
 * Starts a merchant's server on its own origin. Its page opens a checkout with the options in the query
 * string.
 */
async function host(): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host');
    const options = JSON.stringify(Object.fromEntries(searchParams)).replaceAll('<', '\\u003c');
    const named = searchParams.get('element');
    const element = named === null ? '' : `<div data-quittance-url="${encodeURI(named)}"></div>`;
    response.setHeader('Content-Type', 'text/html').end(
      `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1><button id="open">Buy</button><div id="place"></div>${element}</main>
       <script src="${t.url}/embed.js"></script><script>const told = []; addEventListener('message', ({ data }) => told.push(data));
       document.getElementById('open').onclick = () => { window.shown = Quittance.open({ ...${options}, onSuccess: () => { document.title = 'paid'; }, onClose: () => { document.title = 'closed'; } }); };</script>`,
    );
  });
  hosts.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(browserPath === null)('the embed script', () => {
  let allowed: string;
  let forbidden: string;
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
    [allowed, forbidden] = await Promise.all([host(), host()]);
    await t.settings({ embedOrigins: [allowed] }, shop.environmentId);
  });
  afterAll(async () => {
    for (const server of hosts) server.close();
    await Promise.all([browser.close(), t.close()]);
  });

  /** Opens a checkout from a merchant's page. Returns the page and the frame. */
  async function open(origin: string, options: Record<string, string> = {}) {
    const { token, customerId } = await createSubscription(shop);
    const page = await browser.newPage();
    const query = new URLSearchParams({ url: `${t.url}/checkout/${token}`, ...options });
    await page.goto(`${origin}/?${query}`);
    await page.click('#open');
    const frame = (await (await page.waitForSelector('iframe')).contentFrame()) as Frame;
    return { page, frame, customerId };
  }

  async function pay(frame: Frame): Promise<void> {
    await frame.locator('#number').fill(cards.pays);
    await frame.locator('#expiry').fill('12/40');
    await frame.locator('#cvc').fill('123');
    await frame.locator('#pay').click();
  }

  it('opens a checkout over the page, reports the payment to the page, and closes', async () => {
    const { page, frame } = await open(allowed);
    await frame.locator('#number').waitFor();
    expect(await page.locator('dialog[open]').getAttribute('aria-label')).toBe('Payment');
    expect(await violationsOf(page)).toEqual([]);
    await pay(frame);
    await page.waitForFunction(() => document.title === 'paid');
    await frame.locator('body').press('Escape');
    await page.waitForFunction(() => document.title === 'closed');
    expect(await page.locator('iframe').count()).toBe(0);
    await page.close();
  });

  it('opens a checkout inline', async () => {
    const { page, frame } = await open(allowed, { container: '#place', locale: 'es' });
    await frame.locator('#number').waitFor();
    expect(await page.locator('#place iframe').getAttribute('title')).toBe('Pago');
    expect(await page.locator('dialog').count()).toBe(0);
    // The frame is as high as its content.
    const height = await frame.evaluate('document.documentElement.scrollHeight');
    await page.waitForFunction(
      (high) => document.querySelector('iframe')?.style.height === `${high}px`,
      height,
    );
    await page.close();
  });

  it('opens no checkout and sends no message on a disallowed origin', async () => {
    const { page, frame } = await open(forbidden);
    await page.waitForTimeout(500);
    expect(frame.url()).toBe('chrome-error://chromewebdata/');
    expect(await page.evaluate('told')).toEqual([]);
    await page.close();
  });

  it('lists the allowed origins in the content security policy, and serves a small script', async () => {
    const { token } = await createSubscription(shop);
    const page = await fetch(`${t.url}/checkout/${token}`);
    expect(page.headers.get('content-security-policy')).toContain(`frame-ancestors ${allowed};`);
    expect(page.headers.get('x-frame-options')).toBeNull();
    const other = await fetch(`${t.url}/checkout/a.b.c`);
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(other.headers.get('x-frame-options')).toBe('DENY');
    const script = await fetch(`${t.url}/embed.js`);
    expect(script.headers.get('content-type')).toContain('text/javascript');
    expect(gzipSync(await script.text()).length).toBeLessThanOrEqual(3_072);
  });

  /**
   * Opens a pricing table for a new plan in a merchant's page. Returns the page, the frame and the plan's ID.
   */
  async function openTable(origin: string, options: Record<string, string> = {}) {
    const { id: planId } = await createPricedPlan(shop);
    const { token, url } = await createPricingTable(shop, { plans: [{ planId }] });
    const page = await browser.newPage();
    const address = `${t.url}/pricing/${token}`;
    expect(new URL(url).pathname).toBe(new URL(address).pathname);
    await page.goto(`${origin}/?${new URLSearchParams({ url: address, container: '#place', ...options })}`);
    await page.click('#open');
    const frame = (await (await page.waitForSelector('#place iframe')).contentFrame()) as Frame;
    return { page, frame, planId };
  }

  async function choose(frame: Frame, planId: string, email: string): Promise<void> {
    await frame.locator(`#choose-${planId}:enabled`).click();
    await frame.locator('#email').fill(email);
    await frame.locator('#country').selectOption('NO');
    await frame.locator('#continue').click();
  }

  it('adapts the frame to the height of a pricing table, and sells a plan inline', async () => {
    const { page, frame, planId } = await openTable(allowed);
    await frame.locator(`#choose-${planId}`).waitFor();
    expect(await page.locator('#place iframe').getAttribute('title')).toBe('Plans');
    const height = await frame.evaluate('document.documentElement.scrollHeight');
    await page.waitForFunction(
      (high) => document.querySelector('iframe')?.style.height === `${high}px`,
      height,
    );
    await choose(frame, planId, 'in-place@shop.test');
    await frame.locator('#number').waitFor();
    expect(new URL(frame.url()).pathname).toMatch(/^\/checkout\//);
    expect(await page.locator('dialog').count()).toBe(0);
    await pay(frame);
    await page.waitForFunction(() => document.title === 'paid');
    await page.close();
  });

  it("opens a pricing table's checkout over the page if requested", async () => {
    const { page, frame, planId } = await openTable(allowed, { checkout: 'overlay' });
    await choose(frame, planId, 'above@shop.test');
    const above = (await (await page.waitForSelector('dialog[open] iframe')).contentFrame()) as Frame;
    await above.locator('#number').waitFor();
    expect(new URL(frame.url()).pathname).toMatch(/^\/pricing\//);
    expect(await frame.locator('#status').textContent()).toContain(
      'The payment page is open in another window.',
    );
    await pay(above);
    await page.waitForFunction(() => document.title === 'paid');
    await page.close();
  });

  it('shows no pricing table on a disallowed origin', async () => {
    const { page, frame } = await openTable(forbidden);
    await page.waitForTimeout(500);
    expect(frame.url()).toBe('chrome-error://chromewebdata/');
    expect(await page.evaluate('told')).toEqual([]);
    await page.close();
  });

  it('embeds pages in elements with a URL attribute, and dispatches success events on them', async () => {
    const { id: planId } = await createPricedPlan(shop);
    const { token } = await createPricingTable(shop, { plans: [{ planId }] });
    const page = await browser.newPage();
    await page.goto(`${allowed}/?element=${encodeURIComponent(`${t.url}/pricing/${token}`)}`);
    const frame = (await (await page.waitForSelector('[data-quittance-url] iframe')).contentFrame()) as Frame;
    await page.evaluate(
      "document.body.addEventListener('quittance:success', () => { document.title = 'heard'; })",
    );
    await choose(frame, planId, 'element@shop.test');
    await frame.locator('#number').waitFor();
    await pay(frame);
    await page.waitForFunction(() => document.title === 'heard');
    expect(await page.locator('[data-quittance-url] iframe').count()).toBe(1);
    await page.close();
  });
});
