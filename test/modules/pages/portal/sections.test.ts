import { afterAll, beforeAll, expect, it } from 'vitest';
import { dump } from '../../../support/dump.ts';
import { cards } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { card, visit } from './visit.ts';

// Portal sections other than the plan and invoices: next charge, usage, cards, seats, and balance transactions.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const settings = (story: Story, portal: object): Promise<unknown> =>
  t.settings({ portal }, story.shop.environmentId);

it('the portal shows the next charge with its line items, and usage by day', () =>
  runStory(t, '2027-03-01', async (story) => {
    const calls = { includedAmount: 10, overage: { enabled: true, unitPrice: 1_000 } };
    await story.sell('metered', { price: { price: 2_900 }, features: { calls } });
    await story.active('ada', 'metered');
    await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value: 25 });
    const portal = await visit(story);
    // 15 calls above the included amount cost 0.10 each.
    expect(
      await portal.see(
        'nextCharge { date amount isFinal lineItems { lineType amount formula } } usageSeries(featureCode: "calls", from: "2027-03-01T00:00:00Z", to: "2027-03-03T00:00:00Z", granularity: day) { start value }',
      ),
    ).toEqual({
      nextCharge: {
        date: '2027-04-01T00:00:00.000Z',
        amount: 3_050,
        isFinal: false,
        lineItems: [
          { lineType: 'plan_base', amount: 2_900, formula: 'price' },
          { lineType: 'feature_overage', amount: 150, formula: 'units' },
        ],
      },
      usageSeries: [
        { start: '2027-03-01T00:00:00.000Z', value: 25 },
        { start: '2027-03-02T00:00:00.000Z', value: 0 },
      ],
    });
    // Line items are described in the link's language. The fallbacks are the customer's language, then the organization's language.
    const whyOf = async (field: string): Promise<string[]> => {
      const { nextCharge } = (await portal.see(`nextCharge { lineItems { why: ${field} } }`)) as {
        nextCharge: { lineItems: { why: string }[] };
      };
      return nextCharge.lineItems.map(({ why }) => why);
    };
    expect(await whyOf('why')).toEqual(['Price: $29.00.', '15 × $0.10.']);
    const spanish = ['Precio: 29,00 US$.', '15 × 0,10 US$.'].map((text) => text.replace(/ US/g, '\u00a0US'));
    expect(await whyOf('why(link: "es-MX")')).toEqual(spanish);
    await story.do('PATCH', '/customers/ada', { metadata: { language: 'es' } });
    expect(await whyOf('why')).toEqual(spanish);
    const none =
      'usageSeries(featureCode: "none", from: "2027-03-01T00:00:00Z", to: "2027-03-03T00:00:00Z", granularity: day) { value }';
    expect(await portal.see(none)).toEqual({ usageSeries: [] });
  }));

it("the portal lists the customer's cards, and charges the selected card at the next renewal", () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 3_400 } });
    await story.active('ada', 'cove');
    const portal = await visit(story);
    await portal.do('portalPaymentMethodStore', { card: card('4000000000000341') });
    type Card = { paymentMethodId: string; last4: string; isDefault: boolean };
    const list = async (): Promise<Card[]> =>
      (await portal.portal('paymentMethods { paymentMethodId last4 isDefault }'))['paymentMethods'] as Card[];
    const stored = await list();
    expect(stored.map(({ last4, isDefault }) => [last4, isDefault])).toEqual([
      ['0341', true],
      ['4242', false],
    ]);
    await story.news();
    const paymentMethodId = stored[1]?.paymentMethodId;
    const chosen = await portal.do(
      'portalPaymentMethodDefaultSet',
      { paymentMethodId },
      'paymentMethod { last4 }',
    );
    expect(chosen).toEqual({ paymentMethod: { last4: '4242' } });
    expect((await story.news()).events).toEqual(['payment_method.updated']);
    await portal.do('portalPaymentMethodDefaultSet', { paymentMethodId });
    expect(await story.news()).toEqual({ documents: [], events: [] });
    expect((await list()).map(({ isDefault }) => isDefault)).toEqual([false, true]);
    // The next renewal charges the most recently selected card.
    await story.on('2027-04-01');
    expect((await story.news()).documents).toEqual([expect.stringContaining('recurring paid')]);
  }));

it("the portal rejects another customer's card, and rejects any card if card changes are turned off", () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 3_400 } });
    await story.active('bob', 'cove');
    const other = await (await visit(story, 'bob')).portal('paymentMethods { paymentMethodId }');
    const [{ paymentMethodId }] = other['paymentMethods'] as [{ paymentMethodId: string }];
    await story.active('ada', 'cove');
    const portal = await visit(story);
    expect(await portal.rejected('portalPaymentMethodDefaultSet', { paymentMethodId })).toBe(
      'payment_method_not_found',
    );
    await settings(story, { updatePaymentMethod: false });
    expect(await portal.rejected('portalPaymentMethodDefaultSet', { paymentMethodId })).toBe('forbidden');
  }));

const cardsLeft = 'paymentMethods { last4 }';

it("the portal removes an unused card once, and rejects the removal of an active subscription's card", () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 3_400 } });
    await story.active('ada', 'cove');
    const portal = await visit(story);
    await portal.do('portalPaymentMethodStore', { card: card('4000000000000341') });
    type Card = { paymentMethodId: string; last4: string };
    const list = async (): Promise<Card[]> =>
      (await portal.portal('paymentMethods { paymentMethodId last4 }'))['paymentMethods'] as Card[];
    const [present, spare] = await list();
    const before = await dump(t.app.database.query);
    const isCharged = { paymentMethodId: present?.paymentMethodId };
    expect(await portal.rejected('portalPaymentMethodRemove', isCharged, cardsLeft)).toBe(
      'payment_method_in_use',
    );
    expect(await dump(t.app.database.query)).toEqual(before);

    await story.news();
    const { paymentMethodId } = spare as Card;
    // One of two concurrent requests removes the card, and the other can't find it.
    const both = await Promise.allSettled(
      [0, 1].map(() => portal.do('portalPaymentMethodRemove', { paymentMethodId }, cardsLeft)),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'fulfilled')).toMatchObject({
      value: { paymentMethods: [{ last4: '0341' }] },
    });
    expect((await story.news()).events).toEqual(['payment_method.detached']);
    expect((await list()).map(({ last4 }) => last4)).toEqual(['0341']);
    const gone = 'payment_method_not_found';
    expect(await portal.rejected('portalPaymentMethodRemove', { paymentMethodId }, cardsLeft)).toBe(gone);
    expect(await portal.rejected('portalPaymentMethodDefaultSet', { paymentMethodId })).toBe(gone);
  }));

it("the portal removes a canceled subscription's card, which can't be charged again", () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('cove', { price: { price: 3_400 } });
    await story.active('ada', 'cove');
    const portal = await visit(story);
    const stored = await portal.portal('paymentMethods { paymentMethodId }');
    const [{ paymentMethodId }] = stored['paymentMethods'] as [{ paymentMethodId: string }];
    await portal.do('portalSubscriptionCancel', {});
    expect(await portal.rejected('portalPaymentMethodRemove', { paymentMethodId }, cardsLeft)).toBe(
      'payment_method_in_use',
    );
    await story.on('2027-04-01');
    const later = await visit(story);
    await later.do('portalPaymentMethodRemove', { paymentMethodId }, cardsLeft);
    expect(await later.see('status paymentMethod { last4 }')).toEqual({
      status: 'canceled',
      paymentMethod: null,
    });
    expect(await later.declined('portalSubscriptionReactivate')).toBe('no_payment_method');
  }));

it('the portal changes seats as previewed if the organization allows seat changes', () =>
  runStory(t, '2027-03-01', async (story) => {
    const editors = { type: 'seats', includedAmount: 2, overage: { enabled: true, unitPrice: 50_000 } };
    await story.sell('team', { price: { price: 3_400 }, features: { editors } });
    await story.active('ada', 'team', cards.pays, { initialSeats: { editors: 2 } });
    const portal = await visit(story);
    const wanted = { featureCode: 'editors', count: 4 };
    expect(await portal.rejected('portalSeatsSet', wanted)).toBe('forbidden');
    await settings(story, { seats: true });
    const { nextCharge } = (await portal.preview({ seatsSet: wanted }, 'nextCharge { amount }')) as {
      nextCharge: { amount: number };
    };
    await portal.do('portalSeatsSet', wanted);
    const { current } = await story.do<{ current: number }>(
      'GET',
      '/seats/balance?customerId=ada&featureCode=editors',
    );
    expect(current).toBe(4);
    expect(await portal.see('nextCharge { amount }')).toEqual({ nextCharge });
    expect(await portal.rejected('portalSeatsSet', { featureCode: 'none', count: 1 })).toBe(
      'feature_not_found',
    );
  }));

it("the portal lists the credit balance's transactions", () =>
  runStory(t, '2027-03-01', async (story) => {
    await story.sell('credits', {
      plan: { consumptionModel: 'credits' },
      price: { price: 2_900, includedCredits: 100 },
      features: { calls: { creditsPerUnit: 2 } },
    });
    await story.active('ada', 'credits');
    await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value: 5 });
    const portal = await visit(story);
    const entries = 'nodes { type amount resulting cause featureName }';
    expect(await portal.see(`creditLedger(first: 5) { ${entries} } balanceLedger { ${entries} }`)).toEqual({
      creditLedger: {
        nodes: [
          {
            type: 'consumption',
            amount: -10,
            resulting: 90,
            cause: 'usage_event',
            featureName: 'calls',
          },
          {
            type: 'grant',
            amount: 100,
            resulting: 100,
            cause: 'window',
            featureName: null,
          },
        ],
      },
      balanceLedger: { nodes: [] },
    });
  }));

it('the portal shows running commitments with their remaining amounts and ends, the next to end first', () =>
  runStory(t, '2027-03-01', async (story) => {
    const calls = { includedAmount: 0, overage: { enabled: true, unitPrice: 20_000 } };
    await story.sell('metered', { price: { price: 4_900 }, features: { calls } });
    const { id } = await story.active('ada', 'metered');
    const buy = (body: Readonly<Record<string, unknown>>) =>
      story.do('POST', `/subscriptions/${id}/commitments`, body);
    const ended = { price: 500, grant: 50_000, validMonths: 1, description: 'Pilot' };
    await buy(ended);
    await buy({ price: 12_000, grant: 1_300_000, validMonths: 12, autoRenew: true });
    await buy({ price: 9_000, grant: 900_000, validMonths: 3, description: 'Campaign' });
    const portal = await visit(story);
    const shown = 'commitments { description asset unit { name } grant remaining autoRenew expiresAt }';
    const money = { asset: 'usd', unit: null };
    const annual = {
      ...money,
      description: 'Prepaid commitment',
      grant: 1_300_000,
      autoRenew: true,
      expiresAt: '2028-03-01T00:00:00.000Z',
    };
    const campaign = {
      ...money,
      description: 'Campaign',
      grant: 900_000,
      autoRenew: false,
      expiresAt: '2027-06-01T00:00:00.000Z',
    };
    expect(await portal.see(shown)).toEqual({
      commitments: [
        {
          ...money,
          description: 'Pilot',
          grant: 50_000,
          remaining: 50_000,
          autoRenew: false,
          expiresAt: '2027-04-01T00:00:00.000Z',
        },
        { ...campaign, remaining: 900_000 },
        { ...annual, remaining: 1_300_000 },
      ],
    });
    await story.do('POST', '/usage/events', { customerId: 'ada', featureCode: 'calls', value: 10 });
    await story.on('2027-04-01');
    expect(await portal.see(shown)).toEqual({
      commitments: [
        { ...campaign, remaining: 750_000 },
        { ...annual, remaining: 1_300_000 },
      ],
    });
    await story.do('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(await portal.see(shown)).toEqual({ commitments: [] });
  }));
