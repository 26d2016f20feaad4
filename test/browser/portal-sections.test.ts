import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, openBrowser, phone, Visitor } from '../support/browser.ts';
import { createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import {
  cards,
  createActiveSubscription,
  createAddon,
  createAdjustment,
  createCreditPack,
  createCustomer,
  createLadder,
  openPortal,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { runStory } from '../support/story.ts';

let t: TestApp;
let browser: Browser;

const sectionNames = [
  '',
  'usage',
  'plan',
  'seats',
  'addons',
  'credits',
  'cards',
  'invoices',
  'details',
  'cancel',
];

describe.skipIf(browserPath === null)('the portal and its sections', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const open = async (shop: Shop, customerId: string, section = '', options = {}) =>
    Visitor.open(browser, `${t.url}/portal/${await openPortal(shop, customerId)}/${section}`, options);
  /** Sets the actions that customers can perform in the portal. */
  const allow = (shop: Shop, portal: object): Promise<unknown> => t.settings({ portal }, shop.environmentId);

  it('renders without accessibility violations in English on a wide screen and in Spanish on a phone', async () => {
    const shop = await otherShop(t);
    await allow(shop, { seats: true, cancelReasons: ['Too expensive', 'Not used enough'] });
    await createAddon(shop);
    await createCreditPack(shop);
    const { customerId } = await createCreditsConsumer(shop);
    for (const [size, search] of [
      [{ viewport: { width: 1_280, height: 900 } }, ''],
      [phone, '?locale=es'],
    ] as const) {
      const visitor = await open(shop, customerId, search, size);
      const { page } = visitor;
      const address = new URL(page.url());
      for (const name of sectionNames) {
        await page.goto(`${address.origin}${address.pathname.replace(/\/$/, '')}/${name}${search}`);
        await page.locator('#status').waitFor({ state: 'attached' });
        await visitor.settled();
        expect([name, await visitor.accessibilityViolations()]).toEqual([name, []]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([name, width]).toEqual([name, 0]);
      }
      expect(visitor.browserErrors).toEqual([]);
      await visitor.close();
    }
  });

  it('switches sections without a reload, and adds an entry to the browser history', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId, '?locale=es');
    const { page } = visitor;
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.getByRole('link', { name: 'Facturas' }).click();
    await page.locator('h1:text("Facturas")').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/portal\/[\w.-]+\/invoices$/);
    expect(new URL(page.url()).search).toBe('?locale=es');
    await expect
      .poll(async () => [await visitor.focused(), await page.title()])
      .toEqual(['title', expect.stringMatching(/^Facturas – /)]);
    await page.getByRole('link', { name: /^Recibo INV-/ }).waitFor();
    await page.goBack();
    await page.locator('h1:text("Resumen")').waitFor();
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true);
    await page.goForward();
    await page.locator('h1:text("Facturas")').waitFor();
    await page.reload();
    await page.locator('h1:text("Facturas")').waitFor();
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('shows usage as meters, as a chart, and as a table', async () => {
    const shop = await otherShop(t);
    const overage = { enabled: true, unitPrice: 25 };
    const consumer = await createConsumer(shop, { terms: { includedAmount: 100, overage } });
    const visitor = await open(shop, consumer.customerId, 'usage');
    const { page } = visitor;
    await page.locator('#features:has-text("0 of 100 used")').waitFor();
    await page.locator('#no-usage').waitFor();
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 40 });
    // The page reloads usage when its window becomes visible.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('#features:has-text("40 of 100 used")').waitFor();
    await page.locator('#chart figcaption:text(": 40 total")').waitFor();
    await page.selectOption('#span', 'year');
    await page.locator('#chart tbody tr').nth(11).waitFor({ state: 'attached' });
    await page.click('#chart summary');
    expect(await page.locator('#chart tbody tr').count()).toBe(12);
    expect((await page.locator('#chart tbody td').allTextContents()).filter((text) => text !== '0')).toEqual([
      '40',
    ]);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('makes another saved card the default card, and removes a card', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId, 'cards', phone);
    const { page } = visitor;
    await page.click('#add-card');
    await visitor.typeCard(cards.declinesLater);
    await page.click('#card-submit');
    await page.locator('.status.done').waitFor();
    const present = page.locator('#cards li', { has: page.locator('#present-card') });
    expect(await present.textContent()).toMatch(/ending in 0341/);
    const keys = await visitor.failRequests('MakeDefault', 'unanswered');
    await page.getByRole('button', { name: /^Make default: Visa ending in 4242/ }).click();
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    expect(await present.textContent()).toMatch(/ending in 4242/);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const removals = await visitor.failRequests('RemoveCard', 'unanswered');
    const remove = page.getByRole('button', { name: /^Remove:/ });
    expect(await remove.count()).toBe(1);
    await remove.click();
    await page.locator('#ask-dialog[open]:has-text("ending in 0341")').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#ask-confirm');
    await page.locator('.status.done:has-text("Your card was removed.")').waitFor();
    expect(await page.locator('#cards li').count()).toBe(1);
    expect(await remove.count()).toBe(0);
    expect([removals.length, new Set(removals).size]).toEqual([2, 1]);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('shows a credit note and links to its PDF', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createActiveSubscription(shop);
    await createAdjustment(shop, { customerId, amount: -1_900 });
    const visitor = await open(shop, customerId, 'invoices');
    const { page } = visitor;
    const rows = page.locator('main tbody tr');
    const texts = (await rows.allTextContents()).map((text) => text.replaceAll('\u2212', '-'));
    expect(texts).toEqual([
      expect.stringMatching(/Credit note.*Credited.*-\$19\.00/),
      expect.stringMatching(/Receipt.*\$49\.00/),
    ]);
    const link = page.getByRole('link', { name: /^Credit note .*PDF/ });
    const pdf = await fetch((await link.getAttribute('href')) ?? '');
    expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('sends the cancellation reason to the merchant', async () => {
    const shop = await otherShop(t);
    await allow(shop, { cancelReasons: ['Too expensive', 'Not used enough'] });
    const { id, customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId, 'cancel');
    const { page } = visitor;
    await page.getByLabel('Not used enough').check();
    await page.fill('#reason', 'See you in spring');
    await page.locator(`#confirmation-text:has-text("You won't be charged again.")`).waitFor();
    await page.click('#cancel-confirm');
    await page.locator('.status.done').waitFor();
    const { subscription } = await t.graphql<{ subscription: { cancellation: { reason: string } } }>(
      'query ($id: ID!) { subscription(id: $id) { cancellation { reason } } }',
      { id },
      { key: shop.key },
    );
    expect(subscription.cancellation.reason).toBe('Not used enough: See you in spring');
    await visitor.close();
  });

  it('shows the cost of a seat change before applying it', () =>
    runStory(t, '2027-03-01', async (story) => {
      const editors = { type: 'seats', includedAmount: 2, overage: { enabled: true, unitPrice: 50_000 } };
      await story.sell('team', { price: { price: 3_400 }, features: { editors } });
      await story.active('ada', 'team', cards.pays, { initialSeats: { editors: 2 } });
      await allow(story.shop, { seats: true });
      const { id } = await story.do<{ id: string }>('GET', '/customers/ada');
      const visitor = await open(story.shop, id, 'seats');
      const { page } = visitor;
      await page.fill('#seats-editors', '4');
      await page.click('#form-editors button');
      await page.locator('#ask-dialog[open]').waitFor();
      expect(await page.locator('#ask-text').textContent()).toBe(
        "You won't be charged now. Your next charge, on Apr 1, 2027, is $54.00 plus any extra usage instead of $34.00 plus any extra usage.",
      );
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      expect(await page.inputValue('#seats-editors')).toBe('4');
      const { current } = await story.do<{ current: number }>(
        'GET',
        '/seats/balance?customerId=ada&featureCode=editors',
      );
      expect(current).toBe(4);
      expect(visitor.browserErrors).toEqual([]);
      await visitor.close();
    }));

  it('shows a scheduled seat decrease on Seats and Overview', () => {
    const [search, pending, wrong] = [
      '?locale=es',
      '12 hasta el 1 abr 2027, después 4.',
      'Escribe un número entero de 0 a 1.000.000.',
    ];
    return runStory(t, '2027-03-01', async (story) => {
      const editors = { type: 'seats', includedAmount: 2, overage: { enabled: true, unitPrice: 50_000 } };
      await story.sell('team', { price: { price: 3_400 }, features: { editors } });
      await story.active('ada', 'team', cards.pays, { initialSeats: { editors: 12 } });
      await allow(story.shop, { seats: true });
      const { id } = await story.do<{ id: string }>('GET', '/customers/ada');
      const visitor = await open(story.shop, id, `seats${search}`);
      const { page } = visitor;
      for (const typed of ['-1', '1.5', '', '1000001']) {
        await page.fill('#seats-editors', typed);
        await page.click('#form-editors button');
        await expect.poll(() => page.textContent('#seats-editors-problem')).toBe(wrong);
      }
      await page.fill('#seats-editors', '4');
      await page.click('#form-editors button');
      await page.locator('#ask-dialog[open]').waitFor();
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      expect(await visitor.status()).toBe(pending);
      await page.reload();
      expect(await page.textContent('#pending-editors')).toBe(pending);
      expect(await page.inputValue('#seats-editors')).toBe('4');
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await page.goto(page.url().replace('/seats', ''));
      expect(await page.locator('#features').textContent()).toContain(pending);
      // Entering the current number of seats cancels the scheduled decrease.
      await page.goto(page.url().replace(/(\?|$)/, '/seats$1'));
      await page.fill('#seats-editors', '12');
      await page.click('#form-editors button');
      await page.locator('#ask-dialog[open]').waitFor();
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      expect(await page.locator('#pending-editors').count()).toBe(0);
      expect(visitor.browserErrors).toEqual([]);
      await visitor.close();
    });
  });

  it('shows a scheduled plan change on Plan and Overview, and cancels it', () =>
    runStory(t, '2027-03-01', async (story) => {
      const { lowId, highId } = await createLadder(story.shop);
      const { customerId, token } = await subscribeTo(
        story.shop,
        (await createCustomer(story.shop)).id,
        highId,
      );
      await pay(story.shop, token);
      const name = (await story.do<{ name: string }>('GET', `/plans/${lowId}`)).name;
      await allow(story.shop, { changePlan: true });
      const visitor = await open(story.shop, customerId, 'plan');
      const { page } = visitor;
      const option = page.locator('#moves-list li', { hasText: name }).filter({ hasText: 'per month' });
      await option.getByRole('button').click();
      await page.locator('#ask-dialog[open]').waitFor();
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      const text = `Your plan changes to ${name} on Apr 1, 2027.`;
      expect(await visitor.status()).toBe(text);
      expect(await page.textContent('#scheduled-text')).toBe(text);
      expect(await option.getByRole('button').count()).toBe(0);
      expect(await option.textContent()).toContain('Scheduled');
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await page.click('#keep-plan');
      await page.locator('#ask-dialog[open]').waitFor();
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      expect(await page.locator('#scheduled-change').count()).toBe(0);
      expect(await option.getByRole('button').count()).toBe(1);
      expect(visitor.browserErrors).toEqual([]);
      await visitor.close();
    }));

  it('draws an empty meter without a filled portion, in light and dark mode', async () => {
    const shop = await otherShop(t);
    const { customerId } = await createCreditsConsumer(shop);
    for (const colorScheme of ['light', 'dark'] as const) {
      const visitor = await open(shop, customerId, '', { colorScheme });
      const track = await visitor.page.evaluate(
        () => getComputedStyle(document.querySelector('progress') as HTMLElement).backgroundColor,
      );
      // Color of `--line-strong`. Browsers use a light track in both light and dark mode.
      expect([colorScheme, track]).toEqual([
        colorScheme,
        colorScheme === 'light' ? 'rgb(207, 215, 211)' : 'rgb(53, 65, 62)',
      ]);
      await visitor.close();
    }
  });
});
