import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { runStory, type Story, type Subscriber } from '../support/story.ts';

// Temporary access to a higher plan across renewals and cancellations, with every document and event. The grant is never billed (SUB-53 to
// SUB-58).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => closeStory(t));

const renewed = ['invoice.upcoming', 'invoice.created', 'payment.received'];
const granted = ['plan_grant.created', 'state plan_access_granted'];
const expired = ['plan_grant.expired', 'state plan_access_ended'];
const revoked = ['plan_grant.revoked', 'state plan_access_ended'];

/**
 * Creates the plan "Cove" for 34.00 with 100 exports and 3 seats, and the higher-ranked plan "Ridge" with 500 exports and 10 seats. Returns
 * a subscriber who has paid for Cove.
 */
async function open(
  story: Story,
  price: object = { price: 3_400 },
): Promise<Subscriber & { readonly coveId: string; readonly ridgeId: string }> {
  const { id: planGroupId } = await story.do<{ id: string }>('POST', '/plan-groups', { name: 'All' });
  const terms = (exports: number, seats: number) => ({
    exports: { includedAmount: exports },
    editors: { type: 'seats', includedAmount: seats },
  });
  const { id: coveId } = await story.sell('cove', {
    plan: { planGroupId },
    price: { ...price },
    features: terms(100, 3),
  });
  const { id: ridgeId } = await story.sell('ridge', { plan: { planGroupId }, features: terms(500, 10) });
  const subscriber = await story.active('ada', 'cove');
  await story.news();
  return { ...subscriber, coveId, ridgeId };
}

type Grant = { readonly id: string; readonly status: string; readonly expiresAt: string | null };

const grant = (
  story: Story,
  { id: subscriptionId, ridgeId: planId }: Subscriber & { readonly ridgeId: string },
  term: object,
): Promise<Grant> =>
  story.do<Grant>('POST', '/customers/ada/plan-grants', {
    subscriptionId,
    planId,
    reason: 'A taste.',
    ...term,
  });

const cycles = (durationCycles: number) => ({ duration: 'cycles', durationCycles });
const use = (value: number) => ({ customerId: 'ada', featureCode: 'exports', value });

/** Returns the remaining exports. During a grant, also returns the units that the plan itself includes. */
async function exportsLeft(story: Story): Promise<[remaining: number, base: number | null]> {
  type Access = { consumption: { remainingUnits: number }; baseAccess?: { includedUnits: number } };
  const { consumption, baseAccess } = await story.do<Access>('GET', '/feature-access/exports?customerId=ada');
  return [consumption.remainingUnits, baseAccess?.includedUnits ?? null];
}

describe('a plan grant', () => {
  it("ends after exactly three cycles, or earlier if it's shortened (SUB-E8, SUB-54)", () =>
    runStory(t, '2027-09-17T09:00:00Z', async (story) => {
      const ada = await open(story);
      await story.on('2027-09-25T10:00:00Z');
      expect(await story.rejected('POST', '/usage/events', use(101))).toBe('included_limit_reached');
      await story.news();
      const { id, expiresAt } = await grant(story, ada, cycles(3));
      expect(expiresAt).toBe('2027-12-17T00:00:00.000Z');
      expect(await story.news()).toEqual({ documents: [], events: granted });
      await story.do('POST', '/usage/events', use(400));
      expect(await exportsLeft(story)).toEqual([100, 100]);
      await story.news();
      // The renewal during the grant charges the plan's price, but none of the 400 exports. The shared count is reset.
      await story.on('2027-11-02T08:00:00Z');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2027-10-17..2027-11-17 3400 = plan_base 3400'],
        events: renewed,
      });
      expect(await exportsLeft(story)).toEqual([500, 100]);
      await story.do('POST', '/usage/events', use(300));
      const shortened = await story.do<Grant>('PATCH', `/customers/ada/plan-grants/${id}`, {
        reason: 'Shorter.',
        ...cycles(1),
      });
      expect(shortened.expiresAt).toBe('2027-11-17T00:00:00.000Z');
      expect((await story.news()).events).toEqual(['usage.recorded', 'plan_grant.updated']);
      await story.on('2027-11-16T23:00:00Z');
      expect(await exportsLeft(story)).toEqual([200, 100]);
      await story.news();
      await story.on('2027-11-17');
      expect(await story.news()).toEqual({
        documents: ['INV-0003 recurring paid 2027-11-17..2027-12-17 3400 = plan_base 3400'],
        events: [...expired, 'invoice.created', 'payment.received'],
      });
      expect(await exportsLeft(story)).toEqual([100, null]);
      const run = await story.do<{
        latestRun: { items: { outcome: string; kind: string; invoiceId: string | null }[] };
      }>('GET', '/test-clock');
      expect(run.latestRun.items.map(({ outcome, kind }) => `${kind} ${outcome}`)).toEqual([
        'billing_cycle grant_expired',
        'billing_cycle renewed',
      ]);
      expect(run.latestRun.items[0]?.invoiceId).toBeNull();
    }));

  it("doesn't affect existing usage and seats if it ends within a usage window, and blocks more units until the reset (SUB-57)", () =>
    runStory(t, '2028-01-31T09:00:00Z', async (story) => {
      const ada = await open(story);
      // The anchor is the 31st, so the first boundary is February 29, and the second is March 31.
      const { id, expiresAt } = await grant(story, ada, cycles(2));
      expect(expiresAt).toBe('2028-03-31T00:00:00.000Z');
      await story.do('POST', '/usage/events', use(350));
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 8 });
      await story.on('2028-02-10T12:00:00Z');
      await story.news();
      const until = { reason: 'To the fair.', duration: 'until_date', expiresAt: '2028-02-12T06:30:00Z' };
      await story.do('PATCH', `/customers/ada/plan-grants/${id}`, until);
      await story.on('2028-02-12T06:30:00Z');
      expect(await story.news()).toEqual({ documents: [], events: ['plan_grant.updated', ...expired] });
      expect(await exportsLeft(story)).toEqual([0, null]);
      expect(await story.rejected('POST', '/usage/events', use(1))).toBe('included_limit_reached');
      expect(
        await story.rejected('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 1 }),
      ).toBe('included_limit_reached');
      await story.news();
      // The 250 exports and 5 seats above the plan's limits are charged neither in arrears nor in advance.
      await story.on('2028-03-01');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2028-02-29..2028-03-31 3400 = plan_base 3400'],
        events: renewed,
      });
      expect(await exportsLeft(story)).toEqual([100, null]);
      expect(await story.do('GET', '/seats/balance?customerId=ada&featureCode=editors')).toMatchObject({
        current: 8,
      });
      expect(
        await story.rejected('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 1 }),
      ).toBe('included_limit_reached');
    }));

  /** Cove adds overage for exports at 0.05 and for seats at 9.00, effective at the next renewal (CAT-48). */
  async function sellMore(story: Story, planId: string): Promise<void> {
    const features = await story.do<{ data: { id: string; code: string }[] }>('GET', '/features');
    for (const { id, code } of features.data) {
      const unitPrice = code === 'exports' ? 500 : 90_000;
      await story.do('PATCH', `/plans/${planId}/features/${id}`, { overage: { enabled: true, unitPrice } });
    }
  }

  it('leaves no usage to bill if it ends with the usage window, even if overage was added to the plan (SUB-54)', () =>
    runStory(t, '2027-09-17T09:00:00Z', async (story) => {
      const ada = await open(story);
      await grant(story, ada, cycles(2));
      await sellMore(story, ada.coveId);
      await story.on('2027-10-20T10:00:00Z');
      await story.do('POST', '/usage/events', use(400));
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 8 });
      await story.on('2027-11-16T00:00:00Z');
      await story.news();
      await story.on('2027-11-17');
      // The grant ends before the renewal. Usage during the grant remains free, and the remaining seats are charged from this date.
      expect(await story.news()).toEqual({
        documents: [
          'INV-0003 recurring paid 2027-11-17..2027-12-17 7900 = plan_base 3400 + feature_seats 4500',
        ],
        events: [...expired, 'invoice.created', 'payment.received'],
      });
      await story.do('POST', '/usage/events', use(130));
      await story.on('2027-12-15');
      await story.news();
      await story.on('2027-12-17');
      expect((await story.news()).documents).toEqual([
        'INV-0004 recurring paid 2027-12-17..2028-01-17 8050 = plan_base 3400 + feature_overage 150 + feature_seats 4500',
      ]);
    }));

  it('leaves only later usage to bill if it ends within a usage window and overage was added to the plan (SUB-54)', () =>
    runStory(t, '2027-09-17T09:00:00Z', async (story) => {
      const ada = await open(story);
      const { id } = await grant(story, ada, { duration: 'until_revoked' });
      await sellMore(story, ada.coveId);
      await story.on('2027-10-20T10:00:00Z');
      await story.do('POST', '/usage/events', use(400));
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 8 });
      await story.do('POST', `/customers/ada/plan-grants/${id}/revoke`, { reason: 'Enough.' });
      // 400 exports were used, and Cove now charges overage: 30 more exports at 0.05 cost 1.50. A ninth seat for 7 of 31 days costs 9.00 ×
      // 7 ÷ 31 = 2.03.
      await story.do('POST', '/usage/events', use(30));
      await story.on('2027-11-10T10:00:00Z');
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'editors', count: 1 });
      await story.on('2027-11-16');
      await story.news();
      await story.on('2027-11-17');
      expect((await story.news()).documents).toEqual([
        'INV-0003 recurring paid 2027-11-17..2027-12-17 9153 = plan_base 3400 + feature_overage 150 + feature_seats true_up 203 + feature_seats 5400',
      ]);
    }));

  it('can be revoked immediately, and followed by another plan grant', () =>
    runStory(t, '2027-03-01T09:00:00Z', async (story) => {
      const ada = await open(story);
      const { id } = await grant(story, ada, { duration: 'until_revoked' });
      expect(
        await story.rejected('POST', '/customers/ada/plan-grants', {
          subscriptionId: ada.id,
          planId: ada.ridgeId,
          reason: 'Twice.',
          duration: 'until_revoked',
        }),
      ).toBe('duplicate');
      await story.do('POST', `/customers/ada/plan-grants/${id}/revoke`, { reason: 'Enough.' });
      expect(await story.news()).toEqual({ documents: [], events: [...granted, ...revoked] });
      expect(await exportsLeft(story)).toEqual([100, null]);
      expect(
        await story.rejected('PATCH', `/customers/ada/plan-grants/${id}`, {
          reason: 'Again.',
          duration: 'until_revoked',
        }),
      ).toBe('not_found');
      const second = await grant(story, ada, cycles(1));
      const { data } = await story.do<{ data: Grant[] }>('GET', '/customers/ada/plan-grants');
      expect(data.map((row) => [row.id, row.status])).toEqual([
        [second.id, 'active'],
        [id, 'revoked'],
      ]);
    }));

  it.each([
    ['immediately', { immediate: true }, '2027-03-10', []],
    [
      'with the period',
      {},
      '2027-04-01',
      ['subscription.cancellation_scheduled', 'subscription.updated', 'state cancellation_scheduled'],
    ],
  ] as const)('ends with the subscription, which is canceled %s (SUB-28)', (_when, body, end, before) =>
    runStory(t, '2027-03-01T09:00:00Z', async (story) => {
      const ada = await open(story);
      await grant(story, ada, { duration: 'until_revoked' });
      await story.on('2027-03-10T12:00:00Z');
      await story.do('POST', `/subscriptions/${ada.id}/cancel`, body);
      await story.on('2027-05-01');
      expect(await story.news()).toEqual({
        documents: [],
        events: [...granted, ...before, ...revoked, 'subscription.canceled', 'state subscription_canceled'],
      });
      expect(await story.state(ada)).toBe(`canceled ${end}`);
      type Ended = { status: string; events: { type: string; source: string }[] };
      const { data } = await story.do<{ data: Ended[] }>('GET', '/customers/ada/plan-grants');
      expect(data).toMatchObject([
        {
          status: 'revoked',
          events: [
            { type: 'created', source: 'api' },
            { type: 'revoked', source: 'system' },
          ],
        },
      ]);
    }),
  );

  it('spans several monthly usage windows on a yearly plan, each with the granted allowance', () =>
    runStory(t, '2027-01-31T09:00:00Z', async (story) => {
      const ada = await open(story, { price: 34_000, billingInterval: 'yearly' });
      const { expiresAt } = await grant(story, ada, cycles(1));
      expect(expiresAt).toBe('2028-01-31T00:00:00.000Z');
      await story.do('POST', '/usage/events', use(500));
      await story.on('2027-02-28');
      expect(await exportsLeft(story)).toEqual([500, 100]);
      await story.news();
      await story.on('2028-01-31');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2028-01-31..2029-01-31 34000 = plan_base 34000'],
        events: ['invoice.upcoming', ...expired, 'invoice.created', 'payment.received'],
      });
    }));

  it.each([
    ['ends with a change to the granted plan', 'ridge', revoked, [500, null]],
    ['continues after a change to a plan below the granted plan', 'delta', [], [500, 250]],
  ] as const)('%s (SUB-45)', (_what, code, ends, left) =>
    runStory(t, '2027-03-01T09:00:00Z', async (story) => {
      const { id: planGroupId } = await story.do<{ id: string }>('POST', '/plan-groups', { name: 'All' });
      const plans: Record<string, string> = {};
      for (const [name, price, includedAmount] of [
        ['cove', 3_400, 100],
        ['delta', 5_000, 250],
        ['ridge', 9_000, 500],
      ] as const) {
        plans[name] = (
          await story.sell(name, {
            plan: { planGroupId },
            price: { price },
            features: { exports: { includedAmount } },
          })
        ).id;
      }
      const ada = await story.active('ada', 'cove');
      await grant(story, { ...ada, ridgeId: plans['ridge'] ?? '' }, { duration: 'until_revoked' });
      await story.do('POST', '/usage/events', use(400));
      await story.on('2027-03-16T09:00:00Z');
      await story.news();
      await story.do('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: plans[code] });
      const { documents, events } = await story.news();
      // A credit of 34.00 × 16 ÷ 31 = 17.55, and no charge for the 400 exports.
      const [price, total] = code === 'ridge' ? [9_000, 7_245] : [5_000, 3_245];
      expect(documents).toEqual([
        `INV-0002 plan_change paid 2027-03-16..2027-04-16 ${total} = plan_base ${price} + credit -1755`,
      ]);
      expect(events).toEqual([
        'invoice.created',
        'payment.received',
        'subscription.plan_changed',
        'state plan_change',
        ...ends,
      ]);
      expect(await exportsLeft(story)).toEqual(left);
    }),
  );
});
