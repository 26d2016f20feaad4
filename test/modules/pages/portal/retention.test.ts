import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createOffer, nameRetentionOffer, off } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { type Visit, visit } from './visit.ts';

// The retention offer's preview for a customer who is about to cancel matches the later charges to the cent.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Shown = {
  key: string;
  name: string;
  currency: string;
  saving: number;
  endsAt: string | null;
  revokesCancellation: boolean;
  phases: { startsAt: string; endsAt: string | null }[];
  charges: { amountWithout: number; charge: { date: string; amount: number } }[];
};
const shown = `key name currency saving endsAt revokesCancellation
  phases { type percentage amount price durationCycles startsAt endsAt }
  charges { amountWithout charge { date amount } }`;

const made = async (portal: Visit): Promise<Shown | null> =>
  (await portal.see(`retentionOffer { ${shown} }`))?.['retentionOffer'] as Shown | null;
const must = async (portal: Visit): Promise<Shown> => {
  const offer = await made(portal);
  if (offer === null) throw new Error('No offer is made.');
  return offer;
};
const charges = ({ charges: list }: Shown): string[] =>
  list.map(({ charge, amountWithout }) => `${charge.date.slice(0, 10)} ${charge.amount} of ${amountWithout}`);
const at = (day: string): string => `${day}T00:00:00.000Z`;
const accepted = 'portalRetentionOfferAccept';

/** Creates a plan for 48.00 a month with one subscriber, and a retention offer with the given phases. */
async function leaving(
  story: Story,
  phases: readonly Readonly<Record<string, unknown>>[] = [off.percent(2_500, 3)],
  offer: Readonly<Record<string, unknown>> = {},
) {
  await story.sell('monthly', { price: { price: 4_800 } });
  const subscriber = await story.active('ada', 'monthly');
  const { id: offerId } = await createOffer(story.shop, phases, { name: 'A quarter off', ...offer });
  await nameRetentionOffer(story.shop, offerId);
  const portal = await visit(story);
  await story.news();
  return { portal, offerId, subscriber };
}
const totals = async (story: Story): Promise<string[]> =>
  (await story.news()).documents.map((text) => text.replace(/^INV-\d+ recurring /, ''));

describe('a retention offer', () => {
  it('previews the next charges, which equal the later invoices (OFR-43)', () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal, subscriber } = await leaving(story);
      await story.on('2027-05-20');
      const offer = await must(portal);
      expect(offer).toMatchObject({
        name: 'A quarter off',
        currency: 'usd',
        saving: 3_600,
        endsAt: at('2027-09-06'),
        revokesCancellation: false,
        phases: [
          {
            type: 'percentage',
            percentage: 2_500,
            amount: null,
            price: null,
            durationCycles: 3,
            startsAt: at('2027-06-06'),
            endsAt: at('2027-09-06'),
          },
        ],
      });
      expect(charges(offer)).toEqual([
        '2027-06-06 3600 of 4800',
        '2027-07-06 3600 of 4800',
        '2027-08-06 3600 of 4800',
      ]);
      await story.news();
      const input = { key: offer.key, reason: 'Too expensive' };
      expect(await portal.do(accepted, input, 'status nextCharge { date amount }')).toEqual({
        status: 'active',
        nextCharge: { date: at('2027-06-06'), amount: 3_600 },
      });
      expect(await story.news()).toEqual({ documents: [], events: ['subscription.retained'] });
      const { offerApplications } = await story.do<{ offerApplications: object[] }>(
        'GET',
        `/subscriptions/${subscriber.id}`,
      );
      expect(offerApplications).toMatchObject([
        { name: 'A quarter off', source: 'retention', status: 'applied', subtotal: 4_800, total: 3_600 },
      ]);
      await story.on('2027-09-06');
      expect(await totals(story)).toEqual([
        'paid 2027-06-06..2027-07-06 3600 = plan_base 4800 + discount -1200',
        'paid 2027-07-06..2027-08-06 3600 = plan_base 4800 + discount -1200',
        'paid 2027-08-06..2027-09-06 3600 = plan_base 4800 + discount -1200',
        'paid 2027-09-06..2027-10-06 4800 = plan_base 4800',
      ]);
      // An offer is available only once.
      expect(await made(portal)).toBeNull();
    }));

  it("undoes the customer's cancellation and records the cancellation reason (OFR-44)", () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal, subscriber } = await leaving(story, [off.amount(800, null)]);
      await portal.do('portalSubscriptionCancel', { reason: 'Too expensive' });
      expect(await story.state(subscriber)).toBe('active 2027-06-06');
      await story.news();
      const offer = await must(portal);
      expect(offer).toMatchObject({ revokesCancellation: true, endsAt: null, saving: 12 * 800 });
      expect(offer.charges).toHaveLength(12);
      await portal.do(accepted, { key: offer.key });
      expect(await story.news()).toEqual({
        documents: [],
        events: [
          'subscription.retained',
          'subscription.cancellation_revoked',
          'subscription.updated',
          'state cancellation_revoked',
        ],
      });
      const { events } = await story.ask<{ events: { edges: { node: object }[] } }>(
        '{ events(first: 1, types: [subscription_retained]) { edges { node { summary source data } } } }',
      );
      expect(events.edges[0]?.node).toMatchObject({
        summary:
          'The customer accepted the retention offer A quarter off instead of canceling (cancellation reason: Too expensive).',
        source: 'portal',
        data: { cancelReason: 'Too expensive', cancellationRevoked: true, offerName: 'A quarter off' },
      });
      await story.on('2027-07-06');
      expect(await totals(story)).toEqual([
        'paid 2027-06-06..2027-07-06 4000 = plan_base 4800 + discount -800',
        'paid 2027-07-06..2027-08-06 4000 = plan_base 4800 + discount -800',
      ]);
      // A later cancellation takes effect at the end of the period, without a second offer.
      await portal.do('portalSubscriptionCancel');
      expect(await made(portal)).toBeNull();
      await story.on('2027-08-07');
      expect(await story.state(subscriber)).toBe('canceled 2027-08-06');
    }));

  it("discounts only the plan's base price, not seats", () =>
    runStory(t, '2027-05-06', async (story) => {
      const seats = { type: 'seats', includedAmount: 1, overage: { enabled: true, unitPrice: 100_000 } };
      await story.sell('team', { price: { price: 10_000 }, features: { seats } });
      await story.active('ada', 'team', cards.pays, { initialSeats: { seats: 3 } });
      const { id } = await createOffer(story.shop, [off.percent(5_000, 2)]);
      await nameRetentionOffer(story.shop, id);
      const portal = await visit(story);
      const offer = await must(portal);
      // Half of the base price of 100.00, plus two additional seats for 10.00 each.
      expect(charges(offer)).toEqual(['2027-06-06 7000 of 12000', '2027-07-06 7000 of 12000']);
      expect(offer.saving).toBe(10_000);
    }));

  it("is applied once, even if it's accepted repeatedly or in two tabs at the same time", () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal } = await leaving(story);
      await portal.do('portalSubscriptionCancel');
      await story.news();
      const { key } = await must(portal);
      const answers = await Promise.all([portal.do(accepted, { key }), portal.do(accepted, { key })]);
      expect(answers).toEqual([{ status: 'active' }, { status: 'active' }]);
      expect(await portal.do(accepted, { key })).toEqual({ status: 'active' });
      const { events } = await story.news();
      expect(events.filter((event) => event === 'subscription.retained')).toHaveLength(1);
      expect(events.filter((event) => event === 'subscription.cancellation_revoked')).toHaveLength(1);
    }));

  it("isn't offered, and changes nothing, if it can't be applied (OFR-42)", () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal, offerId, subscriber } = await leaving(story);
      const { key } = await must(portal);
      const absent = async (): Promise<void> => {
        expect(await made(portal)).toBeNull();
        expect(await portal.rejected(accepted, { key })).toBe('offer_not_applicable');
      };
      expect(await portal.rejected(accepted, { key: 'another' })).toBe('offer_not_applicable');
      // The organization has configured no retention offer.
      await nameRetentionOffer(story.shop, null);
      await absent();
      await nameRetentionOffer(story.shop, offerId);
      // If the terms change, the key changes. An offer with a trial, a disabled offer, and an offer in another currency can't be applied.
      const change = (body: object) =>
        story.do('PATCH', `/offers/${offerId}`, { name: 'A quarter off', ...body });
      await change({ phases: [off.percent(2_400, 3)] });
      expect((await must(portal)).key).not.toBe(key);
      expect(await portal.rejected(accepted, { key })).toBe('offer_not_applicable');
      for (const body of [
        { phases: [off.trial(5), off.percent(2_500, 3)] },
        { phases: [off.percent(2_500, 3)], active: false },
        { phases: [off.amount(500, 3, 'eur')], active: true },
        // The offer would be more expensive than the plan.
        {
          phases: [{ type: 'fixed_price', durationCycles: 3, prices: [{ currency: 'usd', amount: 5_000 }] }],
        },
      ]) {
        await change(body);
        await absent();
      }
      await change({ phases: [off.percent(2_500, 3)], startsAt: '2027-06-01T00:00:00Z' });
      await absent();
      await change({ phases: [off.percent(2_500, 3)], startsAt: null });
      expect((await must(portal)).key).toBe(key);
      // The organization canceled the subscription.
      await story.do('POST', `/subscriptions/${subscriber.id}/cancel`, {});
      await absent();
      await story.do('POST', `/subscriptions/${subscriber.id}/uncancel`, {});
      // Another offer is active on the subscription.
      const { id } = await createOffer(story.shop, [off.percent(1_000, 1)]);
      await story.do('PUT', `/subscriptions/${subscriber.id}/offer`, { offerId: id });
      await absent();
      await story.on('2027-07-06');
      expect(charges(await must(portal))[0]).toBe('2027-08-06 3600 of 4800');
      // The retention offer was deleted.
      await story.do('DELETE', `/offers/${offerId}`);
      await absent();
      expect(await story.ask('{ retentionOffer { id } }')).toEqual({ retentionOffer: null });
    }));

  it("isn't offered if the portal doesn't allow cancellation", () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal } = await leaving(story);
      const { key } = await must(portal);
      const set = (cancel: boolean) => t.settings({ portal: { cancel } }, story.shop.environmentId);
      await set(false);
      expect(await made(portal)).toBeNull();
      expect(await portal.rejected(accepted, { key })).toBe('forbidden');
      await set(true);
      expect((await must(portal)).key).toBe(key);
    }));

  it('is offered once per customer, but not for outstanding amounts, former customers, or free plans', () =>
    runStory(t, '2027-05-06', async (story) => {
      const { portal, subscriber } = await leaving(story);
      await portal.do(accepted, { key: (await must(portal)).key });
      await story.do('POST', `/subscriptions/${subscriber.id}/cancel`, { immediate: true });
      expect(await made(portal)).toBeNull();
      await story.do('POST', '/subscriptions', { customerId: 'ada', planCode: 'monthly', skipTrial: true });
      const { subscription } = (await portal.portal('subscription { checkoutUrl }')) as {
        subscription: { checkoutUrl: string };
      };
      const token = subscription.checkoutUrl.split('/').at(-1) ?? '';
      expect(await story.pay({ id: '', customerId: 'ada', token })).toBe('paid');
      expect(await made(portal)).toBeNull();
      // A different retention offer is available to the customer.
      await nameRetentionOffer(story.shop, (await createOffer(story.shop, [off.percent(1_000, 1)])).id);
      expect(charges(await must(portal))).toEqual(['2027-06-06 4320 of 4800']);
      await story.active('bob', 'monthly', cards.declinesLater);
      await story.sell('free', { plan: { isFree: true } });
      await story.subscribe('eve', 'free');
      expect(await made(await visit(story, 'eve'))).toBeNull();
      await story.on('2027-06-06');
      expect(await made(await visit(story, 'bob'))).toBeNull();
    }));
});

describe('retentionOfferSet', () => {
  const set = 'mutation ($input: RetentionOfferSetInput!) { retentionOfferSet(input: $input) { name } }';

  it('accepts any single offer without a trial (OFR-41)', () =>
    runStory(t, '2027-05-06', async (story) => {
      const [first, second, trial] = [
        await createOffer(story.shop, [off.percent(1_000, 1)], { name: 'First', active: false }),
        await createOffer(story.shop, [off.percent(2_000, 1)], { name: 'Second' }),
        await createOffer(story.shop, [off.trial(5), off.percent(2_000, 1)]),
      ];
      const name = (offerId: string | null) => story.ask(set, { input: { offerId } });
      expect(await story.ask('{ retentionOffer { name } }')).toEqual({ retentionOffer: null });
      expect(await name(first.id)).toEqual({ retentionOfferSet: { name: 'First' } });
      expect(await name(second.id)).toEqual({ retentionOfferSet: { name: 'Second' } });
      expect(await name(second.id)).toEqual({ retentionOfferSet: { name: 'Second' } });
      await expect(name(trial.id)).rejects.toThrow('offer_not_applicable');
      await expect(name('ofr_none')).rejects.toThrow('offer_not_found');
      expect(await story.ask('{ retentionOffer { name } }')).toEqual({ retentionOffer: { name: 'Second' } });
      expect(await name(null)).toEqual({ retentionOfferSet: null });
      expect(await story.ask('{ retentionOffer { name } }')).toEqual({ retentionOffer: null });
    }));
});
