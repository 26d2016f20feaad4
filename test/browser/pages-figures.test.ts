import { loadavg } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone } from '../support/browser.ts';
import {
  createActiveSubscription,
  createCustomer,
  createPayment,
  createPricingTable,
  createSubscription,
  firstShop,
  latestInvoice,
  openPortal,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

// Customer page speed on a phone: largest contentful paint, layout shifts, and response time to input. Budgets are for an idle machine. The
// test allows four times as long, but no additional layout shift.

const budgets = { paintMs: 600, answerMs: 200, shift: 0.02 };
const noise = 4;

type Seen = { readonly paint: number; readonly shift: number; readonly slowest: number };

/** Records performance entries from the start of the navigation. */
function measure(): void {
  const seen = { paint: 0, shift: 0, slowest: 0 };
  Object.assign(window, { seen });
  const watch = (type: string, note: (entry: never) => void): void =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) note(entry as never);
    }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
  watch('largest-contentful-paint', (entry: PerformanceEntry) => {
    seen.paint = entry.startTime;
  });
  watch('layout-shift', (entry: { hadRecentInput: boolean; value: number }) => {
    if (!entry.hadRecentInput) seen.shift += entry.value;
  });
  watch('event', (entry: PerformanceEntry & { interactionId: number }) => {
    if (entry.interactionId > 0) seen.slowest = Math.max(seen.slowest, entry.duration);
  });
}

const seen = (page: Page): Promise<Seen> => page.evaluate(() => (window as unknown as { seen: Seen }).seen);

/** Uses a page with the keyboard for a while, without submitting a form. */
async function use(page: Page): Promise<void> {
  for (let turn = 0; turn < 12; turn++) {
    await page.keyboard.press('Tab');
    const isText = await page.evaluate(
      () => document.activeElement?.matches('input:not([type=radio])') === true,
    );
    if (isText) await page.keyboard.type('42');
  }
}

let t: TestApp;
let shop: Shop;
let browser: Browser;
const figures: Record<string, string>[] = [];

describe.skipIf(browserPath === null)('a hosted page on a phone', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(async () => {
    console.table(figures);
    await Promise.all([browser.close(), t.close()]);
  });

  const addresses: Readonly<Record<string, () => Promise<string>>> = {
    checkout: async () => `/checkout/${(await createSubscription(shop)).token}`,
    pay: async () => {
      const { id: customerId } = await createCustomer(shop);
      return new URL((await createPayment(shop, { customerId })).url).pathname;
    },
    invoice: async () => {
      const { id } = await createSubscription(shop);
      const { invoice } = await t.graphql<{ invoice: { hostedUrl: string } }>(
        'query ($id: ID!) { invoice(id: $id) { hostedUrl } }',
        { id: await latestInvoice(shop, id) },
        { key: shop.key },
      );
      return new URL(invoice.hostedUrl).pathname;
    },
    pricing: async () => `/pricing/${(await createPricingTable(shop)).token}`,
    portal: async () =>
      `/portal/${await openPortal(shop, (await createActiveSubscription(shop)).customerId)}`,
  };

  it.each(Object.keys(addresses))(
    'paints %s quickly, without layout shifts, and responds to input quickly',
    async (name) => {
      const address = `${t.url}${await addresses[name]?.()}`;
      // The first visit fills the service's caches, so it isn't measured.
      await fetch(address);
      const ctx = await browser.newContext(phone);
      const page = await ctx.newPage();
      await page.addInitScript(measure);
      await page.goto(address, { waitUntil: 'networkidle' });
      await expect.poll(async () => (await seen(page)).paint).toBeGreaterThan(0);
      const { paint, shift } = await seen(page);
      await use(page);
      const { slowest } = await seen(page);
      await ctx.close();
      figures.push({
        page: name,
        'largest paint': `${Math.round(paint)} ms`,
        shift: shift.toFixed(3),
        'slowest answer': `${Math.round(slowest)} ms`,
        load: (loadavg()[0] ?? 0).toFixed(1),
      });
      expect(paint).toBeLessThan(budgets.paintMs * noise);
      expect(shift).toBeLessThanOrEqual(budgets.shift);
      expect(slowest).toBeLessThan(budgets.answerMs * noise);
    },
  );
});
