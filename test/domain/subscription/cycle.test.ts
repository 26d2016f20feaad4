import { describe, expect, test } from 'vitest';
import type { BillingInterval } from '../../../src/domain/rows/enums.ts';
import { isoDate } from '../../../src/domain/time/period.ts';
import { unitRate } from '../../support/rates.ts';
import { catalog, simplePlan, termsRow } from './catalog.ts';
import { at, card, cardThat, World } from './world.ts';

const active = (
  now: string,
  interval: BillingInterval = 'monthly',
  amount = 3_400n,
  method = card,
): World => {
  const world = new World(now, simplePlan(interval, amount));
  world.create(null, { planId: 'cove' });
  world.pay(null, method);
  expect(world.subscription.status).toBe('active');
  expect(world.sent).toHaveLength(8);
  return world;
};

const periods = (world: World): string[] =>
  world.aggregate.invoices.map((invoice) => isoDate(invoice.periodStart));

describe('a subscription renewal (BIL-6, BIL-7)', () => {
  test('issues an invoice, charges it, and starts the next period on the same anchor', () => {
    const world = active('2027-01-31T09:30:00Z');
    world.advance('2027-02-28');
    expect(world.sent).toEqual(['invoice.upcoming', 'invoice.created', 'payment.received']);
    expect(world.invoice).toMatchObject({
      type: 'recurring',
      status: 'paid',
      number: 2n,
      total: 3_400n,
      periodStart: at('2027-02-28'),
      periodEnd: at('2027-03-31'),
      issueDate: at('2027-02-28'),
      dueDate: at('2027-02-28'),
      paidAt: at('2027-02-28'),
    });
    expect(world.event('invoice.created').data).toMatchObject({
      invoiceStatus: 'outstanding',
      invoiceNumber: 'INV-0002',
    });
    expect(world.subscription).toMatchObject({
      status: 'active',
      anchorDate: at('2027-01-31'),
      periodStart: at('2027-02-28'),
      periodEnd: at('2027-03-31'),
      windowStart: at('2027-02-28'),
      windowEnd: at('2027-03-31'),
      termsFrom: at('2027-02-28'),
    });
    expect(world.items).toEqual([
      {
        kind: 'period_end',
        outcome: 'renewed',
        dueAt: at('2027-02-28'),
        invoiceId: world.invoice.id,
        detail: null,
      },
    ]);
    expect(world.deadlines).toEqual(['2027-03-28 daily_scan:sub:upcoming', '2027-03-31 period_end:sub']);
  });

  test.each<[BillingInterval, string, string[]]>([
    [
      'monthly',
      '2028-01-31',
      '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'
        .split(' ')
        .map((day) => `2027-${day}`)
        .concat('2028-01-31'),
    ],
    ['quarterly', '2028-02-01', ['2027-01-31', '2027-04-30', '2027-07-31', '2027-10-31', '2028-01-31']],
    ['yearly', '2029-02-01', ['2027-01-31', '2028-01-31', '2029-01-31']],
    ['weekly', '2027-02-28', ['2027-01-31', '2027-02-07', '2027-02-14', '2027-02-21', '2027-02-28']],
  ])('occurs at each boundary of the anchor with the interval %s, until %s', (interval, until, expected) => {
    const world = active('2027-01-31T09:30:00Z', interval);
    world.advance(until);
    expect(periods(world)).toEqual(expected);
    expect(world.aggregate.invoices.map(({ number }) => number)).toEqual(
      expected.map((_, index) => BigInt(index + 1)),
    );
    expect(world.aggregate.invoices.every(({ status }) => status === 'paid')).toBe(true);
    expect(world.items.filter(({ outcome }) => outcome === 'renewed')).toHaveLength(expected.length - 1);
  });

  test('has the same result after one long clock advance as after many short ones', () => {
    const long = active('2027-01-31T09:30:00Z');
    long.advance('2027-06-30');
    const short = active('2027-01-31T09:30:00Z');
    for (let day = at('2027-02-01'); day <= at('2027-06-30'); day = new Date(day.getTime() + 86_400_000))
      short.advance(day.toISOString());
    expect(short.events).toEqual(long.events);
    expect(short.aggregate.invoices).toEqual(long.aggregate.invoices);
  });

  test('charges the price that was valid at the due time, even if the renewal is late (CAT-52)', () => {
    const world = new World(
      '2027-01-10',
      simplePlan('monthly', 2_000n, { edits: { '2027-02-10': 2_500n, '2027-02-11': 9_900n } }),
    );
    world.create(null, { planId: 'cove' });
    world.pay(null);
    world.advance('2027-02-10', '2027-02-20T07:00:00Z');
    expect(world.invoice).toMatchObject({
      total: 2_500n,
      periodStart: at('2027-02-10'),
      issueDate: at('2027-02-20'),
      paidAt: at('2027-02-20T07:00:00Z'),
    });
  });

  test('charges an archived price at its changed amount (CAT-E6)', () => {
    const shop = simplePlan('monthly', 2_200n, {
      archivedAt: at('2027-05-04'),
      edits: { '2027-05-10': 2_500n },
    });
    const world = new World('2027-04-18', simplePlan('monthly', 2_200n));
    world.create(null, { planId: 'cove' });
    world.pay(null);
    world.aggregate = { ...world.aggregate, catalog: shop };
    world.advance('2027-05-18');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 2_500n });
    world.cancel(null, true);
    expect(world.create(null, { planId: 'cove', priceId: 'p1' })).toMatchObject({
      code: 'no_prices_configured',
    });
  });

  test('issues an invoice with a total of 0 as paid, without a charge (BIL-34)', () => {
    const world = active('2027-01-10', 'monthly', 100n);
    world.aggregate = { ...world.aggregate, catalog: simplePlan('monthly', 0n) };
    world.advance('2027-02-10');
    expect(world.sent).toEqual(['invoice.upcoming', 'invoice.created']);
    expect(world.event('invoice.created').data).toMatchObject({ invoiceStatus: 'paid', total: 0 });
    expect(world.aggregate.transactions).toHaveLength(1);
    expect(world.items).toMatchObject([{ outcome: 'renewed' }]);
  });

  test('carries a total below the minimum charge over to the next invoice, which is charged (BIL-35)', () => {
    const world = active('2027-01-10', 'monthly', 100n);
    world.aggregate = { ...world.aggregate, catalog: simplePlan('monthly', 40n) };
    world.advance('2027-02-10');
    expect(world.invoice).toMatchObject({ status: 'void', total: 40n });
    expect(world.subscription).toMatchObject({
      status: 'active',
      carried: [{ invoiceId: world.invoice.id, issueDate: '2027-02-10', amount: '40' }],
    });
    world.advance('2027-03-10');
    expect(world.invoice).toMatchObject({ status: 'paid', total: 80n });
    expect(world.linesOf(world.invoice).map(({ lineType, amount }) => [lineType, amount])).toEqual([
      ['plan_base', 40n],
      ['one_time', 40n],
    ]);
    expect(world.linesOf(world.invoice)[1]?.description).toBe('Carried over from the invoice of 2027-02-10');
    expect(world.subscription.carried).toEqual([]);
    expect(world.aggregate.transactions.map(({ amountMinor }) => amountMinor)).toEqual([100n, 80n]);
  });

  test('waives carried-over amounts if the subscription ends immediately (BIL-35)', () => {
    const world = active('2027-01-10', 'monthly', 100n);
    world.aggregate = { ...world.aggregate, catalog: simplePlan('monthly', 40n) };
    world.advance('2027-02-10');
    world.cancel('2027-02-11', true);
    expect(world.subscription).toMatchObject({ status: 'canceled', carried: [] });
    expect(world.event('subscription.charges_waived').data['charges']).toEqual([
      { description: 'Carried over from the invoice of 2027-02-10', amount: '40' },
    ]);
  });

  test('carries amounts over to the last invoice, which is written off if its total is below the minimum charge (BIL-35)', () => {
    const world = active('2027-01-10', 'monthly', 100n);
    world.aggregate = { ...world.aggregate, catalog: simplePlan('monthly', 40n) };
    world.advance('2027-02-10');
    world.cancel('2027-02-11');
    world.advance('2027-03-10');
    expect(world.subscription.status).toBe('canceled');
    expect(world.invoice).toMatchObject({ type: 'overage', status: 'paid', total: 40n });
    expect(world.ledger.at(-1)).toMatchObject({ fact: 'invoice.below_minimum', amountMinor: 40n });
  });

  test('charges for seats in advance at the current terms (CON-37)', () => {
    const plan = (rate: bigint, included: bigint) =>
      catalog({
        id: 'cove',
        prices: [{ id: 'p1', interval: 'monthly', amount: 3_400n }],
        seats: {
          editors: termsRow('cove', 'editors', {
            overageEnabled: true,
            rate: unitRate(rate),
            includedAmount: included,
          }),
        },
      });
    const world = new World('2027-01-10', plan(135_000n, 6n));
    world.create(null, { planId: 'cove', initialSeats: { editors: 9 } });
    world.pay(null);
    expect(world.invoice.total).toBe(3_400n + 4_050n);
    world.aggregate = { ...world.aggregate, catalog: plan(100_000n, 5n) };
    world.advance('2027-02-10');
    expect(world.invoice.total).toBe(3_400n + 4_000n);
    expect(
      world.linesOf(world.invoice).map(({ position, lineType, amount }) => [position, lineType, amount]),
    ).toEqual([
      [0, 'plan_base', 3_400n],
      [1, 'feature_seats', 4_000n],
    ]);
  });

  test('fails without changes if the price has no amount in the currency (CAT-28)', () => {
    const world = active('2027-01-10');
    world.aggregate = { ...world.aggregate, subscriptions: [{ ...world.subscription, currency: 'eur' }] };
    const before = world.aggregate;
    expect(() => world.advance('2027-02-10')).toThrow('failed item: missing_regional_price');
    expect(world.aggregate.invoices).toEqual(before.invoices);
    expect(world.subscription).toEqual(before.subscriptions[0]);
  });

  test("doesn't run for an outdated deadline (BIL-1)", () => {
    const world = active('2027-01-10');
    const { id } = world.subscription;
    const run = (kind: 'period_end' | 'trial_end' | 'window_reset' | 'start') =>
      world.run({
        kind,
        subscriptionId: id,
        deadlineId: `${kind}:${id}`,
        dueAt: at('2027-01-20'),
        now: at('2027-01-20'),
      });
    for (const kind of ['period_end', 'trial_end', 'window_reset', 'start'] as const)
      expect(run(kind)).toMatchObject({ kind: 'ok', status: 'unchanged' });
    expect(world.deadlines).toEqual(['2027-02-07 daily_scan:sub:upcoming', '2027-02-10 period_end:sub']);
  });
});

describe('a late worker', () => {
  test('charges once after ten days, with the same period and next deadline as an on-time worker', () => {
    const world = active('2027-01-31');
    world.advance('2027-02-28', '2027-03-10T05:00:00Z');
    expect(world.aggregate.transactions).toHaveLength(2);
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-02-28'),
      periodEnd: at('2027-03-31'),
    });
    expect(world.deadlines).toEqual(['2027-03-28 daily_scan:sub:upcoming', '2027-03-31 period_end:sub']);
  });

  test('schedules dunning from the attempt if the charge is declined ten days late, so all retries are made', () => {
    const world = active('2027-01-31', 'monthly', 3_400n, cardThat('pays', 'declines'));
    world.advance('2027-02-28', '2027-03-10T05:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'past_due', dunningAttempts: 0 });
    expect(world.deadlines.filter((line) => line.includes('dunning'))).toEqual([
      '2027-03-11T05:00 dunning_retry:sub:1',
      '2027-03-13T05:00 dunning_retry:sub:2',
      '2027-03-15T05:00 dunning_retry:sub:3',
      '2027-03-17T05:00 dunning_retry:sub:4',
    ]);
    world.mood = 'pays';
    world.advance('2027-03-11T05:00:00Z');
    expect(world.subscription).toMatchObject({ status: 'active', periodStart: at('2027-02-28') });
  });

  test('bills each period in order after several months', () => {
    const world = active('2027-01-31');
    world.advance('2027-04-30', '2027-05-05T00:00:00Z');
    expect(periods(world)).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
    expect(new Set(world.aggregate.invoices.slice(1).map(({ issueDate }) => isoDate(issueDate)))).toEqual(
      new Set(['2027-05-05']),
    );
  });
});

describe('a pending renewal charge (BIL-32)', () => {
  const unanswered = (): { world: World; answer: (status: 'settled' | 'declined') => void } => {
    const world = active('2027-01-31', 'weekly');
    world.mood = 'silent';
    world.advance('2027-02-20');
    expect(world.parked).toEqual([`period_end:${world.subscription.id}`]);
    expect(world.subscription).toMatchObject({
      status: 'active',
      periodStart: at('2027-02-07'),
      periodEnd: at('2027-02-14'),
    });
    expect(world.aggregate.invoices).toMatchObject([{ status: 'paid' }, { status: 'outstanding' }]);
    const transactionId = world.aggregate.transactions.at(-1)?.id ?? '';
    const answer = (status: 'settled' | 'declined'): void => {
      const result =
        status === 'settled' ? { status } : { status, declineCode: 'card_declined', message: 'No.' };
      world.do('2027-02-20T09:00:00Z', { kind: 'charge.result', transactionId, result });
    };
    return { world, answer };
  };

  test('blocks the next period until the charge settles', () => {
    const { world, answer } = unanswered();
    answer('settled');
    world.mood = 'pays';
    world.advance('2027-02-20T09:00:00Z');
    expect(periods(world)).toEqual(['2027-01-31', '2027-02-07', '2027-02-14']);
    expect(world.aggregate.invoices.every(({ status }) => status === 'paid')).toBe(true);
    expect(world.deadlines.at(-1)).toBe('2027-02-21 period_end:sub');
  });

  test('starts dunning after a declined result', () => {
    const { world, answer } = unanswered();
    answer('declined');
    expect(world.subscription).toMatchObject({
      status: 'past_due',
      dunningStartedAt: at('2027-02-20T09:00:00Z'),
    });
    world.mood = 'pays';
    world.advance('2027-02-21T09:00:00Z');
    expect(periods(world)).toEqual(['2027-01-31', '2027-02-07', '2027-02-14', '2027-02-21']);
    expect(world.subscription).toMatchObject({ status: 'active', periodStart: at('2027-02-21') });
  });
});

describe("a subscription's usage window (BIL-9, BIL-10)", () => {
  test('is a month on a yearly plan, and the last usage window ends with the renewal (BIL-E3)', () => {
    const world = active('2027-01-31', 'yearly', 41_000n);
    world.advance('2028-01-31');
    const resets = world.items
      .filter(({ kind }) => kind === 'window_reset')
      .map(({ dueAt }) => isoDate(dueAt));
    expect(resets).toEqual(
      '02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'
        .split(' ')
        .map((day) => `2027-${day}`),
    );
    expect(world.items.at(-1)).toMatchObject({
      kind: 'period_end',
      dueAt: at('2028-01-31'),
      outcome: 'renewed',
    });
    expect(world.subscription).toMatchObject({
      windowStart: at('2028-01-31'),
      windowEnd: at('2028-02-29'),
      periodEnd: at('2029-01-31'),
    });
    expect(periods(world)).toEqual(['2027-01-31', '2028-01-31']);
  });

  test('is reset twice within a quarterly period, and ends with the renewal', () => {
    const world = active('2027-01-31', 'quarterly');
    world.advance('2027-04-30');
    expect(world.items.map(({ kind, dueAt }) => `${kind} ${isoDate(dueAt)}`)).toEqual([
      'window_reset 2027-02-28',
      'window_reset 2027-03-31',
      'period_end 2027-04-30',
    ]);
  });

  test('equals the period on weekly and monthly plans', () => {
    for (const interval of ['weekly', 'monthly'] as const) {
      const world = active('2027-01-31', interval);
      world.advance('2027-04-30');
      expect(world.items.every(({ kind }) => kind === 'period_end')).toBe(true);
    }
  });

  test('ends together with the period on free and one-time plans, without events or invoices', () => {
    const free = new World('2027-01-31T10:00:00Z', catalog({ id: 'free', isFree: true }));
    free.create(null, { planId: 'free' });
    for (const world of [free, active('2027-01-31T10:00:00Z', 'one_time')]) {
      const { sent } = world;
      expect(sent.length % 4).toBe(0);
      world.advance('2027-03-31');
      expect(world.subscription).toMatchObject({
        status: 'active',
        periodStart: at('2027-03-31'),
        periodEnd: at('2027-04-30'),
        windowStart: at('2027-03-31'),
        windowEnd: at('2027-04-30'),
        termsFrom: at('2027-03-31'),
      });
      expect(world.sent).toEqual([]);
      expect(world.items.map(({ outcome, dueAt }) => [outcome, isoDate(dueAt)])).toEqual([
        ['reset', '2027-02-28'],
        ['reset', '2027-03-31'],
      ]);
      expect(world.deadlines).toEqual(['2027-04-30 window_reset:sub']);
    }
  });

  test('is still reset while the subscription is past due (BIL-8)', () => {
    const world = active('2027-01-31', 'yearly', 41_000n);
    world.aggregate = {
      ...world.aggregate,
      subscriptions: [{ ...world.subscription, status: 'past_due', dunningInvoiceId: world.invoice.id }],
    };
    world.advance('2027-03-01');
    expect(world.subscription).toMatchObject({ windowStart: at('2027-02-28'), windowEnd: at('2027-03-31') });
  });
});

describe('a daily notice (BIL-4)', () => {
  test('announces a renewal once, three days before it', () => {
    const world = active('2027-01-31');
    world.advance('2027-03-30');
    const upcoming = world.events.filter(({ kind }) => kind === 'invoice.upcoming');
    expect(upcoming.map(({ occurredAt, cause }) => [isoDate(occurredAt), cause])).toEqual([
      ['2027-02-25', `invoice.upcoming:${world.subscription.id}:2027-02-28`],
      ['2027-03-28', `invoice.upcoming:${world.subscription.id}:2027-03-31`],
    ]);
    expect(upcoming[0]?.data).toEqual({
      subscriptionId: world.subscription.id,
      customerId: 'acme-7',
      status: 'active',
      planId: 'cove',
      planName: 'COVE',
      billingInterval: 'monthly',
      currentPeriodEnd: '2027-02-28T00:00:00.000Z',
    });
  });

  test("isn't sent for the unpaid first invoice of an open checkout (BIL-30)", () => {
    const world = new World('2027-01-31T09:30:00Z', simplePlan('monthly', 3_400n));
    world.create(null, { planId: 'cove' });
    expect(world.sent).toHaveLength(4);
    world.advance('2027-02-10');
    expect(world.sent).toEqual([]);
    expect(world.deadlines).toEqual([]);
    expect(world.invoice).toMatchObject({ status: 'outstanding', finalizedAt: null });
  });

  test("isn't sent for an invoice that is paid on the day of issue", () => {
    const world = active('2027-01-31');
    world.advance('2027-02-20');
    expect(world.sent).toEqual([]);
  });

  test("isn't sent while a cancellation is scheduled, and is sent, even late, if the cancellation is undone", () => {
    const silent = active('2027-01-31');
    silent.cancel('2027-02-01');
    silent.advance('2027-02-27');
    expect(silent.events.some(({ kind }) => kind === 'invoice.upcoming')).toBe(false);

    const early = active('2027-01-31');
    early.cancel('2027-02-01');
    early.uncancel('2027-02-10');
    early.advance('2027-02-27');
    expect(early.event('invoice.upcoming').occurredAt).toEqual(at('2027-02-25'));

    const late = active('2027-01-31');
    late.cancel('2027-02-01');
    late.advance('2027-02-25T12:00:00Z');
    late.uncancel(null);
    late.advance('2027-02-27');
    expect(late.event('invoice.upcoming').occurredAt).toEqual(at('2027-02-26'));

    const announced = active('2027-01-31');
    announced.advance('2027-02-25T12:00:00Z');
    announced.cancel(null);
    announced.uncancel('2027-02-25T13:00:00Z');
    announced.advance('2027-02-27');
    expect(announced.events.filter(({ kind }) => kind === 'invoice.upcoming')).toHaveLength(1);
  });
});
