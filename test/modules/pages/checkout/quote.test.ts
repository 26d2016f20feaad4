import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  cards,
  createCustomer,
  createOffer,
  createPayment,
  createPromoCode,
  off,
  payment,
  setCurrency,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { runStory, type Story, type Subscriber } from '../../../support/story.ts';

// Quotes that the checkout page shows before payment. They're calculated like the charge (BIL-20).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const quote =
  'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { currency currencyDecimals subtotal discountAmount taxAmount amountDue publishableKey } }';
const register = (story: Story, input: object) =>
  story.ask(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { input },
  );
const ask = async ({ token }: Subscriber, typed: object): Promise<unknown> =>
  (await t.graphql<{ checkoutQuote: unknown }>(quote, { input: { token, ...typed } }, { key: null }))
    .checkoutQuote;
const rejected = async ({ token }: Subscriber, typed: object): Promise<string> =>
  (await rejection(t, quote, { input: { token, ...typed } }, { key: null })).code;
const amounts = (
  currency: string,
  subtotal: number,
  discountAmount: number,
  taxAmount: number,
  amountDue: number,
) => ({
  currency,
  currencyDecimals: currency === 'jpy' ? 0 : 2,
  subtotal,
  discountAmount,
  taxAmount,
  amountDue,
  publishableKey: null,
});

it('a checkout quote equals the later charge for each country, state, tax ID, and promo code, and nothing is stored', () =>
  runStory(t, '2027-03-01', async (story) => {
    await t.settings({ country: 'DE' }, story.shop.environmentId);
    for (const place of [{ country: 'DE' }, { country: 'US', region: 'TX' }]) await register(story, place);
    const plan = await story.sell('cove', { price: { price: 4_900 } });
    await setCurrency(story.shop, plan.id, 'jpy', 150);
    const { code } = await createPromoCode(story.shop, {
      offerId: (await createOffer(story.shop, [off.percent(5_000)])).id,
    });
    const ada = await story.subscribe('ada', 'cove');
    await story.news();
    // 19% tax on 49.00 is 9.31.
    expect(await ask(ada, { country: 'DE' })).toEqual(amounts('usd', 4_900, 0, 931, 5_831));
    // The promo code reduces 49.00 to 24.50. 19% tax on 24.50 is 4.655, rounded half up to 4.66.
    expect(await ask(ada, { country: 'DE', promoCode: code.toLowerCase() })).toEqual(
      amounts('usd', 4_900, 2_450, 466, 2_916),
    );
    expect(await ask(ada, { country: 'CH' })).toEqual(amounts('usd', 4_900, 0, 0, 4_900));
    // Reverse charge: a business in another EU member state accounts for the tax itself.
    expect(await ask(ada, { country: 'FR', taxDocument: 'FR40303265045' })).toEqual(
      amounts('usd', 4_900, 0, 0, 4_900),
    );
    // 49.00 USD is 7,350 yen at an exchange rate of 150 yen per US dollar.
    expect(await ask(ada, { country: 'JP' })).toEqual(amounts('jpy', 7_350, 0, 0, 7_350));
    // Sales tax in Texas is 6.25% of 49.00, or 3.0625. The tax can't be calculated without the state.
    expect(await ask(ada, { country: 'US', state: 'TX' })).toEqual(amounts('usd', 4_900, 0, 306, 5_206));
    expect(await rejected(ada, { country: 'US' })).toBe('payment_failed');
    expect(await rejected(ada, { country: 'DE', promoCode: 'NONE' })).toBe('promo_code_not_found');
    expect(await story.news()).toEqual({ documents: [], events: [] });
    const billingAddress = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'DE' };
    expect(await story.pay(ada, undefined, { billingAddress, promoCode: code })).toBe('paid');
    expect((await story.news()).documents.at(-1)).toBe(
      'INV-0001 recurring paid 2027-03-01..2027-04-01 2916 = plan_base 4900 + promo_code_discount -2450 + tax 466',
    );
    expect(await rejected(ada, { country: 'DE' })).toBe('invalid_subscription_status');
  }));

it('a checkout quote is 0 if the card is stored but not charged', () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 4_900, trialDays: 10 } });
    expect(await ask(await story.subscribe('ada', 'cove'), { country: 'DE' })).toEqual(
      amounts('usd', 0, 0, 0, 0),
    );
  }));

const order = `currency price lineItems { lineType amount } subtotal discountAmount creditApplied taxAmount tax { name ratePpm treatment } amountDue
  offerName trialDays nextCharge { date amount isFinal currency billingInterval tax { amount } lineItems { lineType amount } }`;
const wholeQuote = `query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { kind billingInterval ${order} } }`;
const whole = async ({ token }: Subscriber, typed: object = {}) =>
  (await t.graphql<{ checkoutQuote: unknown }>(wholeQuote, { input: { token, ...typed } }, { key: null }))
    .checkoutQuote;
const shown = async ({ token }: Subscriber) =>
  (
    await t.graphql<{ checkout: unknown }>(
      `query ($token: String!) { checkout(token: $token) { ${order.replace('subtotal', '').replace('creditApplied', '')} } }`,
      { token },
      { key: null },
    )
  ).checkout;

it('a checkout quote shows the whole order in one currency, regardless of previously entered countries', () =>
  runStory(t, '2027-03-01', async (story) => {
    await t.settings({ country: 'DE' }, story.shop.environmentId);
    await register(story, { country: 'DE' });
    const plan = await story.sell('pro', { price: { price: 2_900 } });
    await setCurrency(story.shop, plan.id, 'eur', 0.9);
    const ada = await story.subscribe('ada', 'pro');
    const inCurrency = (currency: string, price: number, tax: number, rate: object) => ({
      kind: 'payment',
      billingInterval: 'monthly',
      currency,
      price,
      lineItems: [{ lineType: 'plan_base', amount: price }],
      subtotal: price,
      discountAmount: 0,
      creditApplied: 0,
      taxAmount: tax,
      tax: rate,
      amountDue: price + tax,
      offerName: null,
      trialDays: 0,
      nextCharge: {
        date: '2027-04-01T00:00:00.000Z',
        amount: price + tax,
        isFinal: true,
        currency,
        billingInterval: 'monthly',
        tax: { amount: tax },
        lineItems: [{ lineType: 'plan_base', amount: price }],
      },
    });
    const none = { name: null, ratePpm: 0, treatment: 'untaxed' };
    const dollars = inCurrency('usd', 2_900, 0, none);
    // 29.00 USD at an exchange rate of 0.9 is 26.10 EUR. 19% tax on 26.10 is 4.959, rounded half up to 4.96.
    const euros = inCurrency('eur', 2_610, 496, { name: 'VAT', ratePpm: 190_000, treatment: 'taxed' });
    // The next charge's tax depends on the country, which isn't known yet.
    expect(await whole(ada)).toEqual({ ...dollars, nextCharge: null });
    expect(await whole(ada, { country: 'DE' })).toEqual(euros);
    expect(await whole(ada, { country: 'US' })).toEqual(dollars);
    expect(await whole(ada, { country: 'DE' })).toEqual(euros);
    // A quote without input equals the order that the checkout stores.
    const {
      kind: _kind,
      billingInterval: _interval,
      subtotal: _subtotal,
      creditApplied: _credit,
      ...stored
    } = dollars;
    expect(await shown(ada)).toEqual({ ...stored, nextCharge: null });
    await story.news();
    const billingAddress = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'DE' };
    expect(await story.pay(ada, undefined, { billingAddress })).toBe('paid');
    expect((await story.news()).documents.at(-1)).toBe(
      'INV-0001 recurring paid 2027-03-01..2027-04-01 3106 eur = plan_base 2610 + tax 496',
    );
    await story.on('2027-04-02');
    expect((await story.news()).documents).toEqual([
      'INV-0002 recurring paid 2027-04-01..2027-05-01 3106 eur = plan_base 2610 + tax 496',
    ]);
  }));

it('a checkout quote shows the charge after a trial, a discount, and seats, and whether usage can increase the charge', () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('trial', { price: { price: 4_900, trialDays: 10 } });
    const overage = { enabled: true, unitPrice: 25 };
    await story.sell('metered', {
      price: { price: 2_000 },
      features: {
        seats: { type: 'seats', includedAmount: 1, overage: { enabled: true, unitPrice: 50_000 } },
        calls: { includedAmount: 10, overage },
      },
    });
    await story.sell('once', { price: { price: 900, billingInterval: 'one_time' } });
    const { code } = await createPromoCode(story.shop, {
      offerId: (await createOffer(story.shop, [{ ...off.percent(5_000), durationCycles: 1 }])).id,
    });
    const next = async (of: Subscriber, typed: object = {}) => {
      const { kind, amountDue, offerName, trialDays, nextCharge } = (await whole(of, typed)) as Record<
        string,
        unknown
      >;
      const { date, amount, isFinal } = (nextCharge ?? {}) as Record<string, unknown>;
      return {
        kind,
        amountDue,
        offerName,
        trialDays,
        next: nextCharge === null ? null : [date, amount, isFinal],
      };
    };
    const trial = await story.subscribe('ada', 'trial');
    expect(await next(trial)).toEqual({
      kind: 'setup',
      amountDue: 0,
      offerName: 'Free trial of 10 days',
      trialDays: 10,
      next: ['2027-03-11T00:00:00.000Z', 4_900, true],
    });
    // One of three seats is included, and the other two cost 5.00 each. The promo code halves the base price for one billing cycle.
    const metered = await story.subscribe('bo', 'metered', { initialSeats: { seats: 3 } });
    expect(await next(metered, { promoCode: code })).toMatchObject({
      amountDue: 2_000,
      next: ['2027-04-01T00:00:00.000Z', 3_000, false],
    });
    expect(await next(metered)).toMatchObject({
      amountDue: 3_000,
      next: ['2027-04-01T00:00:00.000Z', 3_000, false],
    });
    expect(await next(await story.subscribe('cy', 'once'))).toMatchObject({ amountDue: 900, next: null });
    await story.news();
    await story.pay(trial);
    await story.pay(metered, undefined, { promoCode: code });
    await story.on('2027-04-02');
    expect((await story.news()).documents.map((text) => text.replace(/^INV-\d+ /, ''))).toEqual([
      'recurring paid 2027-03-01..2027-04-01 2000 = plan_base 2000 + promo_code_discount -1000 + feature_seats 1000',
      'recurring paid 2027-03-11..2027-04-11 4900 = plan_base 4900',
      'recurring paid 2027-04-01..2027-05-01 3000 = plan_base 2000 + feature_seats 1000',
    ]);
  }));

it('a checkout quote includes the next charge during an authentication, but omits it if its tax is unknown', () =>
  runStory(t, '2027-03-01', async (story) => {
    await t.settings({ country: 'US' }, story.shop.environmentId);
    await register(story, { country: 'US', region: 'TX' });
    await story.sell('cove', { price: { price: 4_900 } });
    const ada = await story.subscribe('ada', 'cove');
    expect(await story.pay(ada, cards.authenticates, { billingAddress: { country: 'NO' } })).toBe(
      'requires_action',
    );
    expect(await whole(ada)).toMatchObject({ amountDue: 4_900, nextCharge: { amount: 4_900 } });
    expect(await story.authenticate(ada, false)).toBe('charge_failed authentication_failed');
    await story.do('PATCH', '/customers/ada', {
      address: { line1: '1', city: 'Town', postalCode: '1', country: 'US' },
    });
    expect(await rejected(ada, {})).toBe('payment_failed');
    expect(await shown(ada)).toMatchObject({ amountDue: 4_900, nextCharge: null });
    expect(await whole(ada, { country: 'US', state: 'TX' })).toMatchObject({
      taxAmount: 306,
      tax: { name: 'Sales tax', ratePpm: 62_500, treatment: 'taxed' },
      nextCharge: { amount: 5_206 },
    });
  }));

it('a payment link shows the tax that was charged, regardless of later changes to the customer', () =>
  runStory(t, '2027-03-01', async (story) => {
    const { id: customerId } = await createCustomer(story.shop, 'DE');
    const { token } = await createPayment(story.shop, { customerId });
    const link = async (place: object = {}): Promise<unknown> => {
      const query = `query ($token: String!, $country: String) {
        paymentLink(token: $token, country: $country) { amountSubtotal taxAmount amountTotal currency tax { name ratePpm treatment } } }`;
      return (await t.graphql<{ paymentLink: unknown }>(query, { token, ...place }, { key: null }))
        .paymentLink;
    };
    const amounts = { amountSubtotal: 4_200, currency: 'usd' };
    const none = {
      ...amounts,
      taxAmount: 0,
      amountTotal: 4_200,
      tax: { name: null, ratePpm: 0, treatment: 'untaxed' },
    };
    expect(await link()).toEqual(none);
    await register(story, { country: 'DE' });
    // 19% tax on 42.00.
    const taxed = {
      ...amounts,
      taxAmount: 798,
      amountTotal: 4_998,
      tax: { name: 'VAT', ratePpm: 190_000, treatment: 'taxed' },
    };
    expect(await link()).toEqual(taxed);
    expect(await link({ country: 'CH' })).toEqual(none);
    const operation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
    const paid = await story.page<{ paymentLinkPay: { status: string } }>(
      operation,
      payment(token),
      ({ paymentLinkPay: { status } }) => status,
    );
    expect(paid).toBe('paid');
    expect(await link()).toEqual({ ...taxed, tax: null });
  }));
