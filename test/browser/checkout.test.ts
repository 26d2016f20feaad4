import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  cards,
  createCustomer,
  createPricedPlan,
  createSubscription,
  firstShop,
  type MadeSubscription,
  otherShop,
  type Shop,
  setCurrency,
  shopOf,
  subscribeTo,
} from '../support/factories.ts';
import { newTenant, startApp, type TestApp } from '../support/harness.ts';
import { png } from '../support/pictures.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('the checkout page in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const open = ({ token }: MadeSubscription, options = {}) =>
    Visitor.open(browser, `${t.url}/checkout/${token}`, options);
  /** Registers the merchant for tax in Germany. */
  const createRegistration = (seller: Shop) =>
    t.graphql('mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }', {}, { key: seller.key });
  const thanks = /^Thank you\. Your order for Name of plan\d+ is complete\.$/;
  const over = "This checkout is already complete. You won't be charged again.";

  it('determines the outcome of a payment whose response was lost, and shows that the payment is complete', async () => {
    const subscription = await createSubscription(shop);
    const payer = await open(subscription);
    const keys = await payer.failRequests('Pay', 'unanswered');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(thanks);
    expect(await payer.alert()).toBeNull();
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("reuses a payment's idempotency key after a reload if the outcome is unknown, and creates a new key after a declined payment", async () => {
    const subscription = await createSubscription(shop);
    const payer = await open(subscription);
    const keys = await payer.failRequests('Pay', 'lost', 1);
    await payer.typeCard(cards.declines);
    await expect.poll(() => payer.page.inputValue('#number')).toBe('4000 0000 0000 0002');
    await payer.context.setOffline(true);
    await payer.page.click('#pay');
    await payer.settled();
    expect(await payer.alert()).toMatch(
      /^The connection failed, so we don't know yet whether your request went through\./,
    );
    // The form remains visible and keeps all entries.
    expect(await payer.page.inputValue('#number')).toBe('4000 0000 0000 0002');
    await payer.context.setOffline(false);
    await payer.page.reload();
    await payer.typeCard(cards.declines);
    for (const expected of [
      'The card was declined. Try again or use another card.',
      'The card was declined. Try again or use another card.',
    ]) {
      await payer.page.click('#pay');
      await payer.page.locator('#alert:visible').waitFor();
      await payer.settled();
      expect(await payer.alert()).toBe(expected);
    }
    expect(keys).toHaveLength(3);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect((await chargesOf(shop, subscription.customerId)).map(([, status]) => status)).toEqual([
      'failed',
      'failed',
    ]);
    await payer.close();
  });

  it('retries a request that gets no response within 30 seconds', async () => {
    const subscription = await createSubscription(shop);
    const ctx = await browser.newContext();
    await ctx.clock.install();
    const payer = await Visitor.in(ctx, `${t.url}/checkout/${subscription.token}`);
    let sent = 0;
    await payer.page.route('**/graphql', async (route, request) => {
      if (!(request.postData() ?? '').includes('mutation Pay(') || sent++ > 0) return route.fallback();
      // The service executes the request, but the response never reaches the page.
      await route.fetch();
    });
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await eventually(
      () => chargesOf(shop, subscription.customerId),
      ([charge]) => charge?.[1] === 'succeeded',
    );
    expect(await payer.status()).toBe('Processing…');
    await payer.page.clock.fastForward(31_000);
    await payer.page.clock.fastForward(1_000);
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(thanks);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    await payer.close();
  });

  it('charges once if the button is double-clicked', async () => {
    const subscription = await createSubscription(shop);
    const payer = await open(subscription);
    const keys = await payer.failRequests('Pay', 'lost', 0);
    await payer.typeCard(cards.pays);
    await payer.page.dblclick('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(keys).toHaveLength(1);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    await payer.close();
  });

  it.each(['live', 'without a socket'])(
    'charges once if two windows submit the payment, and shows in both that the payment is complete (%s)',
    async (kind) => {
      const subscription = await createSubscription(shop);
      const first = await open(subscription);
      const ctx = await browser.newContext();
      if (kind !== 'live') await ctx.routeWebSocket(/graphql/, (socket) => socket.close());
      const second = await Visitor.in(ctx, `${t.url}/checkout/${subscription.token}`);
      await first.typeCard(cards.pays);
      await second.typeCard(cards.pays);
      await first.page.click('#pay');
      await first.page.locator('.status.done').waitFor();
      // A page with a socket is notified of the payment and hides the button.
      if (kind !== 'live') await second.page.click('#pay');
      await second.page.locator('.status.done').waitFor();
      expect([await second.status(), await second.alert()]).toEqual([over, null]);
      expect(await second.page.locator('#payment').isVisible()).toBe(false);
      expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
      await first.close();
      await second.close();
    },
  );

  it("shows a declined card's error next to the button on a phone, scrolled into view and focused", async () => {
    const payer = await open(await createSubscription(shop), phone);
    await payer.typeCard(cards.declines);
    await payer.page.locator('#pay').scrollIntoViewIfNeeded();
    await payer.page.click('#pay');
    await payer.page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe('The card was declined. Try again or use another card.');
    expect([await payer.focused(), await payer.isOnScreen('#alert')]).toEqual(['alert', true]);
    expect(await payer.page.evaluate(() => document.getElementById('alert')?.nextElementSibling?.id)).toBe(
      'pay',
    );
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("clears a declined card's fields, shows the next charge date, and redirects to the merchant unless the payer cancels the redirect", async () => {
    const back = 'https://shop.test/welcome';
    const plan = await createPricedPlan(shop);
    for (const stays of [true, false]) {
      const { body } = await shop.rest<{ checkoutUrl: string }>('POST', '/subscriptions', {
        customerId: (await createCustomer(shop)).id,
        planId: plan.id,
        successUrl: back,
      });
      const payer = await Visitor.open(browser, body.checkoutUrl);
      const { page } = payer;
      await page.route(`${back}*`, (route) => route.fulfill({ contentType: 'text/html', body: 'Welcome' }));
      expect(await page.locator('#other-card').count()).toBe(0);
      await payer.typeCard(cards.declines);
      await page.click('#pay');
      await page.click('#other-card');
      expect([
        await payer.focused(),
        await page.inputValue('#number'),
        await page.inputValue('#cvc'),
      ]).toEqual(['number', '', '']);
      await payer.typeCard(cards.pays);
      await page.click('#pay');
      await page.locator('#leaving').waitFor();
      expect(await page.locator('#next').textContent()).toMatch(
        /^Next charge: \$49\.00 on \w{3} \d+, \d{4}\. Renews every month/,
      );
      expect(await page.locator('#leaving').textContent()).toMatch(
        /^You'll be redirected in [1-5] seconds?\.$/,
      );
      expect(await payer.accessibilityViolations()).toEqual([]);
      if (stays) {
        await page.click('#stay-here');
        await page.locator('#leaving').waitFor({ state: 'detached' });
        expect(await page.locator('#return-link').getAttribute('href')).toBe(back);
      } else await page.waitForURL(back);
      await payer.close();
    }
  });

  it('shows the heading, line items, totals, and terms in one currency for each country', async () => {
    const seller = await otherShop(t, 'Quarry');
    const plan = await createPricedPlan(seller, { price: 2_900 });
    await setCurrency(seller, plan.id, 'eur', 0.9);
    await createRegistration(seller);
    const payer = await open(await subscribeTo(seller, (await createCustomer(seller)).id, plan.id));
    const order = async () =>
      (await payer.page.locator('#summary, #order, #terms, #pay').allInnerTexts())
        .join(' ')
        .match(/[$€][\d.]+/g);
    // The amount due isn't known until the payer selects a country.
    expect(await order()).toEqual(['$29.00', '$29.00', '$29.00']);
    await payer.page.selectOption('#country', 'DE');
    await payer.page.locator('#pay:text("€")').waitFor();
    expect(await order()).toEqual(['€26.10', '€26.10', '€4.96', '€31.06', '€31.06', '€31.06']);
    expect(await payer.page.locator('#order').innerText()).toContain('VAT (19%)');
    expect(await payer.page.locator('#terms').textContent()).toMatch(
      /^Next charge: €31\.06 on \w+ \d+, \d{4}\. Renews every month until you cancel with Quarry\.$/,
    );
    await payer.page.selectOption('#country', '');
    await payer.page.locator('#pay:text-is("Pay")').waitFor();
    expect(await order()).toEqual(['$29.00', '$29.00', '$29.00']);
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("uses the merchant's color and logo with sufficient contrast", async () => {
    const quarry = await otherShop(t, 'Quarry');
    await quarry.t.settings(
      { accentColor: '#ffd400', logoUrl: 'https://quarry.test/logo.png' },
      quarry.environmentId,
    );
    const { token } = await createSubscription(quarry);
    const ctx = await browser.newContext();
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await ctx.route('https://quarry.test/logo.png', (route) =>
      route.fulfill({ contentType: 'image/png', body: Buffer.from(pixel, 'base64') }),
    );
    const payer = await Visitor.in(ctx, `${t.url}/checkout/${token}`);
    await payer.page.locator('#logo:visible').waitFor();
    const color = () =>
      payer.page.locator('#pay').evaluate((button) => getComputedStyle(button).backgroundColor);
    expect(await color()).toBe('rgb(128, 106, 0)');
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(await color()).toBe('rgb(255, 212, 0)');
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('reserves space for a logo that is still loading', async () => {
    const { liveKey, sandboxKey, sandboxId } = await newTenant(t.app, 'Slow Logo');
    const seller = shopOf(t, sandboxKey, sandboxId);
    await t.graphql(
      'mutation ($input: OrganizationLogoSetInput!) { organizationLogoSet(input: $input) { logoUrl } }',
      { input: { image: png(300, 100).toString('base64') } },
      { key: liveKey },
    );
    const { token } = await createSubscription(seller);
    const ctx = await browser.newContext();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await ctx.route('**/logos/*', async (route) => {
      await released;
      await route.continue();
    });
    const page = await ctx.newPage();
    await page.goto(`${t.url}/checkout/${token}`, { waitUntil: 'commit' });
    const logo = page.locator('#logo');
    const seen = () =>
      logo.evaluate((image: HTMLImageElement) => {
        const { width, height } = image.getBoundingClientRect();
        return [image.complete, width, height];
      });
    await page.locator('#pay').waitFor();
    // Logos are 36 pixels high.
    expect(await seen()).toEqual([false, 108, 36]);
    release();
    await expect.poll(seen).toEqual([true, 108, 36]);
    await ctx.close();
  });

  it.each(['before', 'after'] as const)('hides a logo that fails to load %s hydration', async (when) => {
    const seller = await otherShop(t, 'No Logo');
    await t.settings({ logoUrl: 'https://quarry.test/gone.png' }, seller.environmentId);
    const { token } = await createSubscription(seller);
    const ctx = await browser.newContext();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await ctx.route('https://quarry.test/gone.png', async (route) => {
      await released;
      await route.fulfill({ status: 404 });
    });
    const scripts = Promise.withResolvers<void>();
    await ctx.route('**/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    const page = await ctx.newPage();
    await page.goto(`${t.url}/checkout/${token}`, { waitUntil: 'commit' });
    const logo = page.locator('#logo');
    await logo.waitFor({ state: 'attached' });
    const isOver = () => logo.evaluate((image: HTMLImageElement) => image.complete);
    if (when === 'before') {
      release();
      await expect.poll(isOver).toBe(true);
      scripts.resolve();
    } else {
      scripts.resolve();
      await page.locator('body:not([aria-busy="true"]) #pay:enabled').waitFor();
      expect(await isOver()).toBe(false);
      release();
    }
    await logo.waitFor({ state: 'hidden' });
    await ctx.close();
  });

  it('sorts countries by name, and shows an error if the country is missing', async () => {
    const payer = await open(await createSubscription(await otherShop(t)));
    await payer.page.click('#billing summary');
    const names = await payer.page.locator('#country option').allTextContents();
    expect(names.slice(0, 3)).toEqual(['Choose a country', 'Afghanistan', 'Åland Islands']);
    expect(names).toContain('Germany');
    expect(names.length).toBeGreaterThan(240);
    await payer.page.fill('#line1', 'Hauptstraße 1');
    await payer.typeCard('1');
    await payer.page.click('#pay');
    await payer.page.locator('#country[aria-invalid="true"]').waitFor();
    await payer.settled();
    expect(await payer.page.locator('[id$="-problem"]:not(:empty)').allTextContents()).toEqual([
      'Choose a country.',
    ]);
    await payer.page.selectOption('#country', { label: 'Germany' });
    await payer.page.click('#pay');
    await payer.page.locator('#number[aria-invalid="true"]').waitFor();
    await payer.settled();
    expect(await payer.page.locator('[id$="-problem"]:not(:empty)').allTextContents()).toEqual([
      'Check the card number.',
    ]);
    expect(await payer.focused()).toBe('number');
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.close();
  });

  it("requires a country if the merchant has a tax registration, and charges that country's tax", async () => {
    const seller = await otherShop(t);
    await createRegistration(seller);
    const subscription = await createSubscription(seller);
    const payer = await open(subscription, phone);
    expect(await payer.page.locator('#totals').innerText()).toContain('Choose a country');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('#country[aria-invalid="true"]').waitFor();
    await payer.settled();
    expect([await payer.focused(), await payer.isOnScreen('#country')]).toEqual(['country', true]);
    expect(await chargesOf(seller, subscription.customerId)).toEqual([]);
    await payer.page.selectOption('#country', { label: 'Germany' });
    await payer.page.locator('#pay:text("$58.31")').waitFor();
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(seller, subscription.customerId)).toEqual([[5_831, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });
});
