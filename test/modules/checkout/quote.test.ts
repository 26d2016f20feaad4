import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOffer, createPromoCode, off, setCurrency } from '../../support/factories.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { refusal } from '../../support/refusals.ts';
import { type Story, type Subscriber, tell } from '../../support/story.ts';

// What the checkout page shows before anything is paid: the invoice as it would be charged (BIL-20).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const quote =
  'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { currency currencyDecimals subtotal discountAmount taxAmount amountDue publishableKey } }';
const register = (story: Story, input: object) =>
  story.ask('mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }', { input });
const ask = async ({ token }: Subscriber, typed: object): Promise<unknown> =>
  (await t.graphql<{ checkoutQuote: unknown }>(quote, { input: { token, ...typed } }, { key: null })).checkoutQuote;
const refused = async ({ token }: Subscriber, typed: object): Promise<string> =>
  (await refusal(t, quote, { input: { token, ...typed } }, { key: null })).code;
const amounts = (currency: string, subtotal: number, discountAmount: number, taxAmount: number, amountDue: number) => ({
  currency,
  currencyDecimals: currency === 'jpy' ? 0 : 2,
  subtotal,
  discountAmount,
  taxAmount,
  amountDue,
  publishableKey: null,
});

it('is what is charged then, by country, state, tax number and promo code, and writes nothing', () =>
  tell(t, '2027-03-01', async (story) => {
    await story.ask('mutation { organizationUpdate(input: { country: "DE" }) { id } }');
    for (const place of [{ country: 'DE' }, { country: 'US', region: 'TX' }]) await register(story, place);
    const plan = await story.sell('cove', { price: { price: 4_900 } });
    await setCurrency(story.shop, plan.id, 'jpy', 150);
    const { code } = await createPromoCode(story.shop, { offerId: (await createOffer(story.shop, [off.percent(5_000)])).id });
    const ada = await story.subscribe('ada', 'cove');
    await story.news();
    // 49.00 and 19 %: 9.31.
    expect(await ask(ada, { country: 'DE' })).toEqual(amounts('usd', 4_900, 0, 931, 5_831));
    // Half of 49.00, and 19 % of 24.50: 4.655, half up 4.66.
    expect(await ask(ada, { country: 'DE', promoCode: code.toLowerCase() })).toEqual(amounts('usd', 4_900, 2_450, 466, 2_916));
    expect(await ask(ada, { country: 'CH' })).toEqual(amounts('usd', 4_900, 0, 0, 4_900));
    // A business of another member state owes the tax itself.
    expect(await ask(ada, { country: 'FR', taxDocument: 'FR40303265045' })).toEqual(amounts('usd', 4_900, 0, 0, 4_900));
    // 49.00 at 150.
    expect(await ask(ada, { country: 'JP' })).toEqual(amounts('jpy', 7_350, 0, 0, 7_350));
    // Texas asks for 6.25 %: 3.0625; which state it is must be known.
    expect(await ask(ada, { country: 'US', state: 'TX' })).toEqual(amounts('usd', 4_900, 0, 306, 5_206));
    expect(await refused(ada, { country: 'US' })).toBe('payment_failed');
    expect(await refused(ada, { country: 'DE', promoCode: 'NONE' })).toBe('promo_code_not_found');
    expect(await story.news()).toEqual({ documents: [], events: [] });
    const billingAddress = { line1: '1 Main St', city: 'Town', postalCode: '12345', country: 'DE' };
    expect(await story.pay(ada, undefined, { billingAddress, promoCode: code })).toBe('paid');
    expect((await story.news()).documents.at(-1)).toBe(
      'INV-0002 recurring paid 2027-03-01..2027-04-01 2916 = plan_base 4900 + promo_code_discount -2450 + tax 466',
    );
    expect(await refused(ada, { country: 'DE' })).toBe('invalid_subscription_status');
  }));

it('is nothing where a card is only stored', () =>
  tell(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 4_900, trialDays: 10 } });
    expect(await ask(await story.subscribe('ada', 'cove'), { country: 'DE' })).toEqual(amounts('usd', 0, 0, 0, 0));
  }));
