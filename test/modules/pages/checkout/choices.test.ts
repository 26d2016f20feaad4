import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cards,
  createOffer,
  createPrice,
  createPromoCode,
  off,
  payment,
  setCurrency,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveClient } from '../../../support/live.ts';
import { rejection } from '../../../support/refusals.ts';
import { runStory, type Story, type Subscriber } from '../../../support/story.ts';

// Choices that a payer makes in an open checkout, and details that the organization requests at checkout.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const update = (fields: string) =>
  `mutation ($input: CheckoutUpdateInput!) { checkoutUpdate(input: $input) { ${fields} } }`;

async function changed({ token }: Subscriber, input: object, fields: string): Promise<unknown> {
  const data = await t.graphql<{ checkoutUpdate: unknown }>(
    update(fields),
    { input: { token, ...input } },
    { key: null },
  );
  return data.checkoutUpdate;
}

const rejected = async ({ token }: Subscriber, input: object): Promise<string> =>
  (await rejection(t, update('status'), { input: { token, ...input } }, { key: null })).code;

async function look({ token }: Subscriber, fields: string): Promise<unknown> {
  const query = `query ($token: String!) { checkout(token: $token) { ${fields} } }`;
  return (await t.graphql<{ checkout: unknown }>(query, { token }, { key: null })).checkout;
}

/** Creates a plan for 34.00 a month or 340.00 a year. The plan includes 3 seats; each additional seat costs 5.00. */
async function sellTeam(story: Story): Promise<string> {
  const editors = {
    type: 'seats',
    includedAmount: 3,
    overage: { enabled: true, unitPrice: 50_000 },
  };
  const { id } = await story.sell('team', { price: { price: 3_400 }, features: { editors } });
  await createPrice(story.shop, id, { billingInterval: 'yearly', price: 34_000 });
  return id;
}

const amounts = 'billingInterval amountDue lineItems { lineType amount }';

describe('an open checkout', () => {
  it('lists features, intervals with their savings, and seats', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const ada = await story.subscribe('ada', 'team', { initialSeats: { editors: 4 } });
      expect(
        await look(
          ada,
          'features { code } intervals { billingInterval price saving } seats { featureCode count included maximum unitPrice } methods mandate addressMode settings { promoCodes phone consent }',
        ),
      ).toEqual({
        features: [{ code: 'editors' }],
        intervals: [
          { billingInterval: 'monthly', price: 3_400, saving: 0 },
          // Twelve monthly payments cost 408.00, so the yearly price of 340.00 saves 68.00.
          { billingInterval: 'yearly', price: 34_000, saving: 6_800 },
        ],
        seats: [{ featureCode: 'editors', count: 4, included: 3, maximum: 1_000_000, unitPrice: 50_000 }],
        methods: ['card'],
        mandate: 'recurring_with_usage',
        addressMode: 'optional',
        settings: { promoCodes: true, phone: 'hidden', consent: false },
      });
    }));

  it('applies the selected interval and seats at the same URL (SUB-14a)', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const ada = await story.subscribe('ada', 'team');
      await story.news();
      expect(await changed(ada, { billingInterval: 'yearly' }, `${amounts} nextCharge { date }`)).toEqual({
        billingInterval: 'yearly',
        amountDue: 34_000,
        lineItems: [{ lineType: 'plan_base', amount: 34_000 }],
        nextCharge: { date: '2028-03-01T00:00:00.000Z' },
      });
      expect((await story.news()).events).toEqual(['invoice.updated']);
      expect(
        await changed(ada, { billingInterval: 'monthly', seats: { editors: 5 } }, 'seats { count }'),
      ).toEqual({
        seats: [{ count: 5 }],
      });
      await story.news();
      expect(await story.pay(ada)).toBe('paid');
      const { subscriptions } = await story.ask<{ subscriptions: { nodes: unknown[] } }>(
        '{ subscriptions(first: 5) { nodes { status billingInterval plan { basePrice } } } }',
      );
      expect(subscriptions.nodes).toMatchObject([{ status: 'active', billingInterval: 'monthly' }]);
    }));

  it('emits no events if the same choice is submitted again', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const ada = await story.subscribe('ada', 'team', { initialSeats: { editors: 4 } });
      await story.news();
      await changed(ada, { billingInterval: 'monthly', seats: { editors: 4 } }, 'status');
      expect(await changed(ada, { locale: 'es' }, 'locale')).toEqual({ locale: 'es' });
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));

  it('keeps a promo code that is valid for the selected interval, and otherwise rejects the selection', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const offer = await createOffer(story.shop, [off.percent(5_000)]);
      const { code } = await createPromoCode(story.shop, { offerId: offer.id });
      const ada = await story.subscribe('ada', 'team', { promoCode: code });
      expect(await changed(ada, { billingInterval: 'yearly' }, 'amountDue discountAmount')).toEqual({
        amountDue: 17_000,
        discountAmount: 17_000,
      });
      const monthly = await createPromoCode(story.shop, { offerId: offer.id, billingInterval: 'monthly' });
      const bob = await story.subscribe('bob', 'team', { promoCode: monthly.code });
      await story.news();
      expect(await rejected(bob, { billingInterval: 'yearly' })).toBe('offer_not_applicable');
      expect(await look(bob, 'billingInterval amountDue')).toEqual({
        billingInterval: 'monthly',
        amountDue: 1_700,
      });
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));

  it("uses the selected interval's trial, or charges immediately if the interval has no trial", () =>
    runStory(t, '2027-03-01', async (story) => {
      const { id } = await story.sell('cove', { price: { price: 3_400 } });
      await createPrice(story.shop, id, { billingInterval: 'yearly', price: 34_000, trialDays: 14 });
      const ada = await story.subscribe('ada', 'cove');
      await story.news();
      expect(await changed(ada, { billingInterval: 'yearly' }, 'kind trialDays amountDue')).toEqual({
        kind: 'setup',
        trialDays: 14,
        amountDue: 0,
      });
      expect(await story.news()).toEqual({
        // The invoice keeps its number if the payer later makes a different choice (BIL-30).
        documents: ['INV-0001 recurring draft 2027-03-01 0 = '],
        events: ['invoice.updated'],
      });
      expect(await changed(ada, { billingInterval: 'monthly' }, 'kind trialDays amountDue')).toEqual({
        kind: 'payment',
        trialDays: 0,
        amountDue: 3_400,
      });
      expect(await story.pay(ada)).toBe('paid');
      expect((await story.news()).documents).toEqual([
        'INV-0001 recurring paid 2027-03-01..2027-04-01 3400 = plan_base 3400',
      ]);
    }));

  it('hides intervals without an amount in the currency, and rejects unavailable choices', () =>
    runStory(t, '2027-03-01', async (story) => {
      const id = await sellTeam(story);
      await setCurrency(story.shop, id, 'eur', 0.9);
      const named = await story.ask<{ plan: { prices: { id: string; billingInterval: string }[] } }>(
        'query ($id: ID!) { plan(id: $id) { prices { id billingInterval } } }',
        { id },
      );
      const monthly = named.plan.prices.find(({ billingInterval }) => billingInterval === 'monthly');
      const ada = await story.subscribe('ada', 'team', { priceId: monthly?.id });
      await story.news();
      expect(await look(ada, 'intervals { billingInterval }')).toEqual({
        intervals: [{ billingInterval: 'monthly' }],
      });
      expect(await rejected(ada, { billingInterval: 'yearly' })).toBe('price_not_found');
      expect(await rejected(ada, { billingInterval: 'weekly' })).toBe('price_not_found');
      expect(await rejected(ada, { seats: { none: 1 } })).toBe('feature_not_found');
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));

  it('rejects changes while an authentication is pending, and after completion', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const ada = await story.subscribe('ada', 'team');
      expect(await story.pay(ada, cards.authenticates)).toBe('requires_action');
      expect(await rejected(ada, { billingInterval: 'yearly' })).toBe('charge_in_progress');
      await story.authenticate(ada, true);
      await story.news();
      expect(await rejected(ada, { billingInterval: 'yearly' })).toBe('invalid_subscription_status');
      expect(await look(ada, 'intervals { price } seats { count }')).toEqual({ intervals: [], seats: [] });
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));

  it('streams live updates until the checkout is completed', () =>
    runStory(t, '2027-03-01', async (story) => {
      await sellTeam(story);
      const ada = await story.subscribe('ada', 'team');
      const client = liveClient(t.url, { token: ada.token });
      const seen: unknown[] = [];
      const query = 'subscription ($token: String!) { checkoutChanged(token: $token) { status amountDue } }';
      const stream = client.iterate({ query, variables: { token: ada.token } });
      seen.push((await stream.next()).value?.data);
      await changed(ada, { billingInterval: 'yearly' }, 'status');
      seen.push((await stream.next()).value?.data);
      await story.pay(ada);
      for (;;) {
        const { value, done } = await stream.next();
        if (done === true) break;
        seen.push(value?.data);
      }
      await client.dispose();
      expect(seen.slice(0, 2)).toEqual([
        { checkoutChanged: { status: 'open', amountDue: 3_400 } },
        { checkoutChanged: { status: 'open', amountDue: 34_000 } },
      ]);
      expect(seen.at(-1)).toEqual({ checkoutChanged: { status: 'paid', amountDue: 0 } });
    }));
});

describe('a checkout that requests billing details', () => {
  const pay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  const problems = async ({ token }: Subscriber, extra: object): Promise<unknown> => {
    const { code, details } = await rejection(
      t,
      pay,
      { input: { ...payment(token), ...extra } },
      { key: null },
    );
    return [code, (details as { field: string }[] | undefined)?.map?.(({ field }) => field)];
  };

  it('requires a complete address, a phone number, and consent before a charge', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 3_400 } });
      await t.settings(
        { checkout: { addressMode: 'always', phone: 'required', consent: true } },
        story.shop.environmentId,
      );
      const ada = await story.subscribe('ada', 'cove');
      await story.news();
      expect(await look(ada, 'addressMode')).toEqual({ addressMode: 'required' });
      expect(await problems(ada, {})).toEqual([
        'validation_error',
        ['billingAddress', 'billingAddress.phone', 'consent'],
      ]);
      expect(await problems(ada, { billingAddress: { country: 'US' }, consent: false })).toEqual([
        'validation_error',
        ['billingAddress.line1', 'billingAddress.city', 'billingAddress.phone', 'consent'],
      ]);
      expect(await story.news()).toEqual({ documents: [], events: [] });
      const billingAddress = { country: 'US', line1: '1 Main St', city: 'Austin', phone: '+1 512 555 0100' };
      expect(await story.pay(ada, cards.pays, { billingAddress, consent: true })).toBe('paid');
      const { subscriptions } = await story.ask<{ subscriptions: { nodes: unknown[] } }>(
        '{ subscriptions(first: 1) { nodes { termsAcceptedAt customer { address { city phone } } } } }',
      );
      expect(subscriptions.nodes).toEqual([
        {
          termsAcceptedAt: '2027-03-01T00:00:00.000Z',
          customer: { address: { city: 'Austin', phone: '+1 512 555 0100' } },
        },
      ]);
    }));

  it('adds a phone number to the stored address without changing other fields', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 3_400 } });
      await t.settings({ checkout: { phone: 'required' } }, story.shop.environmentId);
      const ada = await story.subscribe('ada', 'cove');
      const phone = '+1 512 555 0100';
      const customerId = (
        await story.ask<{ customers: { nodes: { id: string }[] } }>(
          '{ customers(first: 1) { nodes { id } } }',
        )
      ).customers.nodes[0]?.id;
      expect(await problems(ada, {})).toEqual(['validation_error', ['billingAddress.phone']]);
      expect(await problems(ada, { phone })).toEqual(['validation_error', ['billingAddress.country']]);
      await story.ask('mutation ($input: CustomerUpdateInput!) { customerUpdate(input: $input) { id } }', {
        input: {
          id: customerId,
          address: { country: 'US', line1: '1 Main St', city: 'Austin', state: 'TX', postalCode: '73301' },
        },
      });
      expect(await look(ada, 'invoiceUrl')).toEqual({ invoiceUrl: null });
      expect(await story.pay(ada, cards.pays, { phone })).toBe('paid');
      expect(await look(ada, 'invoiceUrl')).toEqual({
        invoiceUrl: expect.stringMatching(/\/invoice\/[\w.-]+$/),
      });
      await story.on('2027-03-02T00:00:01Z');
      expect(await look(ada, 'invoiceUrl')).toEqual({ invoiceUrl: null });
      const { customer } = await story.ask<{ customer: unknown }>(
        'query ($id: ID!) { customer(id: $id) { address { line1 city state postalCode country phone } } }',
        { id: customerId },
      );
      expect(customer).toEqual({
        address: {
          line1: '1 Main St',
          city: 'Austin',
          state: 'TX',
          postalCode: '73301',
          country: 'US',
          phone,
        },
      });
    }));

  it('rejects promo codes if the organization turned them off', () =>
    runStory(t, '2027-03-01', async (story) => {
      await story.sell('cove', { price: { price: 3_400 } });
      const { code } = await createPromoCode(story.shop, {
        offerId: (await createOffer(story.shop, [off.percent(5_000)])).id,
      });
      await t.settings({ checkout: { promoCodes: false } }, story.shop.environmentId);
      const ada = await story.subscribe('ada', 'cove');
      await story.news();
      expect(await problems(ada, { promoCode: code })).toEqual(['forbidden', undefined]);
      const quote = 'query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { amountDue } }';
      const input = { token: ada.token, promoCode: code };
      expect((await rejection(t, quote, { input }, { key: null })).code).toBe('forbidden');
      expect(await story.news()).toEqual({ documents: [], events: [] });
    }));
});
