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

describe.skipIf(browserPath === null)('links in a browser', () => {
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

  it('a payment link asks what became of a payment whose answer was lost, and says that it was paid', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(url);
    expect(await payer.barriers()).toEqual([]);
    const keys = await payer.meet('PayLink', 'unanswered');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. $42.00 has been paid.');
    expect(await payer.alert()).toBeNull();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    const receipt = new URL((await payer.page.getAttribute('#receipt', 'href')) ?? '');
    expect(receipt.search).toBe('?locale=en');
    expect(await (await fetch(`${t.url}${receipt.pathname}`)).text()).toContain('$42.00');
    expect(await payer.barriers()).toEqual([]);
    expect(await chargesOf(shop, customerId)).toEqual([[4_200, 'succeeded']]);
    await payer.page.reload();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('$42.00 has already been paid. Nothing more is charged here.');
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('a payment link asks its payer to confirm with the bank, with the focus on the answer, and continues after a lost one', async () => {
    const { id: customerId } = await createCustomer(shop);
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(url, phone);
    await payer.typeCard('4000000000003220');
    await payer.page.click('#pay');
    await payer.page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.barriers()).toEqual([]);
    const keys = await payer.meet('ConfirmLink', 'unanswered');
    await payer.page.click('#confirm');
    await payer.page.locator('.status.done').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await chargesOf(shop, customerId)).toEqual([[4_200, 'succeeded']]);
    await payer.close();
  });

  it('a link for what is owed charges once when the answer is lost, and shows a decline at the button', async () => {
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
    expect(await payer.barriers()).toEqual([]);
    const keys = await payer.meet('PayRecovery', 'unanswered');
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. The payment has arrived.');
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await chargesOf(shop, customerId)).slice(before)).toEqual([
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('a link for another card keeps what was typed in while offline, and stores it afterwards', async () => {
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
    expect(await payer.status()).toBe('Thank you. The card is saved.');
    await payer.close();
  });

  it('a link for another card says that a payment is still open, and leads to it', async () => {
    const { id } = await createPastDueSubscription(shop);
    const payer = await visit(await methodLink(id));
    await payer.typeCard(cards.pays);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. The card is saved.');
    expect(await payer.page.locator('#summary').textContent()).toMatch(
      /^\$49\.00 is still open\. It is charged to this card on \w+ \d+, \d{4}\.$/,
    );
    expect(await payer.barriers()).toEqual([]);
    expect(await payer.page.locator('#return-link').textContent()).toBe('Pay $49.00 now');
    expect(new URL((await payer.page.locator('#return-link').getAttribute('href')) ?? '').pathname).toBe(
      new URL(await recoveryLink(id)).pathname,
    );
    await payer.close();
  });

  it('a link for what is owed lets the bank ask, also when the page is loaded again meanwhile', async () => {
    const { id, customerId } = await createPastDueSubscription(shop);
    const payer = await visit(await recoveryLink(id), phone);
    const before = (await chargesOf(shop, customerId)).length;
    await payer.typeCard(cards.authenticates);
    await payer.page.click('#pay');
    await payer.page.locator('#authentication:visible').waitFor();
    await payer.settled();
    expect(await payer.focused()).toBe('confirm');
    expect(await payer.page.locator('#authentication-text').textContent()).toBe(
      'Your bank wants to know that it is you who pays $49.00.',
    );
    expect(await payer.barriers()).toEqual([]);
    await payer.page.reload();
    await payer.page.click('#confirm');
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toBe('Thank you. The payment has arrived.');
    expect((await chargesOf(shop, customerId)).slice(before)).toEqual([[4_900, 'succeeded']]);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('a link for another card lets the bank ask, and takes another one when that was declined', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    const payer = await visit(await methodLink(id));
    for (const answer of ['#reject', '#confirm']) {
      await payer.typeCard(cards.authenticates);
      await payer.page.click('#pay');
      await payer.page.locator('#authentication:visible').waitFor();
      await payer.settled();
      expect(await payer.page.locator('#authentication-text').textContent()).toContain(
        'Nothing is charged now.',
      );
      await payer.page.click(answer);
      await payer.page.locator(answer === '#reject' ? '#alert:visible' : '.status.done').waitFor();
      await payer.settled();
      expect(await payer.alert()).toBe(
        answer === '#reject' ? 'This was not confirmed with your bank. Try again or use another card.' : null,
      );
    }
    expect(await payer.status()).toBe('Thank you. The card is saved.');
    expect(await chargesOf(shop, customerId)).toHaveLength(1);
    await payer.close();
  });

  it.each(['checkout', 'pay', 'portal', 'recover', 'method'])(
    '/%s says that a link is not valid',
    async (name) => {
      const payer = await Visitor.open(browser, `${t.url}/${name}/none.none`);
      await payer.page.locator('#alert:visible').waitFor();
      expect(await payer.alert()).toMatch(
        /^This link (is not valid\. Ask|has ended\. Go back to) the seller (for|to open) a new one\.$/,
      );
      expect(await payer.barriers()).toEqual([]);
      await payer.close();
    },
  );
});
