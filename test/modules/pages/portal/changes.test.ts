import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createPlanGroup } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { visit } from './visit.ts';

// Plan and interval changes in the portal (PLT-31, chapter 20, section 7).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const options = 'planOptions { planName billingInterval price currency timing amountDue effectiveDate }';
const option = (
  planName: string,
  billingInterval: string | null,
  price: number,
  timing: string,
  amountDue: number,
  date: string,
) => ({
  planName,
  billingInterval,
  price,
  currency: 'usd',
  timing,
  amountDue,
  effectiveDate: date,
});

/**
 * Creates a group with a free plan, a plan for 34.00 a month or 336.00 a year, and a plan for 118.00 a month.
 */
async function ladder(story: Story) {
  const { id: planGroupId } = await createPlanGroup(story.shop);
  const free = await story.sell('free', { plan: { isFree: true, planGroupId } });
  const cove = await story.sell('cove', { plan: { planGroupId }, price: { price: 3_400 } });
  await story.do('POST', `/plans/${cove.id}/prices`, { billingInterval: 'yearly', price: 33_600 });
  const ridge = await story.sell('ridge', { plan: { planGroupId }, price: { price: 11_800 } });
  return { group: planGroupId, free, cove, ridge };
}

describe('a portal plan change', () => {
  it("shows each available plan's price, and charges exactly that price (SUB-E1, SUB-E3, SUB-39)", () =>
    runStory(t, '2027-03-09T10:00:00Z', async (story) => {
      const { ridge } = await ladder(story);
      await story.active('ada', 'cove');
      await story.on('2027-03-27T16:20:00Z');
      await story.news();
      const portal = await visit(story);
      const now = '2027-03-27T16:20:00.000Z';
      expect(await portal.see(options)).toEqual({
        planOptions: [
          option('free', null, 0, 'scheduled', 0, '2027-04-09T00:00:00.000Z'),
          // Credit for 13 of 31 remaining days at 34.00: 14.26.
          option('cove', 'yearly', 33_600, 'immediate', 33_600 - 1_426, now),
          option('ridge', 'monthly', 11_800, 'immediate', 11_800 - 1_426, now),
        ],
      });
      expect(
        await portal.do(
          'portalPlanChange',
          { planId: ridge.id, billingInterval: 'monthly' },
          'outcome checkoutUrl subscription { planName }',
        ),
      ).toEqual({
        outcome: 'completed',
        checkoutUrl: null,
        subscription: { planName: 'ridge' },
      });
      expect(await story.news()).toEqual({
        documents: [
          'INV-0002 plan_change paid 2027-03-27..2027-04-27 10374 = plan_base 11800 + credit -1426',
        ],
        events: ['invoice.created', 'payment.received', 'subscription.plan_changed', 'state plan_change'],
      });
      expect(await portal.rejected('portalPlanChange', { planId: ridge.id }, 'outcome')).toBe(
        'no_change_requested',
      );
    }));

  it("takes effect at the end of the period if it's a downgrade, and can be canceled until then (SUB-48)", () =>
    runStory(t, '2027-01-31', async (story) => {
      const { cove } = await ladder(story);
      await story.active('ada', 'ridge');
      await story.news();
      const portal = await visit(story);
      const waiting = 'outcome subscription { scheduledPlanChange { newPlanName scheduledFor } }';
      expect(await portal.do('portalPlanChange', { planId: cove.id }, waiting)).toEqual({
        outcome: 'scheduled',
        subscription: {
          scheduledPlanChange: { newPlanName: 'cove', scheduledFor: '2027-02-28T00:00:00.000Z' },
        },
      });
      expect(
        await portal.do('portalScheduledChangeRevoke', {}, 'scheduledPlanChange { newPlanName }'),
      ).toEqual({
        scheduledPlanChange: null,
      });
      expect(await portal.rejected('portalScheduledChangeRevoke')).toBe('no_change_requested');
      expect(await story.news()).toEqual({
        documents: [],
        events: ['subscription.plan_change_scheduled', 'subscription.plan_change_revoked'],
      });
    }));

  it('charges for an upgrade from a free plan at a checkout (SUB-47)', () =>
    runStory(t, '2027-01-31', async (story) => {
      const { cove } = await ladder(story);
      const ada = await story.active('ada', 'free');
      const portal = await visit(story);
      expect(await portal.see(options)).toMatchObject({
        planOptions: [{ timing: 'checkout', amountDue: 3_400 }, { amountDue: 33_600 }, { amountDue: 11_800 }],
      });
      const { checkoutUrl } = await portal.do(
        'portalPlanChange',
        { planId: cove.id, billingInterval: 'monthly' },
        'outcome checkoutUrl',
      );
      const token = String(checkoutUrl).split('/').at(-1) ?? null;
      await story.news();
      expect(await story.pay({ ...ada, token }, cards.pays)).toBe('paid');
      expect(await portal.see('planName price')).toEqual({ planName: 'cove', price: 3_400 });
      expect((await story.news()).documents).toEqual([
        'INV-0001 plan_change paid 2027-01-31..2027-02-28 3400 = plan_base 3400',
      ]);
    }));

  it('offers no other plans in a hidden group, but an API client can still change plans within the group (CAT-37a)', () =>
    runStory(t, '2027-01-31', async (story) => {
      const { ridge, group } = await ladder(story);
      const ada = await story.active('ada', 'cove');
      await story.do('PATCH', `/plan-groups/${group}`, { isPublic: false });
      const portal = await visit(story);
      expect(await portal.see('planOptions { planName billingInterval }')).toEqual({
        planOptions: [{ planName: 'cove', billingInterval: 'yearly' }],
      });
      expect(await portal.rejected('portalPlanChange', { planId: ridge.id }, 'outcome')).toBe(
        'plan_unavailable',
      );
      await story.do('POST', `/subscriptions/${ada.id}/change-plan`, { newPlanId: ridge.id });
    }));

  it("doesn't offer hidden plans, and rejects a change to a hidden plan (PLT-31)", () =>
    runStory(t, '2027-01-31', async (story) => {
      const { ridge } = await ladder(story);
      await story.do('PUT', `/plans/${ridge.id}/visibility`, { isPublic: false });
      await story.active('ada', 'cove');
      const portal = await visit(story);
      expect(await portal.see('planOptions { planName }')).toEqual({
        planOptions: [{ planName: 'free' }, { planName: 'cove' }],
      });
      expect(await portal.rejected('portalPlanChange', { planId: ridge.id }, 'outcome')).toBe(
        'plan_unavailable',
      );
    }));
});
