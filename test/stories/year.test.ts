import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import {
  advance,
  allEvents,
  expectLedgerBalanced,
  invoicesOf,
  pay,
  sellPlan,
  setClock,
  subscribe,
  word,
} from '../support/stories.ts';

// One year of a monthly subscription whose first payment is on January 31 (GLO-18, SUB-E6, BIL-E4).

let shop: TestApp;

beforeAll(async () => {
  shop = await startApp();
  await setClock(shop, '2027-01-31T10:00:00Z');
});
afterAll(() => closeStory(shop));

describe('a year of a monthly subscription', () => {
  it('renews twelve times on the last day of the month, with paid and consecutively numbered invoices', async () => {
    await sellPlan(shop, 'pro', { billingInterval: 'monthly', price: 2_900 });
    const { id, token } = await subscribe(shop, 'ada', 'pro');
    expect(await pay(shop, token)).toBe('paid');
    const before = await allEvents(shop);
    expect(before.map(word)).toEqual([
      'customer.created',
      'subscription.created',
      'invoice.created',
      'checkout.ready',
      'customer.state_changed:subscription_created',
      'payment_method.attached',
      'payment.received',
      'subscription.activated',
      'customer.state_changed:subscription_activated',
    ]);

    const run = await advance(shop, { advanceDays: 365 });

    expect(run).toMatchObject({ status: 'completed', completed: 12, failed: 0 });
    expect(run.seen.at(-1)).toBe('completed');
    const boundaries = [
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
      '2027-06-30',
      '2027-07-31',
      '2027-08-31',
      '2027-09-30',
      '2027-10-31',
      '2027-11-30',
      '2027-12-31',
      '2028-01-31',
      '2028-02-29',
    ];
    expect(await invoicesOf(shop, id)).toEqual(
      boundaries.slice(0, 13).map((periodStart, index) => ({
        invoiceNumber: `INV-${String(index + 1).padStart(4, '0')}`,
        status: 'paid',
        total: 2_900,
        periodStart,
        periodEnd: boundaries[index + 1],
      })),
    );
    const during = (await allEvents(shop)).slice(before.length);
    const renewal = ['invoice.upcoming', 'invoice.created', 'payment.received'];
    expect(during.map(word)).toEqual(Array.from({ length: 12 }, () => renewal).flat());
    expect(
      during.filter((event) => event.event === 'payment.received').map((event) => event.timestamp),
    ).toEqual(boundaries.slice(1, 13).map((day) => `${day}T00:00:00.000Z`));
    await expectLedgerBalanced(shop);
  });

  it('returns the same subscription over REST and GraphQL', async () => {
    const { body } = await shop.rest<Record<string, unknown>>('GET', '/subscriptions/active?customerId=ada');
    expect(body).toMatchObject({
      status: 'active',
      billingDayOfMonth: 31,
      currentPeriod: {
        start: '2028-01-31T00:00:00.000Z',
        end: '2028-02-29T00:00:00.000Z',
        daysRemaining: 29,
      },
      nextBillingDate: '2028-02-29T00:00:00.000Z',
    });
    const { subscription } = await shop.graphql<{ subscription: Record<string, unknown> }>(
      'query ($id: ID!) { subscription(id: $id) { status billingDayOfMonth currentPeriod { start end daysRemaining } nextBillingDate } }',
      { id: body['id'] },
    );
    expect(subscription).toEqual({
      status: body['status'],
      billingDayOfMonth: body['billingDayOfMonth'],
      currentPeriod: body['currentPeriod'],
      nextBillingDate: body['nextBillingDate'],
    });
  });

  it("rejects a test clock advance into the past, and doesn't change the clock", async () => {
    const before = await shop.rest('GET', '/test-clock');
    const { status, body } = await shop.rest<{ error: { code: string } }>('POST', '/test-clock', {
      frozenTime: '2027-06-01T00:00:00Z',
    });
    expect(status).toBe(400);
    expect(body.error.code).toBe('validation_error');
    expect((await shop.rest('GET', '/test-clock')).body).toEqual(before.body);
  });
});
