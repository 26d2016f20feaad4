import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, chargesOf, openBrowser, phone, Visitor } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  createCustomer,
  createPayment,
  createPricedPlan,
  createSubscription,
  type MadeSubscription,
  openPortal,
  type Shop,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';
import type { StripeBrowser } from '../support/stripe-js.ts';
import {
  cardFrame,
  codeFrame,
  serveStripe,
  shownBy,
  typeStripeCard,
  walletFrame,
} from '../support/stripe-page.ts';
import { StripeShop } from '../support/stripe-shop.ts';

const pays = '4242424242424242';
const declines = '4000000000000002';
const authenticates = '4000002500003155';
const declined = 'The card has insufficient funds. Use another card.';
const googlePay = { wallets: ['googlePay'] } as const;
const thanks = /^Thank you\. Your order for Name of plan\d+ is complete\.$/;

let t: TestApp;
let stripe: StripeServer;
let browser: Browser;
let seller: StripeShop;
let shop: Shop;

describe.skipIf(browserPath === null)('a connected Stripe account in the browser', () => {
  beforeAll(async () => {
    stripe = await openStripe();
    [t, browser] = await Promise.all([startApp({ env: { STRIPE_URL: stripe.url } }), openBrowser()]);
    seller = await StripeShop.open({ t, stripe, wall: { now: () => new Date() } });
    ({ shop } = seller);
  });
  afterAll(async () => {
    await Promise.all([browser.close(), t.close()]);
    await stripe.close();
  });

  const visit = async (path: string, at: Partial<StripeBrowser> = {}, options = {}): Promise<Visitor> => {
    const ctx = await browser.newContext({ viewport: { width: 1_000, height: 900 }, ...options });
    await serveStripe(ctx, stripe, at);
    return Visitor.in(ctx, `${t.url}${path}`);
  };
  const checkout = ({ token }: MadeSubscription, at: Partial<StripeBrowser> = {}, options = {}) =>
    visit(`/checkout/${token}`, at, options);
  const linkFrom = async (path: string, of = shop): Promise<string> =>
    new URL(
      Object.values((await of.rest('POST', path, {})).body)
        .map(String)
        .find((value) => value.startsWith('http')) ?? '',
    ).pathname;
  /** Amount, currency, payment method and status of the latest payment or setup at Stripe. */
  const latest = (prefix: 'pi' | 'seti') => {
    const { amount, currency, payment_method: method, status } = seller.own(prefix).at(-1) ?? {};
    return { amount, currency, method, status };
  };

  it("shows Stripe's card fields with the style, language, and amount of the page", async () => {
    await t.settings({ accentColor: '#ffd400' }, seller.shop.environmentId);
    const subscription = await createSubscription(shop);
    const payer = await visit(`/checkout/${subscription.token}?locale=es`, {}, { colorScheme: 'dark' });
    await typeStripeCard(payer.page, pays);
    expect(await shownBy(payer.page)).toMatchObject({
      mode: 'payment',
      amount: 4_900,
      currency: 'usd',
      setupFutureUsage: 'off_session',
      paymentMethodTypes: ['card'],
      locale: 'es',
      appearance: {
        theme: 'night',
        variables: {
          colorPrimary: 'rgb(255, 212, 0)',
          colorBackground: 'rgb(17, 22, 21)',
          borderRadius: '8px',
        },
      },
      parts: { wallets: { applePay: 'never', googlePay: 'never', link: 'never' } },
    });
    await payer.page.emulateMedia({ colorScheme: 'light' });
    await cardFrame(payer.page).locator('body[data-options*="rgb(255, 255, 255)"]').waitFor();
    expect(await shownBy(payer.page)).toMatchObject({ appearance: { theme: 'stripe' } });
    // Wallets that the browser doesn't support are hidden.
    expect(await payer.page.locator('#or-card').count()).toBe(0);
    expect(await payer.page.locator('#stripe-wallets iframe').isVisible()).toBe(false);
    expect(await payer.accessibilityViolations()).toEqual([]);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(latest('pi')).toEqual({
      amount: 4_900,
      currency: 'usd',
      method: stripeMethods.pays,
      status: 'succeeded',
    });
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('charges a wallet once despite repeated clicks', async () => {
    const subscription = await createSubscription(shop);
    const payer = await checkout(subscription, googlePay, phone);
    const keys = await payer.failRequests('Pay', 'lost', 0);
    await payer.page.locator('#or-card:visible').waitFor();
    expect(await payer.page.locator('#or-card').textContent()).toBe('or pay by card');
    expect(await payer.accessibilityViolations()).toEqual([]);
    const wallet = walletFrame(payer.page);
    await wallet.locator('#wallet').click();
    expect(await wallet.locator('#agreed').textContent()).toBe('4900 usd');
    await wallet.locator('#authorize').dblclick();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(thanks);
    expect(keys).toHaveLength(1);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(latest('pi')).toMatchObject({ method: stripeMethods.wallet, amount: 4_900 });
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('shows a card error, and then charges once despite a double click', async () => {
    const subscription = await createSubscription(shop);
    const payer = await checkout(subscription, googlePay);
    const keys = await payer.failRequests('Pay', 'lost', 0);
    const rejections = [
      ['', 'Your card number is incomplete.'],
      ['4242', 'Your card number is incorrect.'],
      [declines, declined],
    ] as const;
    for (const [number, text] of rejections) {
      await typeStripeCard(payer.page, number);
      await payer.page.click('#pay');
      await payer.page.locator(`#alert:text("${text}")`).waitFor();
      await payer.settled();
    }
    // Stripe rejects the card in the browser, so the service receives no request.
    expect(keys).toHaveLength(1);
    await typeStripeCard(payer.page, pays);
    await payer.page.dblclick('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(keys).toHaveLength(2);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    // Chromium logs the rejected request in Stripe's frame.
    expect(payer.browserErrors).toEqual([expect.stringMatching(/status of 402/)]);
    await payer.close();
  });

  it.each(['the script is blocked', 'the fields are broken'])(
    'shows an error message if %s',
    async (kind) => {
      const { token } = await createSubscription(shop);
      const ctx = await browser.newContext(phone);
      await serveStripe(ctx, stripe, { isBroken: kind === 'the fields are broken' });
      if (kind === 'the script is blocked')
        await ctx.route('https://js.stripe.com/v3/', (route) => route.abort());
      const payer = await Visitor.in(ctx, `${t.url}/checkout/${token}`);
      const missing = "The card fields can't be loaded right now. Reload the page to try again.";
      await payer.page.locator('#card-missing:visible').waitFor();
      expect(await payer.page.locator('#card-missing').textContent()).toBe(missing);
      expect(await payer.accessibilityViolations()).toEqual([]);
      await payer.page.click('#pay');
      await payer.page.locator('#alert:visible').waitFor();
      await payer.settled();
      expect(await payer.alert()).toBe(missing);
      expect(payer.browserErrors).toEqual([]);
      await payer.close();
    },
  );

  it('offers wallets once the amount is known, and updates the amount that they charge', async () => {
    const taxed = await StripeShop.open({ t, stripe, wall: { now: () => new Date() } });
    await taxed.run('mutation { taxRegistrationCreate(input: { country: "DE" }) { id } }');
    const subscription = await createSubscription(taxed.shop);
    const payer = await checkout(subscription, googlePay);
    const wallet = walletFrame(payer.page);
    await wallet.locator('#wallet').click();
    await payer.page.locator('#country[aria-invalid="true"]').waitFor();
    expect([await payer.focused(), await wallet.locator('#sheet').isVisible()]).toEqual(['country', false]);
    await payer.page.selectOption('#country', 'DE');
    await payer.page.locator('#pay:text("58.31")').waitFor();
    await wallet.locator('#wallet').click();
    expect(await wallet.locator('#agreed').textContent()).toBe('5831 usd');
    // A wallet payment charges either the exact amount that the payer confirmed, or nothing.
    await payer.page.selectOption('#country', 'US');
    await payer.page.locator('#pay:text("49.00")').waitFor();
    await wallet.locator('#authorize').click();
    await payer.page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe(
      "The amount has changed. You haven't been charged. Check the new amount before you pay.",
    );
    expect(await wallet.locator('#outcome').textContent()).toBe('The wallet was not charged.');
    expect(await chargesOf(taxed.shop, subscription.customerId)).toEqual([]);
    await wallet.locator('#wallet').click();
    await wallet.locator('#authorize').click();
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(taxed.shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('saves a payment method for a trial without a charge', async () => {
    const plan = await createPricedPlan(shop, { price: 4_900, trialDays: 14 });
    const made = await subscribeTo(shop, (await createCustomer(shop, 'US')).id, plan.id);
    const payer = await checkout(made, googlePay);
    const wallet = walletFrame(payer.page);
    await wallet.locator('#wallet').click();
    expect(await wallet.locator('#agreed').textContent()).toBe('to be stored');
    expect(await payer.page.locator('#or-card').textContent()).toBe('Card');
    await wallet.locator('#authorize').click();
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, made.customerId)).toEqual([]);
    expect(latest('seti')).toMatchObject({ method: stripeMethods.wallet, status: 'succeeded' });
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it('requests bank authentication, and shows the card fields again after a failure', async () => {
    const { id: customerId } = await createCustomer(shop, 'US');
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(new URL(url).pathname, googlePay);
    for (const answer of ['fail', 'complete']) {
      await typeStripeCard(payer.page, authenticates);
      await payer.page.click('#pay');
      await payer.page.locator('#confirm').click();
      await payer.page.frameLocator('iframe[title="Bank"]').locator(`#${answer}`).click();
      await payer.page.locator(answer === 'fail' ? '#alert:visible' : '.status.done').waitFor();
    }
    expect((await chargesOf(shop, customerId)).map(([, status]) => status)).toEqual(['failed', 'succeeded']);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it.each([
    ['a card', {}],
    ['a wallet', googlePay],
  ] as const)('pays a payment link with %s', async (_, at) => {
    const { id: customerId } = await createCustomer(shop, 'US');
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(new URL(url).pathname, at, phone);
    if (at === googlePay) {
      await walletFrame(payer.page).locator('#wallet').click();
      expect(await walletFrame(payer.page).locator('#agreed').textContent()).toBe('4200 usd');
      await walletFrame(payer.page).locator('#authorize').click();
    } else {
      await typeStripeCard(payer.page, pays);
      await payer.page.click('#pay');
    }
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([[4_200, 'succeeded']]);
    expect(await payer.accessibilityViolations()).toEqual([]);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("passes amounts in Stripe's format, including in a currency without decimals", async () => {
    const { url } = await createPayment(shop, { amount: 5_000, currency: 'jpy' });
    const payer = await visit(new URL(url).pathname);
    await typeStripeCard(payer.page, pays);
    expect(await shownBy(payer.page)).toMatchObject({ amount: 5_000, currency: 'jpy' });
    await payer.page.fill('#email', 'ana@customer.test');
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(latest('pi')).toMatchObject({ amount: 5_000, currency: 'jpy' });
    await payer.close();
  });

  it('replaces a card with another card or a wallet, without a charge', async () => {
    const { id } = await seller.active();
    const path = await linkFrom(`/subscriptions/${id}/payment-method/update`);
    for (const by of ['card', 'wallet']) {
      const payer = await visit(path, googlePay);
      await payer.page.locator('#or-card:text("Card")').waitFor();
      expect(await shownBy(payer.page)).toMatchObject({ mode: 'setup', currency: 'usd' });
      expect(await payer.accessibilityViolations()).toEqual([]);
      const wallet = walletFrame(payer.page);
      if (by === 'card') {
        await typeStripeCard(payer.page, pays);
        await payer.page.click('#pay');
      } else {
        await wallet.locator('#wallet').click();
        await wallet.locator('#authorize').click();
      }
      await payer.page.locator('.status.done').waitFor();
      expect(await payer.status()).toBe('Thank you. Your card is saved.');
      expect(latest('seti')).toMatchObject({
        method: by === 'card' ? stripeMethods.pays : stripeMethods.wallet,
      });
      expect(payer.browserErrors).toEqual([]);
      await payer.close();
    }
  });

  it('pays an outstanding amount with a wallet, on its page and in the portal', async () => {
    for (const place of ['page', 'portal']) {
      const behind = await StripeShop.open({ t, stripe, wall: { now: () => new Date() } });
      const { id, customerId } = await behind.active(stripeMethods.declinesLater);
      await advanceDays(behind.shop, 32);
      await eventually(
        () => behind.statusOf(id),
        (status) => status === 'past_due',
      );
      const before = (await chargesOf(behind.shop, customerId)).length;
      const path =
        place === 'page'
          ? await linkFrom(`/subscriptions/${id}/recovery-links`, behind.shop)
          : `/portal/${await openPortal(behind.shop, customerId)}/`;
      const payer = await visit(path, googlePay);
      if (place === 'portal') await payer.page.click('#pay-otherwise');
      const wallet = walletFrame(payer.page);
      await wallet.locator('#wallet').click();
      expect(await wallet.locator('#agreed').textContent()).toBe('4900 usd');
      expect(await payer.accessibilityViolations()).toEqual([]);
      await wallet.locator('#authorize').click();
      await payer.page.locator('.status.done').waitFor();
      expect((await chargesOf(behind.shop, customerId)).slice(before)).toEqual([[4_900, 'succeeded']]);
      expect(payer.browserErrors).toEqual([]);
      await payer.close();
    }
  });

  it('adds cards in the portal, with new card fields in each dialog', async () => {
    const { customerId } = await seller.active();
    const payer = await visit(`/portal/${await openPortal(shop, customerId)}/cards`, googlePay);
    for (const by of ['card', 'wallet']) {
      await payer.page.click('#add-card');
      const wallet = walletFrame(payer.page);
      await payer.page.locator('#or-card:visible').waitFor();
      if (by === 'card') {
        expect(await payer.accessibilityViolations()).toEqual([]);
        await typeStripeCard(payer.page, pays);
        await payer.page.click('#card-submit');
      } else {
        await wallet.locator('#wallet').click();
        expect(await wallet.locator('#agreed').textContent()).toBe('to be stored');
        await wallet.locator('#authorize').click();
      }
      await payer.page.locator('#card-dialog').waitFor({ state: 'detached' });
      await payer.settled();
    }
    expect(latest('seti')).toMatchObject({ method: stripeMethods.wallet });
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  /** Creates a checkout for a customer with a canceled subscription and a card saved at Stripe. */
  async function comeBack(): Promise<MadeSubscription> {
    const { id, customerId } = await seller.active();
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    return subscribeTo(shop, customerId, (await createPricedPlan(shop, { price: 4_900 })).id);
  }

  it("charges the saved card with the security code entered in Stripe's field, on a phone in Spanish", async () => {
    const { token, customerId } = await comeBack();
    const payer = await visit(`/checkout/${token}?locale=es`, {}, phone);
    const { page } = payer;
    const code = codeFrame(page).locator('#cvc');
    expect(await page.locator('label:has(#saved-card)').innerText()).toBe('Visa •••• 4242, caduca 12/99');
    await code.fill('12');
    await page.click('#pay');
    await page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe('Your security code is incomplete.');
    expect(await payer.accessibilityViolations()).toEqual([]);
    await code.fill('000');
    await page.click('#pay');
    await page.locator('#alert:text("no es correcto.")').waitFor();
    await payer.settled();
    await page.getByText('quedan 2 intentos').waitFor();
    await code.fill('123');
    await page.dblclick('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([
      [4_900, 'succeeded'],
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    expect(payer.browserErrors).toEqual([expect.stringMatching(/status of 402/)]);
    await payer.close();
  });

  it('accepts a new card instead of the saved card by keyboard', async () => {
    const { customerId } = await comeBack();
    const { url } = await createPayment(shop, { customerId });
    const payer = await visit(new URL(url).pathname);
    const { page } = payer;
    await page.focus('#saved-card');
    await page.keyboard.press('ArrowDown');
    await cardFrame(page).locator('#number').waitFor();
    expect(await payer.focused()).toBe('another-card');
    expect(await page.locator('#stripe-code').count()).toBe(0);
    await typeStripeCard(page, pays);
    await page.focus('#pay');
    await page.keyboard.press('Enter');
    await page.locator('.status.done').waitFor();
    expect((await chargesOf(shop, customerId)).at(-1)).toEqual([4_200, 'succeeded']);
    expect(payer.browserErrors).toEqual([]);
    await payer.close();
  });

  it("shows the card fields immediately if the merchant doesn't offer saved cards", async () => {
    const { token } = await comeBack();
    const set = (on: boolean) => t.settings({ checkout: { savedCards: on } }, seller.shop.environmentId);
    await set(false);
    const payer = await visit(`/checkout/${token}`);
    await cardFrame(payer.page).locator('#number').waitFor();
    expect(await payer.page.locator('#saved-card').count()).toBe(0);
    await set(true);
    await payer.close();
  });
});
