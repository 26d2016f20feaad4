import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import { createBalanceConsumer, createConsumer, createCreditsConsumer, of } from '../support/consumers.ts';
import {
  cards,
  createActiveSubscription,
  createAddon,
  createClimber,
  createCreditPack,
  createPastDueSubscription,
  firstShop,
  openPortal,
  otherShop,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';

let t: TestApp;
let shop: Shop;
let browser: Browser;

describe.skipIf(browserPath === null)('the portal in the browser', () => {
  beforeAll(async () => {
    [t, browser] = await Promise.all([startApp(), openBrowser()]);
    shop = firstShop(t);
  });
  afterAll(() => Promise.all([browser.close(), t.close()]));

  const visit = async (customerId: string, section = '', options = {}) =>
    Visitor.open(browser, `${t.url}/portal/${await openPortal(shop, customerId)}/${section}`, options);

  it('makes a confirmed top-up only once if the response is lost', async () => {
    const { customerId } = await createBalanceConsumer(shop);
    const visitor = await visit(customerId, 'credits');
    const { page } = visitor;
    const keys = await visitor.failRequests('TopUp', 'unanswered');
    await page.fill('#topup', '9');
    await page.click('#topup-form button');
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await page.locator('#ask-text').textContent()).toMatch(
      /^Your card ending in 4242 will be charged \$9\.00 now\. Your next charge is \$49\.00, on [^.]+\. Any unused balance expires on [^.]+\.$/,
    );
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    expect(await visitor.status()).toBe('$9.00 was added to your balance.');
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await chargesOf(shop, customerId)).slice(1)).toEqual([[900, 'succeeded']]);
    expect(await page.inputValue('#topup')).toBe('');
    // Submitting the same amount a second time is a new purchase.
    await page.fill('#topup', '9');
    await page.click('#topup-form button');
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    await visitor.settled();
    expect(keys).toHaveLength(3);
    expect((await chargesOf(shop, customerId)).slice(1)).toEqual([
      [900, 'succeeded'],
      [900, 'succeeded'],
    ]);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('shows that the outcome is unknown while the service is unreachable, and charges once after a reload', async () => {
    const { customerId } = await createBalanceConsumer(shop);
    const visitor = await visit(customerId, 'credits');
    const { page } = visitor;
    const keys = await visitor.failRequests('TopUp', 'unanswered', 1);
    const topUp = async () => {
      await page.fill('#topup', '9');
      await page.click('#topup-form button');
      await page.click('#ask-confirm');
    };
    await page.evaluate(() => Object.defineProperty(navigator, 'onLine', { value: false }));
    await topUp();
    await page.locator('#alert:visible').waitFor();
    await visitor.settled();
    expect(await visitor.alert()).toMatch(
      /don't know yet whether your request went through\. .* Try again: you won't be charged twice\.$/,
    );
    expect(await page.inputValue('#topup')).toBe('9');
    await page.reload();
    await page.locator('#topup:visible').waitFor();
    await visitor.settled();
    await topUp();
    await page.locator('.status.done').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect((await chargesOf(shop, customerId)).slice(1)).toEqual([[900, 'succeeded']]);
    await visitor.close();
  });

  it('rejects amounts with thousands separators', async () => {
    const { customerId } = await createBalanceConsumer(shop);
    const visitor = await visit(customerId, 'credits');
    for (const text of ['1,000', '1,000.50', '0', 'ten', '-5', '1.234']) {
      await visitor.page.fill('#topup', text);
      await visitor.page.click('#topup-form button');
      expect([text, await visitor.page.locator('#topup-problem').textContent()]).toEqual([
        text,
        'Enter an amount above 0, such as 1250 or 12.50.',
      ]);
    }
    await visitor.page.fill('#topup', '1000,50');
    await visitor.page.click('#topup-form button');
    await visitor.page.locator('#ask-dialog[open]').waitFor();
    expect(await visitor.page.locator('#ask-title').textContent()).toBe('Top up $1,000.50?');
    await visitor.page.click('#ask-close');
    expect(await chargesOf(shop, customerId)).toHaveLength(1);
    await visitor.close();
  });

  it('cancels a subscription only once if the response is lost, and undoes the cancellation', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await visit(customerId, '', phone);
    const { page } = visitor;
    const keys = await visitor.failRequests('Cancel', 'unanswered');
    await page.click('#cancel');
    await page.locator('#confirmation-text:not(:empty)').waitFor();
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.click('#cancel-confirm');
    await page.locator('.status.done').waitFor();
    expect(await visitor.status()).toBe('Your cancellation is confirmed.');
    expect(await visitor.alert()).toBeNull();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await page.locator('#confirmation-text').textContent()).toMatch(/^Your subscription ends on /);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.locator('#plan-status:text("Cancels at period end")').waitFor();
    await page.click('#undo');
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await page.locator('#ask-text').textContent()).toMatch(
      /^You won't be charged now\. Your next charge is \$49\.00, on /,
    );
    await page.click('#ask-confirm');
    await page.locator('#plan-status:text("Active")').waitFor();
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('shows the remaining charges before canceling a subscription', async () => {
    const overage = { enabled: true, unitPrice: 25 };
    const consumer = await createConsumer(shop, { terms: { includedAmount: 2_900, overage } });
    const visitor = await visit(consumer.customerId);
    const { page } = visitor;
    const requested = async () => {
      await page.click('#cancel');
      await page.locator('#confirmation-text:not(:empty)').waitFor();
      const text = await page.locator('#confirmation-text').textContent();
      await page.click('#keep');
      await page.locator('#plan-status').waitFor();
      return text?.replaceAll(/\w{3} \d+, \d{4}/g, 'DAY');
    };
    expect(await requested()).toBe(
      "You keep access until DAY. On DAY, you'll be charged for any extra usage. You can change your mind until your access ends.",
    );
    await shop.rest('POST', '/usage/events', { ...of(consumer), value: 200_000 });
    expect(await requested()).toBe(
      "You keep access until DAY. You'll still be charged $492.75 on DAY, plus any extra usage until then. You can change your mind until your access ends.",
    );
    await visitor.close();
    const { customerId } = await createActiveSubscription(shop);
    const other = await visit(customerId);
    await other.page.click('#cancel');
    await other.page.locator('#confirmation-text:not(:empty)').waitFor();
    expect(await other.page.locator('#confirmation-text').textContent()).toContain(
      "You won't be charged again.",
    );
    await other.close();
  });

  it('shows the charges for credits and add-ons and the next renewal before the purchase', async () => {
    await createAddon(shop);
    await createCreditPack(shop);
    const { customerId } = await createCreditsConsumer(shop);
    const visitor = await visit(customerId, 'credits');
    const { page } = visitor;
    const buy = page.getByRole('button', { name: /^Buy: / });
    const text = async () =>
      (await page.locator('#ask-dialog[open] #ask-text').textContent())?.replace(/\w{3} \d+, \d{4}/, 'DAY');
    await buy.click();
    expect(await text()).toBe(
      'Your card ending in 4242 will be charged $25.00 now. Your next charge is $49.00, on DAY.',
    );
    await page.click('#ask-close');
    expect(await chargesOf(shop, customerId)).toHaveLength(1);
    await buy.click();
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    expect(await visitor.status()).toBe('1,000 credits were added.');
    await page.getByRole('link', { name: 'Add-ons' }).click();
    await page.getByRole('button', { name: /^Add: / }).click();
    expect(await text()).toBe(
      'Your card ending in 4242 will be charged $9.00 now. Your next charge, on DAY, is $58.00 instead of $49.00.',
    );
    expect(await page.locator('#ask-confirm').textContent()).toBe('Pay $9.00');
    await page.click('#ask-confirm');
    await page.getByRole('button', { name: /^Remove: / }).click();
    expect(await text()).toBe(
      "You won't be charged now. Your next charge, on DAY, is $49.00 instead of $58.00.",
    );
    await page.click('#ask-confirm');
    await page.getByRole('button', { name: /^Add: / }).waitFor();
    expect((await chargesOf(shop, customerId)).slice(1)).toEqual([
      [2_500, 'succeeded'],
      [900, 'succeeded'],
    ]);
    await visitor.close();
  });

  it('changes the plan only once if the response is lost', async () => {
    const { customerId } = await createClimber(shop);
    const visitor = await visit(customerId, 'plan');
    const { page } = visitor;
    const keys = await visitor.failRequests('Move', 'unanswered');
    await page.locator('#moves-list li', { hasText: '$118.00' }).getByRole('button').click();
    await page.locator('#ask-dialog[open]').waitFor();
    expect(await page.locator('#ask-text').textContent()).toMatch(
      /^\$118\.00 per month\. The plan changes immediately\. Your card ending in 4242 will be charged \$\d+\.\d\d now\. Your next charge, on [A-Z][a-z]+ \d+, \d+, is \$118\.00/,
    );
    await page.click('#ask-confirm');
    await page.locator('.status.done').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(await page.locator('#present-plan').textContent()).toMatch(/, \$118\.00 per month$/);
    expect(await chargesOf(shop, customerId)).toHaveLength(2);
    await visitor.close();
  });

  it('shows the outstanding amount after each declined payment, until the subscription is canceled elsewhere', async () => {
    const { id, customerId } = await createPastDueSubscription(shop);
    const visitor = await visit(customerId, '', phone);
    const { page } = visitor;
    const failed = (await chargesOf(shop, customerId)).length;
    const owed = () => page.locator('#owed-text').textContent();
    await page.locator('#owed-text:not(:empty)').waitFor();
    const before = await owed();
    expect(before).toMatch(
      /^Your payment of \$49\.00 didn't go through\. The next attempt to charge your card is on [^.]+\. Pay before [^.]+ to keep access\.$/,
    );
    const declined = 'The card was declined. Try again or use another card.';
    for (const expected of [
      declined,
      declined,
      declined,
      'There were too many attempts. Wait a few minutes, then try again.',
    ]) {
      await page.click('#pay-owed');
      await page.locator('#alert:visible').waitFor();
      await visitor.settled();
      expect([await visitor.alert(), await visitor.isOnScreen('#alert'), await owed()]).toEqual([
        expected,
        true,
        before,
      ]);
    }
    expect((await chargesOf(shop, customerId)).slice(failed).map(([, status]) => status)).toEqual([
      'failed',
      'failed',
      'failed',
    ]);
    // The page updates a subscription that was canceled elsewhere.
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    await page.locator('#plan-status:text("Canceled")').waitFor();
    await page.locator('#owed').waitFor({ state: 'detached' });
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('keeps the dialog open with its entries if another card is declined', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await visit(customerId, 'cards', phone);
    const { page } = visitor;
    await page.click('#add-card');
    await visitor.typeCard(cards.declines);
    await page.click('#card-submit');
    await page.locator('#card-dialog #alert:visible').waitFor();
    expect(await page.locator('#card-dialog #alert').textContent()).toBe(
      'The card was declined. Try again or use another card.',
    );
    expect([await visitor.focused(), await visitor.isOnScreen('#card-dialog #alert')]).toEqual([
      'alert',
      true,
    ]);
    expect((await page.inputValue('#number')).replaceAll(' ', '')).toBe(cards.declines);
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await page.fill('#number', cards.declinesLater);
    await page.click('#card-submit');
    await page.locator('.status.done').waitFor();
    expect(await page.locator('#cards li', { has: page.locator('#present-card') }).textContent()).toMatch(
      /^Visa ending in 0341/,
    );
    await visitor.close();
  });

  it('requests bank authentication before it saves a card', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await visit(customerId, 'cards', phone);
    const { page } = visitor;
    for (const answer of ['#reject', '#confirm']) {
      await page.click('#add-card');
      await visitor.typeCard(cards.authenticates);
      await page.click('#card-submit');
      await page.locator('#bank-dialog[open]').waitFor();
      await page.locator('#card-dialog').waitFor({ state: 'detached' });
      expect(await visitor.status()).toBe('');
      expect(await visitor.accessibilityViolations()).toEqual([]);
      await page.click(answer);
      await page.locator(answer === '#reject' ? '#alert:visible' : '.status.done').waitFor();
      await visitor.settled();
      expect(await visitor.alert()).toBe(
        answer === '#reject'
          ? 'The confirmation with your bank failed. Try again or use another card.'
          : null,
      );
    }
    expect(await visitor.status()).toBe('Your card is saved.');
    expect(await page.locator('#cards li', { has: page.locator('#present-card') }).textContent()).toMatch(
      /^Visa ending in 3155/,
    );
    expect(await chargesOf(shop, customerId)).toHaveLength(1);
    expect(visitor.browserErrors).toEqual([]);
    await visitor.close();
  });

  it('completes a purchase once with a card that requires bank authentication', async () => {
    const seller = await otherShop(t);
    await createAddon(seller);
    const { customerId } = await createConsumer(seller, { plan: { isFree: true } });
    const visitor = await Visitor.open(
      browser,
      `${t.url}/portal/${await openPortal(seller, customerId)}/addons`,
    );
    const { page } = visitor;
    await page.getByRole('button', { name: /^Add: / }).click();
    await page.locator('#card-dialog[open]').waitFor();
    expect(await page.locator('#card-text').textContent()).toMatch(
      /^You'll be charged \$\d+\.\d\d now\. Your card is saved for future payments\./,
    );
    await visitor.typeCard(cards.authenticates);
    await page.click('#card-submit');
    await page.locator('#bank-dialog[open]').waitFor();
    await page.click('#confirm');
    await page.getByRole('button', { name: /^Remove: / }).waitFor();
    await visitor.settled();
    expect(await visitor.status()).toMatch(/ was added\.$/);
    expect((await chargesOf(seller, customerId)).map(([, status]) => status)).toEqual(['succeeded']);
    await visitor.close();
  });

  it('removes the tax ID and address if the customer clears them', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const visitor = await visit(customerId, 'details');
    const { page } = visitor;
    for (const [name, value] of Object.entries({
      line1: 'Hauptstraße 1',
      city: 'Berlin',
      postalCode: '10115',
      taxDocument: 'DE123456789',
    }))
      await page.fill(`#${name}`, value);
    await page.selectOption('#country', 'DE');
    await page.click('#save-details');
    await page.locator('.status.done').waitFor();
    expect(await page.locator('#billing-summary').textContent()).toContain('DE123456789');
    await visitor.settled();
    for (const name of ['line1', 'city', 'postalCode', 'taxDocument']) await page.fill(`#${name}`, '');
    await page.selectOption('#country', '');
    await page.click('#save-details');
    await page.locator('#billing-summary:not(:text("Berlin"))').waitFor();
    await visitor.settled();
    expect(await visitor.status()).toBe('Your billing details are saved.');
    const { body } = await shop.rest<{ taxDocument: string | null }>('GET', `/customers/${customerId}`);
    expect(body.taxDocument).toBeNull();
    expect(await page.locator('#billing-summary').textContent()).not.toContain('DE');
    expect(await visitor.accessibilityViolations()).toEqual([]);
    await visitor.close();
  });
});
