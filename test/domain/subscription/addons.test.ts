import { describe, expect, test } from 'vitest';
import type { AddonRow, Catalog, StoredAddonVersionRow } from '../../../src/domain/pricing/catalog.ts';
import { perUnitRate } from '../../../src/domain/rates/held.ts';
import { rateDocument } from '../../../src/domain/rates/rate.ts';
import type {
  AddonConsumptionModel,
  BillingInterval,
  ConsumptionModel,
} from '../../../src/domain/rows/enums.ts';
import type { UsageCounterRow } from '../../../src/domain/rows/usage-rows.ts';
import { catalog, type PlanSketch, termsRow } from './catalog.ts';
import { change } from './ladder.ts';
import { at, cardThat, expectUnchanged, World } from './world.ts';

// Add-ons on a subscription for 34.00 that starts on April 5, 2027 by default.

const epoch = new Date('0001-01-01T00:00:00Z');

type Sketch = {
  readonly model?: AddonConsumptionModel;
  readonly feature?: string;
  readonly price?: bigint;
  readonly included?: bigint;
  readonly rate?: bigint;
  /** Later base prices for the add-on, by effective date. */
  readonly edits?: { readonly [date: string]: bigint };
};

/** Returns a plan with add-ons by ID. Each add-on's name is its ID in uppercase. */
function shop(
  addons: { readonly [id: string]: Sketch },
  {
    model = 'metered',
    interval = 'monthly',
    isFree = false,
    trialDays = 0,
    brl = null,
    beside = [],
  }: {
    model?: ConsumptionModel;
    interval?: BillingInterval;
    isFree?: boolean;
    trialDays?: number;
    brl?: bigint | null;
    beside?: readonly PlanSketch[];
  } = {},
): Catalog {
  const made = catalog(
    { id: 'cove', isFree, prices: isFree ? [] : [{ id: 'p1', interval, amount: 3_400n, trialDays }] },
    ...beside,
  );
  const rows = Object.entries(addons).map(
    ([id, sketch], index): AddonRow => ({
      id,
      seq: BigInt(index + 1),
      name: id.toUpperCase(),
      slug: `${id}-slug`,
      featureId: sketch.feature ?? 'exports',
      consumptionModel: sketch.model ?? 'metered',
      deletedAt: null,
    }),
  );
  const versions = Object.entries(addons).map(
    ([addonId, { model: own = 'metered', price = 1_450n, included = 500n, rate = 125n, edits = {} }]) => {
      const starts: [Date, bigint][] = [
        [epoch, price],
        ...Object.entries(edits).map(([date, value]): [Date, bigint] => [at(date), value]),
      ];
      const list = starts.map(
        ([validFrom, basePriceMinor], index): StoredAddonVersionRow => ({
          addonId,
          seq: BigInt(index + 1),
          validFrom,
          basePriceMinor,
          includedUnits: own === 'metered' ? included : null,
          rate:
            own === 'boolean'
              ? null
              : rateDocument(own === 'credits' ? perUnitRate(3n, 0) : perUnitRate(rate)),
          overrides: [],
        }),
      );
      return [addonId, list] as const;
    },
  );
  const rates =
    brl === null
      ? []
      : [{ id: 'r', seq: 1n, planId: 'cove', currency: 'brl', rateE8: brl, validFrom: epoch, validTo: null }];
  return {
    ...made,
    plans: new Map([...made.plans].map(([id, plan]) => [id, { ...plan, consumptionModel: model }])),
    addons: new Map(rows.map((row) => [row.id, row])),
    addonVersions: new Map(versions),
    exchangeRates: new Map([['cove', rates]]),
  };
}

const open = (made: Catalog, now = '2027-04-05T09:00:00Z', method = cardThat('pays')): World => {
  const world = new World(now, made);
  world.create(null, { planId: 'cove' });
  if (world.subscription.status === 'pending_payment') world.pay(null, method);
  void world.sent;
  return world;
};

const on = (world: World, now: string | null, addonId = 'extra') =>
  world.do(now, { kind: 'addon.activate', subscriptionId: world.subscription.id, addonId });
const off = (world: World, now: string | null, addonId = 'extra') =>
  world.do(now, { kind: 'addon.deactivate', subscriptionId: world.subscription.id, addonId });

/** Sets the usage total in the current usage window, as though usage had been recorded. */
function use(world: World, total: bigint): void {
  const { id, customerId, windowStart } = world.subscription;
  const row: UsageCounterRow = {
    id: `${id}:exports`,
    seq: 1n,
    customerId,
    subscriptionId: id,
    featureId: 'exports',
    windowStart: windowStart ?? epoch,
    total,
    consumed: 0n,
    waived: 0n,
    price: '0',
    recorded: '0',
    held: null,
    crossed: 0,
    covered: 0n,
    meter: null,
    latestAt: null,
    level: null,
  };
  world.aggregate = { ...world.aggregate, counters: [row] };
}

const lines = (world: World) =>
  world.linesOf(world.invoice).map(({ lineType, description, amount }) => [lineType, description, amount]);

describe('an add-on activation (SUB-70, SUB-71)', () => {
  test('charges the remaining days of the period, including the current day, and starts the add-on when the invoice is issued (BIL-28)', () => {
    const world = open(shop({ extra: {} }));
    // 13 of 30 days: 14.50 × 13 ÷ 30 = 6.2833.
    expect(on(world, '2027-04-22T15:00:00Z', 'extra-slug')).toMatchObject({ kind: 'ok', status: 'done' });
    expect(world.invoice).toMatchObject({
      type: 'addon_activation',
      status: 'paid',
      total: 628n,
      creditApplied: 0n,
      periodStart: at('2027-04-22'),
      periodEnd: at('2027-04-22'),
    });
    expect(lines(world)).toEqual([['addon_base', 'EXTRA', 628n]]);
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.received',
      'addon.activated',
      'state addon_activated',
    ]);
    expect(world.event('addon.activated').data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      addon: { id: 'extra', name: 'EXTRA' },
      featureCode: 'exports',
      proratedPrice: 62_800,
      currency: 'usd',
    });
    expect(world.aggregate.addons).toMatchObject([
      {
        addonId: 'extra',
        status: 'active',
        proratedMinor: 628n,
        invoiceId: world.invoice.id,
        createdAt: world.now,
        deactivatedAt: null,
      },
    ]);
  });

  test("converts the add-on's price, and rounds once after all factors (CAT-44, CAT-E5)", () => {
    const world = open(shop({ extra: { price: 1_740n } }, { brl: 543_000_000n }));
    world.aggregate = {
      ...world.aggregate,
      subscriptions: world.aggregate.subscriptions.map((row) => ({ ...row, currency: 'brl' })),
    };
    on(world, '2027-04-22T15:00:00Z');
    expect(world.invoice).toMatchObject({ currency: 'brl', total: 4_094n });
    const poor = open(shop({ extra: {} }));
    poor.aggregate = {
      ...poor.aggregate,
      subscriptions: poor.aggregate.subscriptions.map((row) => ({ ...row, currency: 'brl' })),
    };
    expect(on(poor, null)).toMatchObject({ code: 'missing_regional_price' });
    expectUnchanged(poor);
  });

  test('charges a prorated price during a trial and the full price in the first period (OQ-56, BIL-12)', () => {
    const world = open(shop({ extra: { price: 3_000n } }, { trialDays: 10 }));
    on(world, '2027-04-08T10:00:00Z');
    // 7 trial days remain, and the month from April 5 to May 5 has 30 days: 30.00 × 7 ÷ 30 = 7.00.
    expect(world.invoice).toMatchObject({ type: 'addon_activation', total: 700n });
    expect(world.subscription.status).toBe('trialing');
    use(world, 9_000n);
    world.advance('2027-04-15');
    expect(lines(world)).toEqual([
      ['plan_base', 'COVE (monthly)', 3_400n],
      ['addon_base', 'EXTRA', 3_000n],
    ]);
  });

  test('issues no invoice if the remaining charge is 0 (SUB-71)', () => {
    const world = open(shop({ extra: { price: 0n } }));
    expect(on(world, null)).toMatchObject({ kind: 'ok', invoiceId: null });
    expect(world.sent).toEqual(['addon.activated', 'state addon_activated']);
    expect(world.event('addon.activated').data).toMatchObject({ proratedPrice: 0 });
  });

  test("is rejected without changes if the add-on can't be activated", () => {
    const made = shop({ extra: {}, credit: { model: 'credits' }, held: { feature: 'editors' } });
    const held = new Map([['cove', new Map([['editors', [termsRow('cove', 'editors', {})]]])]]);
    const world = open({ ...made, featureVersions: held });
    for (const [id, code] of [
      ['none', 'addon_not_found'],
      ['credit', 'validation_error'],
      ['held', 'feature_already_exists'],
    ] as const) {
      expect(on(world, null, id)).toMatchObject({ kind: 'rejection', code, param: 'addonId' });
      expectUnchanged(world);
    }
    on(world, null);
    expect(on(world, null)).toMatchObject({ code: 'addon_already_active' });
    expectUnchanged(world);
    expect(off(world, null, 'held')).toMatchObject({ code: 'addon_not_active' });
    expectUnchanged(world);
    const bare = open(made);
    bare.aggregate = { ...bare.aggregate, paymentMethods: [] };
    expect(on(bare, null)).toMatchObject({ code: 'no_payment_method' });
    expectUnchanged(bare);
  });

  test('is canceled by a declined charge (BIL-22)', () => {
    const world = open(shop({ extra: {} }), undefined, cardThat('pays', 'declines'));
    expect(on(world, null)).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'card_declined' },
    });
    expect(world.invoice.status).toBe('void');
    expect(world.aggregate.addons).toEqual([]);
    expect(world.sent).toEqual(['invoice.created', 'invoice.voided']);
    world.advance('2027-05-05');
    expect(on(world, null)).toMatchObject({ code: 'subscription_not_active' });
  });
});

describe('a renewal with add-ons (SUB-72, BIL-13)', () => {
  test("charges each add-on in full at the current price, ordered by name, followed by the add-on's overage", () => {
    const world = open(
      shop({
        zeta: { feature: 'editors', model: 'boolean', price: 200n },
        extra: { edits: { '2027-04-20': 1_600n } },
      }),
    );
    on(world, null, 'zeta');
    on(world, '2027-04-22T15:00:00Z');
    use(world, 700n);
    world.advance('2027-05-05');
    // 200 units above 500 at 0.0125 are 2.50.
    expect(lines(world)).toEqual([
      ['plan_base', 'COVE (monthly)', 3_400n],
      ['addon_base', 'EXTRA', 1_600n],
      ['feature_overage', 'EXPORTS: 200 beyond 500 included', 250n],
      ['addon_base', 'ZETA', 200n],
    ]);
    expect(world.invoice).toMatchObject({ status: 'paid', total: 5_450n });
    world.advance('2027-06-05');
    expect(lines(world).map(([type]) => type)).toEqual(['plan_base', 'addon_base', 'addon_base']);
  });

  test('charges for a yearly add-on once a year, and only for overage at the end of the usage windows in between', () => {
    const world = open(shop({ extra: {} }, { interval: 'yearly' }));
    on(world, null);
    use(world, 501n);
    world.advance('2027-05-05');
    // One unit at 0.0125 rounds to 0.01.
    expect(lines(world)).toEqual([['feature_overage', 'EXPORTS: 1 beyond 500 included', 1n]]);
    world.advance('2028-04-05');
    expect(lines(world).map(([type, , amount]) => [type, amount])).toEqual([
      ['plan_base', 3_400n],
      ['addon_base', 1_450n],
      // The overage of 0.01 is below the minimum charge (BIL-35).
      ['one_time', 1n],
    ]);
  });
});

describe('the deactivation of an add-on (SUB-73)', () => {
  test('takes effect immediately without a refund, and bills overage only on the next invoice', () => {
    const world = open(shop({ extra: {} }));
    on(world, null);
    use(world, 700n);
    void world.sent;
    expect(off(world, '2027-04-25T12:00:00Z')).toMatchObject({ kind: 'ok' });
    expect(world.sent).toEqual(['addon.deactivated', 'state addon_deactivated']);
    expect(world.event('addon.deactivated').data).toMatchObject({
      addon: { id: 'extra', name: 'EXTRA' },
      featureCode: 'exports',
    });
    expect(world.aggregate.addons).toMatchObject([{ status: 'inactive', deactivatedAt: world.now }]);
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([
      ['plan_base', 'COVE (monthly)', 3_400n],
      ['feature_overage', 'EXPORTS: 200 beyond 500 included', 250n],
    ]);
    world.advance('2027-06-05');
    expect(lines(world).map(([type]) => type)).toEqual(['plan_base']);
  });

  test('occurs when the subscription is canceled, without a separate event (SUB-28)', () => {
    const world = open(shop({ extra: {} }));
    on(world, null);
    void world.sent;
    world.cancel(null, true);
    expect(world.sent).toEqual(['subscription.canceled', 'state subscription_canceled']);
    expect(world.aggregate.addons).toMatchObject([{ status: 'inactive' }]);
  });
});

describe('an add-on that is activated again in the same period (SUB-71, SUB-73)', () => {
  // Subscription for 34.00 with an add-on for 30.00, both from April 1. The period has 30 days.
  const april = () => open(shop({ extra: { model: 'boolean', price: 3_000n } }), '2027-04-01T09:00:00Z');
  const totals = (world: World) => world.aggregate.invoices.map(({ total }) => total);

  test('is free for days that are already paid for, even if the add-on is activated several times', () => {
    const world = april();
    on(world, '2027-04-01T10:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n]);
    for (const day of ['11', '15', '30']) {
      off(world, `2027-04-${day}T09:00:00Z`);
      expect(on(world, null)).toMatchObject({ kind: 'ok', status: 'done' });
    }
    expect(totals(world)).toEqual([3_400n, 3_000n]);
    world.advance('2027-05-01T00:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n, 6_400n]);
    off(world, '2027-05-02T00:00:00Z');
    on(world, '2027-05-20T00:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n, 6_400n]);
  });

  test('is free for paid days even after a price increase, and the renewal charges the new price', () => {
    const world = open(
      shop({ extra: { model: 'boolean', price: 3_000n, edits: { '2027-04-10': 6_000n } } }),
      '2027-04-01T09:00:00Z',
    );
    on(world, null);
    off(world, '2027-04-11T09:00:00Z');
    on(world, '2027-04-12T09:00:00Z');
    world.advance('2027-05-01T00:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n, 9_400n]);
  });

  test("is charged again in the next period, which hasn't been paid for yet", () => {
    const world = april();
    on(world, null);
    off(world, '2027-04-11T09:00:00Z');
    world.advance('2027-05-01T00:00:00Z');
    // 30.00 × 21 of 31 days from May 11.
    on(world, '2027-05-11T09:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n, 3_400n, 2_032n]);
  });

  test('is charged only for unpaid days after a plan change', () => {
    const world = open(
      shop(
        { extra: { model: 'boolean', price: 3_000n } },
        { beside: [{ id: 'ridge', prices: [{ id: 'p9', interval: 'monthly', amount: 9_000n }] }] },
      ),
      '2027-04-01T09:00:00Z',
    );
    on(world, null);
    off(world, '2027-04-11T08:00:00Z');
    change(world, '2027-04-11T09:00:00Z', { newPlanId: 'ridge' });
    // 90.00 minus the unused part of 34.00, for 20 of 30 days.
    expect(totals(world)).toEqual([3_400n, 3_000n, 6_733n]);
    // Paid until April 30. The period ends on May 11: 30.00 × 10 of 30 days.
    on(world, '2027-04-12T09:00:00Z');
    expect(totals(world)).toEqual([3_400n, 3_000n, 6_733n, 1_000n]);
  });

  test('is charged again if the earlier activation was refunded before or after the deactivation', () => {
    for (const isFirstOff of [true, false]) {
      const world = april();
      on(world, null);
      const paidBy = world.aggregate.transactions.find(({ amountMinor }) => amountMinor === 3_000n);
      // Reactivated without a charge, because the refunded activation had already paid for these days.
      off(world, '2027-04-02T09:00:00Z');
      on(world, null);
      if (isFirstOff) off(world, '2027-04-10T09:00:00Z');
      world.do('2027-04-10T10:00:00Z', {
        kind: 'transaction.refund',
        transactionId: paidBy?.id ?? '',
        refundId: 'ref_1',
        amountMinor: null,
        reason: null,
      });
      if (!isFirstOff) off(world, '2027-04-10T11:00:00Z');
      // 30.00 × 20 of 30 days.
      on(world, '2027-04-11T09:00:00Z');
      expect(totals(world)).toEqual([3_400n, 3_000n, 2_000n]);
    }
  });
});

describe('an add-on on a free plan (BIL-10, BIL-11)', () => {
  const stored = {
    id: 'pm_1',
    seq: 1n,
    customerId: 'cus_1',
    instrument: 'card',
    createdAt: epoch,
    removedAt: null,
  } as const;
  const method = { ...cardThat('pays', 'pays'), ...stored };
  const free = (): World => {
    const world = new World('2027-04-05T09:00:00Z', shop({ extra: { price: 900n } }, { isFree: true }), {
      paymentMethods: [method],
    });
    world.create(null, { planId: 'cove' });
    void world.sent;
    return world;
  };

  test('is charged in each monthly usage window', () => {
    const world = free();
    expect(on(world, null)).toMatchObject({ kind: 'ok' });
    expect(world.subscription.paymentMethodId).toBe('pm_1');
    use(world, 9_000n);
    world.advance('2027-05-05');
    expect(lines(world)).toEqual([['addon_base', 'EXTRA', 900n]]);
    expect(world.invoice).toMatchObject({ type: 'overage', status: 'paid' });
  });

  test("is removed if the charge isn't paid, and the plan stays active", () => {
    const world = free();
    on(world, null);
    void world.sent;
    world.mood = 'declines';
    world.advance('2027-05-05');
    expect(world.invoice.status).toBe('uncollectible');
    expect(world.subscription.status).toBe('active');
    expect(world.sent).toEqual([
      'invoice.created',
      'payment.failed',
      'addon.deactivated',
      'state addon_deactivated',
    ]);
    expect(world.aggregate.addons).toMatchObject([{ status: 'inactive' }]);
    world.advance('2027-06-05');
    expect(world.aggregate.invoices).toHaveLength(2);
  });
});

describe('a trial that ends on a free plan (SUB-49, BIL-10)', () => {
  /** Two add-ons are activated without a charge on the next-to-last day of a ten-day trial from April 5. A free plan follows. */
  const ending = (later = 'pays'): World => {
    const addons = {
      extra: { price: 900n },
      zeta: { feature: 'editors', model: 'boolean', price: 1_100n },
    } as const;
    const plans = { trialDays: 10, beside: [{ id: 'gratis', isFree: true, seats: { editors: {} } }] };
    const world = open(shop(addons, plans), undefined, cardThat('pays', later));
    world.mood = 'pays';
    on(world, '2027-04-08T10:00:00Z');
    on(world, null, 'zeta');
    expect(change(world, null, { newPlanId: 'gratis' })).toMatchObject({ kind: 'ok' });
    use(world, 9_000n);
    world.mood = null;
    void world.sent;
    return world;
  };
  const expectedEvents = [
    'trial.will_end',
    'addon.deactivated',
    'state addon_deactivated',
    'trial.expired',
    'subscription.activated',
    'state trial_expired',
    'subscription.plan_changed',
    'state plan_change',
    'invoice.created',
  ];

  test("charges for the retained add-ons in the free plan's first usage window, but not for the trial", () => {
    const world = ending();
    world.advance('2027-04-15');
    expect(lines(world)).toEqual([['addon_base', 'EXTRA', 900n]]);
    expect(world.invoice).toMatchObject({
      type: 'overage',
      status: 'paid',
      total: 900n,
      periodStart: at('2027-04-05'),
      periodEnd: at('2027-04-15'),
    });
    expect(world.sent).toEqual([...expectedEvents, 'payment.received']);
    expect(world.event('trial.expired').data).toMatchObject({ status: 'active', planId: 'gratis' });
    expect(world.event('subscription.activated').data).toMatchObject({ invoiceId: null, provider: null });
    expect(world.event('subscription.plan_changed').data).toMatchObject({
      credit: 0,
      charge: 0,
      totalCharged: 900,
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      planId: 'gratis',
      activatedAt: at('2027-04-15'),
    });
    expect(world.items).toMatchObject([
      { kind: 'trial_end', outcome: 'plan_changed', invoiceId: world.invoice.id },
    ]);
    expect(world.deadlines).toEqual(['2027-05-15 window_reset:sub']);
    world.advance('2027-05-15');
    expect(lines(world)).toEqual([['addon_base', 'EXTRA', 900n]]);
    expect(world.invoice).toMatchObject({ periodStart: at('2027-04-15'), periodEnd: at('2027-05-15') });
  });

  test.each([
    ['declined', 'declines', 'card_declined'],
    ['open for authentication', 'asks', 'authentication_required'],
  ])(
    'removes the add-ons if their charge is %s, and still activates the subscription (BIL-11)',
    (_how, later, code) => {
      const world = ending(later);
      world.advance('2027-04-15');
      expect(world.invoice).toMatchObject({ status: 'uncollectible', total: 900n });
      expect(world.sent).toEqual([
        ...expectedEvents,
        'payment.failed',
        'addon.deactivated',
        'state addon_deactivated',
      ]);
      expect(world.event('payment.failed').data).toMatchObject({ failureCode: code, recoveryUrl: null });
      expect(world.subscription).toMatchObject({
        status: 'active',
        planId: 'gratis',
        dunningInvoiceId: null,
      });
      expect(world.items).toMatchObject([{ outcome: 'declined', invoiceId: world.invoice.id, detail: code }]);
      world.advance('2027-05-15');
      expect(world.invoice.periodEnd).toEqual(at('2027-04-15'));
    },
  );

  test('issues no invoice if no add-ons are retained', () => {
    const world = ending();
    off(world, '2027-04-10');
    void world.sent;
    const before = world.aggregate.invoices.length;
    world.advance('2027-04-15');
    expect(world.aggregate.invoices).toHaveLength(before);
    expect(world.sent).toEqual(expectedEvents.slice(0, -1));
    expect(world.event('subscription.plan_changed').data).toMatchObject({ totalCharged: 0 });
    expect(world.items).toMatchObject([{ outcome: 'plan_changed', invoiceId: null }]);
  });
});
