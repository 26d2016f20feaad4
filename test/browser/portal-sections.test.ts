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
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { emit } from '../support/story.ts';

// The sections of the portal: how they are reached, what they show while something changes elsewhere, and that they bar nobody.

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

describe.skipIf(browserPath === null)('the sections of the portal', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const open = async (shop: Shop, customerId: string, section = '', options = {}) =>
    Visitor.open(browser, `${t.url}/portal/${await openPortal(shop, customerId)}/${section}`, options);
  /** What the seller lets customers do. */
  const allow = (shop: Shop, portal: object): Promise<unknown> =>
    t.graphql(
      'mutation ($input: OrganizationUpdateInput!) { organizationUpdate(input: $input) { id } }',
      { input: { portal } },
      { key: shop.key },
    );

  it('bar nobody, in English on a wide screen and in Spanish on a phone', async () => {
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
        expect([name, await visitor.barriers()]).toEqual([name, []]);
        const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([name, width]).toEqual([name, 0]);
      }
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    }
  });

  it('are shown one after another without loading the page again, at addresses that can be gone back to', async () => {
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
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('show usage as meters, as a chart and as a table', async () => {
    const shop = await otherShop(t);
    const overage = { enabled: true, unitPrice: 25 };
    const consumer = await createConsumer(shop, { terms: { includedAmount: 100, overage } });
    const visitor = await open(shop, consumer.customerId, 'usage');
    const { page } = visitor;
    await page.locator('#features:has-text("0 of 100 used")').waitFor();
    await page.locator('#no-usage').waitFor();
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 40 });
    // Who comes back to the window sees what was counted meanwhile.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.locator('#features:has-text("40 of 100 used")').waitFor();
    await page.locator('#chart figcaption:text(": 40 in all")').waitFor();
    await page.selectOption('#span', 'year');
    await page.locator('#chart tbody tr').nth(11).waitFor({ state: 'attached' });
    await page.click('#chart summary');
    expect(await page.locator('#chart tbody tr').count()).toBe(12);
    expect((await page.locator('#chart tbody td').allTextContents()).filter((text) => text !== '0')).toEqual([
      '40',
    ]);
    expect(await visitor.barriers()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('let a customer choose among the cards that are stored', async () => {
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
    const keys = await visitor.meet('MakeDefault', 'unanswered');
    await page.getByRole('button', { name: /^Charge this one: Visa ending in 4242/ }).click();
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await visitor.barriers()).toEqual([]);
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    expect(await present.textContent()).toMatch(/ending in 4242/);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const removals = await visitor.meet('RemoveCard', 'unanswered');
    const remove = page.getByRole('button', { name: /^Remove:/ });
    expect(await remove.count()).toBe(1);
    await remove.click();
    await page.locator('#ask-dialog[open]:has-text("ending in 0341")').waitFor();
    expect(await visitor.barriers()).toEqual([]);
    await page.click('#ask-confirm');
    await page.locator('.status.done:has-text("Your card is removed.")').waitFor();
    expect(await page.locator('#cards li').count()).toBe(1);
    expect(await remove.count()).toBe(0);
    expect([removals.length, new Set(removals).size]).toEqual([2, 1]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('show what the seller gave back as a credit note, with its PDF', async () => {
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
    expect(await visitor.barriers()).toEqual([]);
    expect(visitor.complaints).toEqual([]);
    await visitor.close();
  });

  it('tell the seller why a customer leaves', async () => {
    const shop = await otherShop(t);
    await allow(shop, { cancelReasons: ['Too expensive', 'Not used enough'] });
    const { id, customerId } = await createActiveSubscription(shop);
    const visitor = await open(shop, customerId, 'cancel');
    const { page } = visitor;
    await page.getByLabel('Not used enough').check();
    await page.fill('#reason', 'See you in spring');
    await page.locator('#confirmation-text:has-text("Nothing more is charged.")').waitFor();
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

  it('change seats after their costs were shown', () =>
    emit(t, '2027-03-01', async (story) => {
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
        'Nothing is charged now. Your next charge is $54.00 plus usage beyond what is included instead of $34.00 plus usage beyond what is included, on Apr 1, 2027.',
      );
      await page.click('#ask-confirm');
      await page.locator('.status.done').waitFor();
      expect(await page.inputValue('#seats-editors')).toBe('4');
      const { current } = await story.do<{ current: number }>(
        'GET',
        '/seats/balance?customerId=ada&featureCode=editors',
      );
      expect(current).toBe(4);
      expect(visitor.complaints).toEqual([]);
      await visitor.close();
    }));
});
