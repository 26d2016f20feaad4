import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPlanGroup, latestTransaction } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory } from '../support/story.ts';

// Refunds and their effects (PAY-26 to PAY-30).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

it("refunding a plan change ends the subscription immediately, but refunding a credit pack doesn't (PAY-E6)", () =>
  runStory(t, '2027-03-09T10:00:00Z', async (story) => {
    const { id: planGroupId } = await createPlanGroup(story.shop);
    await story.sell('cove', { plan: { planGroupId }, price: { price: 3_400 } });
    const ridge = await story.sell('ridge', { plan: { planGroupId }, price: { price: 11_800 } });
    await story.sell('quill', {
      plan: { consumptionModel: 'credits' },
      price: { price: 2_900, includedCredits: 100 },
      features: { exports: { creditsPerUnit: 3 } },
    });
    const ada = await story.active('ada', 'cove');
    await story.on('2027-03-27T16:20:00Z');
    // 118.00 minus 14.26, which is the value of 13 of 31 days at 34.00.
    await story.do('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: ridge.id });
    const bo = await story.active('bo', 'quill');
    const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
      name: 'Busy week',
      credits: 50,
      price: 900,
    });
    await story.do('POST', `/subscriptions/${bo.id}/credits`, { creditPackId: pack.id });
    await story.on('2027-04-02T09:00:00Z');
    await story.news();

    const changed = await latestTransaction(story.shop, ada.id);
    expect(await story.do('POST', `/transactions/${changed}/refund`)).toMatchObject({
      amount: 10_374,
      status: 'succeeded',
    });
    expect(await story.do('GET', `/subscriptions/${ada.id}`)).toMatchObject({
      status: 'canceled',
      endDate: '2027-04-02T09:00:00.000Z',
    });
    expect(await story.do('GET', `/transactions/${changed}`)).toMatchObject({
      status: 'refunded',
      grossAmount: 10_374,
    });
    expect(await story.news()).toEqual({
      documents: [],
      events: [
        'payment.refunded',
        'credit_note.created',
        'subscription.canceled',
        'state subscription_canceled',
      ],
    });
    const { events } = await story.ask<{ events: { edges: { node: { event: string; data: object } }[] } }>(
      '{ events(first: 4) { edges { node { event data } } } }',
    );
    const data = new Map(events.edges.map(({ node }) => [node.event, node.data]));
    expect(data.get('payment_refunded')).toMatchObject({
      paymentTransactionId: changed,
      refundAmount: 10_374,
      currency: 'usd',
    });
    expect(data.get('subscription_canceled')).toMatchObject({ customerId: 'ada', cancelReason: 'refund' });

    const bought = await latestTransaction(story.shop, bo.id);
    expect(await story.do('POST', `/transactions/${bought}/refund`)).toMatchObject({
      amount: 900,
      status: 'succeeded',
    });
    expect(await story.news()).toEqual({
      documents: [],
      events: ['payment.refunded', 'credit_note.created'],
    });
    expect(await story.do('GET', `/subscriptions/${bo.id}`)).toMatchObject({
      status: 'active',
      endDate: null,
      credits: { included: 100, purchased: 50, remaining: 150 },
    });
  }));
