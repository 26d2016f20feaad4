import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import {
  cards,
  createActiveSubscription,
  createCustomer,
  createPastDueSubscription,
  createPayment,
  firstShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('a payment or card link in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const visit = (address: string, options = {}) =>
    Visitor.open(browser, `${t.url}${new URL(address).pathname}`, options);

  const linkFrom = async (path: string): Promise<string> =>
    Object.values((await shop.rest('POST', path, {})).body)
      .map(String)
      .find((value) => value.startsWith('http')) ?? '';
  const recoveryLink = (id: string): Promise<string> => linkFrom(`/subscriptions/${id}/recovery-links`);
  const methodLink = (id: string): Promise<string> => linkFrom(`/subscriptions/${id}/payment-method/update`);

  it('determines the outcome of a payment whose response was lost, and shows that the payment is complete', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(url);
    expect(await payer.accessibilityViolations()).toEqual([]);
    const keys = await payer.failRequests('PayLink', 'unanswered');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. You paid $42.00.');
    expect(await payer.alert()).toBeNull();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const receipt = new URL((await payer.page.getAttribute('#receipt', 'href')) ?? '');
    expect(receipt.search).toBe('?locale=en');
    expect(await (await fetch(`${t.url}${receipt.pathname}`)).text()).toContain('$42.00');
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(await chargesOf(shop, customerId)).toEqual([[4_200, 'succeeded']]);
    await payer.page.reload();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe("$42.00 has already been paid. You won't be charged again.");
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('requests bank authentication for a payment link, focuses the confirmation button, and continues if a response is lost', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(url, phone);
    await payer.typeCard('4000000000003220');
    await payer.page.click('#pay');
    await payer.page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.accessibilityViolations()).toEqual([]);
    const keys = await payer.failRequests('ConfirmLink', 'unanswered');
    await payer.page.click('#confirm');
    await payer.page.locator('.status.done').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await chargesOf(shop, customerId)).toEqual([[4_200, 'succeeded']]);
    await payer.close();
  });

  it('charges an outstanding amount only once if the response is lost, and shows an error next to the button if the charge is declined', async () => {
    const { id, customerId } = await createPastDueSubscription(shop);
    const payer = await visit(await recoveryLink(id), phone);
    const before = (await chargesOf(shop, customerId)).length;
    await payer.typeCard(cards.declines);
    await payer.page.click('#pay');
    await payer.page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect([await payer.alert(), await payer.focused()]).toEqual([
      'The card was declined. Try again or use another card.',
      'alert',
    ]);
    expect(await payer.accessibilityViolations()).toEqual([]);
    const keys = await payer.failRequests('PayRecovery', 'unanswered');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. Your payment was received.');
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await chargesOf(shop, customerId)).slice(before)).toEqual([
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('keeps card entries while the browser is offline, and then saves the card', async () => {
    const { id } = await createActiveSubscription(shop);
    const payer = await visit(await methodLink(id));
    await payer.typeCard(cards.pays);
    await payer.context.setOffline(true);
    await payer.page.click('#pay');
    await payer.page.locator('#alert:visible').waitFor();
    expect(await payer.page.inputValue('#number')).toBe('4242 4242 4242 4242');
    await payer.context.setOffline(false);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. Your card is saved.');
    await payer.close();
  });

  it('shows an outstanding amount after a card was saved, and links to its payment page', async () => {
    const { id } = await createPastDueSubscription(shop);
    const payer = await visit(await methodLink(id));
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. Your card is saved.');
    expect(await payer.page.locator('#summary').textContent()).toMatch(
      /^\$49\.00 is still outstanding\. This card will be charged on \w+ \d+, \d{4}\.$/,
    );
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(await payer.page.locator('#return-link').textContent()).toBe('Pay $49.00 now');
    expect(new URL((await payer.page.locator('#return-link').getAttribute('href')) ?? '').pathname).toBe(
      new URL(await recoveryLink(id)).pathname,
    );
    await payer.close();
  });

  it('requests bank authentication for an outstanding amount, even after a reload', async () => {
    const { id, customerId } = await createPastDueSubscription(shop);
    const payer = await visit(await recoveryLink(id), phone);
    const before = (await chargesOf(shop, customerId)).length;
    await payer.typeCard(cards.authenticates);
    await payer.page.click('#pay');
    await payer.page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.page.locator('#authentication-text').textContent()).toBe(
      "Your bank needs to confirm that you're paying $49.00.",
    );
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.page.reload();
    await payer.page.click('#confirm');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. Your payment was received.');
    expect((await chargesOf(shop, customerId)).slice(before)).toEqual([[4_900, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('requests bank authentication before it saves a card, and accepts another card if a card is declined', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    const payer = await visit(await methodLink(id));
    for (const answer of ['#reject', '#confirm']) {
      await payer.typeCard(cards.authenticates);
      await payer.page.click('#pay');
      await payer.page.locator('#authentication:visible').waitFor();
      await payer.settled();
      expect(await payer.page.locator('#authentication-text').textContent()).toContain(
        "You won't be charged now.",
      );
      await payer.page.click(answer);
      await payer.page.locator(answer === '#reject' ? '#alert:visible' : '.status.done').waitFor();
      await payer.settled();
      expect(await payer.alert()).toBe(
        answer === '#reject'
          ? 'The confirmation with your bank failed. Try again or use another card.'
          : null,
      );
    }
    expect(await payer.status()).toBe('Thank you. Your card is saved.');
    expect(await chargesOf(shop, customerId)).toHaveLength(1);
    await payer.close();
  });

  it.each(['checkout', 'pay', 'portal', 'recover', 'method'])(
    'shows that a link is invalid at /%s',
    async (name) => {
      const payer = await Visitor.open(browser, `${t.url}/${name}/none.none`);
      await payer.page.locator('#alert:visible').waitFor();
      expect(await payer.alert()).toMatch(
        /^This link (isn't valid\. Ask the business that sent it for|has expired\. Go back to .+ to open) a new one\.$/,
      );
      expect(await payer.accessibilityViolations()).toEqual([]);
      await payer.close();
    },
  );
});
