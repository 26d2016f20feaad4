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

// What payers do at the accounts of sellers at Stripe: its fields and wallets on the pages of the service.

const pays = '4242424242424242';
const declines = '4000000000000002';
const authenticates = '4000002500003155';
const declined = 'The card has insufficient funds. Use another card.';
const googlePay = { wallets: ['googlePay'] } as const;
const thanks = /^Thank you\. Name of plan\d+ is yours\.$/;

let t: TestApp;
let stripe: StripeServer;
let browser: Browser;
let seller: StripeShop;
let shop: Shop;

describe.skipIf(browserPath === null)('an account at Stripe in a browser', () => {
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
  /** What the newest payment or set-up at Stripe was made with. */
  const latest = (prefix: 'pi' | 'seti') => {
    const { amount, currency, payment_method: method, status } = seller.own(prefix).at(-1) ?? {};
    return { amount, currency, method, status };
  };

  it('takes a card by the fields of Stripe, in the look, the language and the amount of the page', async () => {
    await seller.run('mutation { organizationUpdate(input: { accentColor: "#ffd400" }) { id } }');
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
          colorBackground: 'rgb(20, 22, 26)',
          borderRadius: '8px',
        },
      },
      parts: { wallets: { applePay: 'never', googlePay: 'never', link: 'never' } },
    });
    await payer.page.emulateMedia({ colorScheme: 'light' });
    await cardFrame(payer.page).locator('body[data-options*="rgb(255, 255, 255)"]').waitFor();
    expect(await shownBy(payer.page)).toMatchObject({ appearance: { theme: 'stripe' } });
    // Nothing is shown of wallets that are not there.
    expect(await payer.page.locator('#or-card').count()).toBe(0);
    expect(await payer.page.locator('#stripe-wallets iframe').isVisible()).toBe(false);
    expect(await payer.barriers()).toEqual([]);
    await payer.page.click('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(latest('pi')).toEqual({
      amount: 4_900,
      currency: 'usd',
      method: stripeMethods.pays,
      status: 'succeeded',
    });
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('takes a wallet above the card, once however often its buttons are clicked', async () => {
    const subscription = await createSubscription(shop);
    const payer = await checkout(subscription, googlePay, phone);
    const keys = await payer.meet('Pay', 'lost', 0);
    await payer.page.locator('#or-card:visible').waitFor();
    expect(await payer.page.locator('#or-card').textContent()).toBe('or pay by card');
    expect(await payer.barriers()).toEqual([]);
    const wallet = walletFrame(payer.page);
    await wallet.locator('#wallet').click();
    expect(await wallet.locator('#agreed').textContent()).toBe('4900 usd');
    await wallet.locator('#authorize').dblclick();
    await payer.page.locator('.status.done').waitFor();
    expect(await payer.status()).toMatch(thanks);
    expect(keys).toHaveLength(1);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(latest('pi')).toMatchObject({ method: stripeMethods.wallet, amount: 4_900 });
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('says what is wrong with a card, and charges once for a double click afterwards', async () => {
    const subscription = await createSubscription(shop);
    const payer = await checkout(subscription, googlePay);
    const keys = await payer.meet('Pay', 'lost', 0);
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
    // What Stripe finds wrong never reaches the service.
    expect(keys).toHaveLength(1);
    await typeStripeCard(payer.page, pays);
    await payer.page.dblclick('#pay');
    await payer.page.locator('.status.done').waitFor();
    expect(keys).toHaveLength(2);
    expect(await chargesOf(shop, subscription.customerId)).toEqual([
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    // Of which Chromium makes a note in the frame of Stripe.
    expect(payer.complaints).toEqual([expect.stringMatching(/status of 402/)]);
    await payer.close();
  });

  it.each(['the script is blocked', 'the fields are broken'])('says it where %s', async (kind) => {
    const { token } = await createSubscription(shop);
    const ctx = await browser.newContext(phone);
    await serveStripe(ctx, stripe, { isBroken: kind === 'the fields are broken' });
    if (kind === 'the script is blocked')
      await ctx.route('https://js.stripe.com/v3/', (route) => route.abort());
    const payer = await Visitor.in(ctx, `${t.url}/checkout/${token}`);
    const missing = 'The card fields cannot be loaded right now. Reload the page to try again.';
    await payer.page.locator('#card-missing:visible').waitFor();
    expect(await payer.page.locator('#card-missing').textContent()).toBe(missing);
    expect(await payer.barriers()).toEqual([]);
    await payer.page.click('#pay');
    await payer.page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe(missing);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('waits with a wallet for what the amount depends on, and follows the amount', async () => {
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
    // What was agreed to in a wallet is charged, or nothing is.
    await payer.page.selectOption('#country', 'US');
    await payer.page.locator('#pay:text("49.00")').waitFor();
    await wallet.locator('#authorize').click();
    await payer.page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe('The amount has changed. Check it and pay again.');
    expect(await wallet.locator('#outcome').textContent()).toBe('The wallet was not charged.');
    expect(await chargesOf(taxed.shop, subscription.customerId)).toEqual([]);
    await wallet.locator('#wallet').click();
    await wallet.locator('#authorize').click();
    await payer.page.locator('.status.done').waitFor();
    expect(await chargesOf(taxed.shop, subscription.customerId)).toEqual([[4_900, 'succeeded']]);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('only stores a method for a trial', async () => {
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
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('lets the bank ask, and shows the fields again where it does not agree', async () => {
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
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it.each([
    ['a card', {}],
    ['a wallet', googlePay],
  ] as const)('pays a payment link by %s', async (_, at) => {
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
    expect(await payer.barriers()).toEqual([]);
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('names the amount as Stripe wants it, also in a currency that has no decimals', async () => {
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

  it('replaces a card by a card or a wallet, which is only stored', async () => {
    const { id } = await seller.active();
    const path = await linkFrom(`/subscriptions/${id}/payment-method/update`);
    for (const by of ['card', 'wallet']) {
      const payer = await visit(path, googlePay);
      await payer.page.locator('#or-card:text("Card")').waitFor();
      expect(await shownBy(payer.page)).toMatchObject({ mode: 'setup', currency: 'usd' });
      expect(await payer.barriers()).toEqual([]);
      const wallet = walletFrame(payer.page);
      if (by === 'card') {
        await typeStripeCard(payer.page, pays);
        await payer.page.click('#pay');
      } else {
        await wallet.locator('#wallet').click();
        await wallet.locator('#authorize').click();
      }
      await payer.page.locator('.status.done').waitFor();
      expect(await payer.status()).toBe('Thank you. The card is saved.');
      expect(latest('seti')).toMatchObject({
        method: by === 'card' ? stripeMethods.pays : stripeMethods.wallet,
      });
      expect(payer.complaints).toEqual([]);
      await payer.close();
    }
  });

  it('pays what is owed by a wallet, on the page for it and in the portal', async () => {
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
      expect(await payer.barriers()).toEqual([]);
      await wallet.locator('#authorize').click();
      await payer.page.locator('.status.done').waitFor();
      expect((await chargesOf(behind.shop, customerId)).slice(before)).toEqual([[4_900, 'succeeded']]);
      expect(payer.complaints).toEqual([]);
      await payer.close();
    }
  });

  it('adds a card in the portal, where the dialog opens the fields anew', async () => {
    const { customerId } = await seller.active();
    const payer = await visit(`/portal/${await openPortal(shop, customerId)}/cards`, googlePay);
    for (const by of ['card', 'wallet']) {
      await payer.page.click('#add-card');
      const wallet = walletFrame(payer.page);
      await payer.page.locator('#or-card:visible').waitFor();
      if (by === 'card') {
        expect(await payer.barriers()).toEqual([]);
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
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  /** A customer whose subscription has ended, with a card stored at Stripe and a new checkout. */
  async function comeBack(): Promise<MadeSubscription> {
    const { id, customerId } = await seller.active();
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    return subscribeTo(shop, customerId, (await createPricedPlan(shop, { price: 4_900 })).id);
  }

  it.each([
    ['wide, in English', {}, 'en'],
    ['a phone, in Spanish', phone, 'es'],
  ] as const)("takes the stored card by its code, in Stripe's own field (%s)", async (_, size, locale) => {
    const { token, customerId } = await comeBack();
    const payer = await visit(`/checkout/${token}?locale=${locale}`, {}, size);
    const { page } = payer;
    const code = codeFrame(page).locator('#cvc');
    expect(await page.locator('label:has(#saved-card)').innerText()).toBe(
      locale === 'en' ? 'Visa •••• 4242, expires 12/99' : 'Visa •••• 4242, caduca 12/99',
    );
    await code.fill('12');
    await page.click('#pay');
    await page.locator('#alert:visible').waitFor();
    await payer.settled();
    expect(await payer.alert()).toBe('Your security code is incomplete.');
    expect(await payer.barriers()).toEqual([]);
    await code.fill('000');
    await page.click('#pay');
    await page
      .locator(`#alert:text("${locale === 'en' ? 'The security code is wrong.' : 'no es correcto.'}")`)
      .waitFor();
    await payer.settled();
    await page.getByText(locale === 'en' ? '2 more tries' : 'quedan 2 intentos').waitFor();
    await code.fill('123');
    await page.dblclick('#pay');
    await page.locator('.status.done').waitFor();
    expect(await chargesOf(shop, customerId)).toEqual([
      [4_900, 'succeeded'],
      [4_900, 'failed'],
      [4_900, 'succeeded'],
    ]);
    expect(payer.complaints).toEqual([expect.stringMatching(/status of 402/)]);
    await payer.close();
  });

  it('takes another card in the place of the stored one, by keys alone', async () => {
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
    expect(payer.complaints).toEqual([]);
    await payer.close();
  });

  it('shows the fields of a card at once where the seller offers no stored one', async () => {
    const { token } = await comeBack();
    const set = (on: boolean) =>
      seller.run(`mutation { organizationUpdate(input: { checkout: { savedCards: ${on} } }) { id } }`);
    await set(false);
    const payer = await visit(`/checkout/${token}`);
    await cardFrame(payer.page).locator('#number').waitFor();
    expect(await payer.page.locator('#saved-card').count()).toBe(0);
    await set(true);
    await payer.close();
  });
});
