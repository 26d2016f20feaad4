import { describe, expect, test } from 'vitest';
import type { OfferPhase } from '../../../src/domain/offers/phase.ts';
import type { AddonRow, StoredAddonVersionRow } from '../../../src/domain/pricing/catalog.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, simplePlan } from '../subscription/catalog.ts';
import { change, running } from '../subscription/ladder.ts';
import { cardThat, World } from '../subscription/world.ts';
import { entries } from './entry-texts.ts';

// Decisions that change monthly recurring revenue (MET-6, MET-70). `World` compares the decisions in all domain tests with their entries.

const fixed: OfferPhase = {
  type: 'fixed_price',
  prices: [{ currency: 'usd', amount: 2_000 }],
  durationCycles: 3,
  durationInterval: 'monthly',
};
const half: OfferPhase = {
  type: 'percentage',
  percentage: 5_000,
  durationCycles: 2,
  durationInterval: null,
};

const begun = (world: World, selection: object = {}, method = cardThat('pays')): World => {
  world.create(null, { planId: 'cove', ...selection });
  if (world.subscription.status === 'pending_payment') world.pay(null, method);
  return world;
};

const withOffer = (phase: OfferPhase, interval: 'monthly' | 'yearly', amount: bigint): World =>
  begun(
    new World('2027-01-31T10:00:00Z', simplePlan(interval, amount), {
      offers: [
        {
          id: 'offer',
          seq: 1n,
          name: 'Offer',
          phases: [phase],
          startsAt: null,
          endsAt: null,
          active: true,
          deletedAt: null,
        },
      ],
    }),
    { offerId: 'offer' },
  );

describe("a decision's list of MRR entries (MET-70)", () => {
  test('is empty for an unchanged renewal', () => {
    const world = begun(new World('2027-01-31T10:00:00Z', simplePlan('monthly', 4_200n)));
    expect(entries(world)).toEqual(['2027-01-31 activated 0 → 420000']);
    world.advance('2027-06-01T00:00:00Z');
    expect(world.aggregate.invoices).toHaveLength(5);
    expect(world.mrr).toHaveLength(1);
  });

  test('is empty for an open checkout, and contains an entry when the checkout is paid', () => {
    const world = new World('2027-01-31T10:00:00Z', simplePlan('yearly', 49_900n));
    world.create(null, { planId: 'cove' });
    expect(world.mrr).toEqual([]);
    world.pay('2027-02-03T10:00:00Z');
    expect(entries(world)).toEqual(['2027-02-03 activated 0 → 415833']);
  });

  test('keeps MRR unchanged after a declined renewal, and ends MRR when dunning is exhausted (MET-6)', () => {
    const world = begun(
      new World('2027-01-31T10:00:00Z', simplePlan('monthly', 4_200n)),
      {},
      cardThat('pays', 'declines'),
    );
    world.advance('2027-04-30T00:00:00Z');
    expect(entries(world)).toEqual([
      '2027-01-31 activated 0 → 420000',
      '2027-02-28 past_due 420000 → 420000',
      expect.stringMatching(/dunning_exhausted 420000 → 0$/),
    ]);
  });

  test('includes an offer from its first discounted period to its last billing cycle (MET-6)', () => {
    const world = withOffer(half, 'monthly', 4_200n);
    world.advance('2027-06-01T00:00:00Z');
    expect(entries(world)).toEqual([
      '2027-01-31 activated 0 → 210000',
      '2027-03-31 discount_ended 210000 → 420000',
    ]);
  });

  test('includes a fixed price with a separate billing interval (MET-6)', () => {
    const world = withOffer(fixed, 'yearly', 30_000n);
    expect(world.mrr[0]?.after).toMatchObject({ base: '200000', discount: '0', interval: 'yearly' });
    world.advance('2028-06-01T00:00:00Z');
    // After three months at 20.00, the yearly plan counts as 300.00 ÷ 12 = 25.00 a month.
    expect(entries(world)).toEqual([
      '2027-01-31 activated 0 → 200000',
      '2027-04-30 price_changed 200000 → 250000',
    ]);
  });

  test('includes a trial from its first payment (MET-6)', () => {
    const world = begun(
      new World(
        '2027-01-10T10:00:00Z',
        catalog({
          id: 'cove',
          prices: [{ id: 'p1', interval: 'monthly', amount: 4_200n, trialDays: 10 }],
        }),
      ),
    );
    expect(world.subscription.status).toBe('trialing');
    expect(world.mrr).toEqual([]);
    world.advance('2027-01-21T00:00:00Z');
    expect(entries(world)).toEqual(['2027-01-20 trial_converted 0 → 420000']);
  });

  test("includes a scheduled cancellation when it takes effect, and an immediate cancellation when it's requested (MET-5, MET-6)", () => {
    const world = begun(new World('2027-01-31T10:00:00Z', simplePlan('monthly', 4_200n)));
    world.cancel('2027-02-03T10:00:00Z');
    expect(world.mrr).toHaveLength(1);
    world.advance('2027-03-05T00:00:00Z');
    expect(entries(world).slice(1)).toEqual(['2027-02-28 canceled 420000 → 0']);
    const other = begun(new World('2027-01-31T10:00:00Z', simplePlan('monthly', 4_200n)));
    other.cancel('2027-02-03T10:00:00Z', true);
    expect(entries(other).slice(1)).toEqual(['2027-02-03 canceled 420000 → 0']);
  });

  test('includes an immediate plan change with both plans when its charge is settled (MET-6)', () => {
    const world = running('2027-01-31T10:00:00Z', { planId: 'cove' });
    change(world, '2027-02-10T10:00:00Z', { newPlanId: 'ridge' });
    expect(entries(world).slice(1)).toEqual(['2027-02-10 plan_changed 340000 → 1180000']);
    expect(world.mrr[1]).toMatchObject({ before: { planId: 'cove' }, after: { planId: 'ridge' } });
  });

  test('includes added seats immediately, and removed seats until the end of the period (MET-6)', () => {
    const shop = catalog({
      id: 'cove',
      seats: { editors: { includedAmount: 4n, overageEnabled: true, rate: unitRate(115_000n) } },
      prices: [{ id: 'p1', interval: 'monthly', amount: 2_000n }],
    });
    const world = begun(new World('2027-04-05T10:00:00Z', shop));
    const alter = (now: string, op: 'add' | 'remove', count: bigint, eventId: string) =>
      world.do(now, {
        kind: 'counts.change',
        type: 'seats',
        changes: [{ eventId, featureCode: 'editors', op, count }],
      });
    alter('2027-04-09T10:00:00Z', 'add', 6n, 'sev_1');
    alter('2027-04-12T10:00:00Z', 'remove', 1n, 'sev_2');
    world.advance('2027-05-06T00:00:00Z');
    expect(entries(world)).toEqual([
      '2027-04-05 activated 0 → 200000',
      // Two seats in addition to the four included seats.
      '2027-04-09 seats 200000 → 430000',
      '2027-05-05 seats 430000 → 315000',
    ]);
  });

  test('includes an add-on at its full price after activation, and a price change from the next period (MET-4)', () => {
    const addon: AddonRow = {
      id: 'xl',
      seq: 1n,
      name: 'XL',
      slug: 'xl',
      featureId: 'exports',
      consumptionModel: 'metered',
      deletedAt: null,
    };
    const version = (validFrom: string, basePriceMinor: bigint, seq: bigint): StoredAddonVersionRow => ({
      seq,
      addonId: 'xl',
      validFrom: new Date(validFrom),
      basePriceMinor,
      includedUnits: 0n,
      rate: unitRate(100n),
      overrides: [],
    });
    const made = catalog({ id: 'cove', prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }] });
    const shop = {
      ...made,
      features: new Map([...made.features, ['exports', { ...featureOf('exports') }]]),
      addons: new Map([['xl', addon]]),
      addonVersions: new Map([
        ['xl', [version('0001-01-01T00:00:00Z', 1_450n, 1n), version('2027-04-25T00:00:00Z', 2_000n, 2n)]],
      ]),
    };
    const world = begun(new World('2027-04-05T10:00:00Z', shop));
    const { id: subscriptionId } = world.subscription;
    world.do('2027-04-20T10:00:00Z', { kind: 'addon.activate', subscriptionId, addonId: 'xl' });
    world.advance('2027-05-06T00:00:00Z');
    world.do('2027-05-10T10:00:00Z', { kind: 'addon.deactivate', subscriptionId, addonId: 'xl' });
    expect(entries(world)).toEqual([
      '2027-04-05 activated 0 → 340000',
      '2027-04-20 addons 340000 → 485000',
      '2027-05-05 addons 485000 → 540000',
      '2027-05-10 addons 540000 → 340000',
    ]);
  });
});

const featureOf = (id: string) => ({
  id,
  seq: 50n,
  code: id,
  name: id,
  type: 'usage' as const,
  unitName: null,
  deletedAt: null,
  meters: [],
});
