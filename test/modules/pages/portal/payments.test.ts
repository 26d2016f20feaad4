import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createAddon, mendMethods } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { card, visit } from './visit.ts';

// Payments in the portal: outstanding amounts, other cards, reactivation, and purchases (PLT-31, PLT-32).

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const cove = { price: { price: 3_400 } };

/** Creates a subscriber whose renewal on February 28 was declined. */
async function pastDue(story: Story): Promise<string> {
  await story.sell('cove', cove);
  const { id } = await story.active('ada', 'cove', cards.declinesLater);
  await story.on('2027-02-28');
  await story.news();
  return id;
}

describe('the outstanding amount in the portal', () => {
  it("can be paid in 3 attempts per day of the test clock, which don't affect payment retries (BIL-42, BIL-47)", () =>
    runStory(t, '2027-01-31', async (story) => {
      const id = await pastDue(story);
      const portal = await visit(story);
      const overdue = {
        status: 'past_due',
        outstandingAmount: 3_400,
        canPurchase: false,
        nextRetryAt: '2027-03-01T00:00:00.000Z',
        accessEndsAt: '2027-03-07T00:00:00.000Z',
      };
      const seen = 'status outstandingAmount canPurchase nextRetryAt accessEndsAt';
      expect(await portal.see(seen)).toEqual(overdue);
      expect(await portal.declined('portalPaymentRetry')).toBe('charge_failed');
      expect(await portal.declined('portalPaymentRetry', { card: card(cards.declines) })).toBe(
        'charge_failed',
      );
      expect(await portal.declined('portalPaymentRetry')).toBe('charge_failed');
      expect(await portal.rejected('portalPaymentRetry')).toBe('rate_limited');
      // The story's clock is frozen at the start of the day.
      expect(await portal.rejection('portalPaymentRetry')).toMatchObject({ retryAfter: 86_400 });
      expect(await portal.see(seen)).toEqual(overdue);
      expect(await story.news()).toEqual({ documents: [], events: [] });
      await story.on('2027-03-01T00:00:01Z');
      const next = await visit(story);
      expect(await next.see(seen)).toEqual({ ...overdue, nextRetryAt: '2027-03-03T00:00:00.000Z' });
      const paid = 'status outstandingAmount nextRetryAt accessEndsAt paymentMethod { last4 }';
      expect(await next.do('portalPaymentRetry', { card: card() }, paid)).toEqual({
        status: 'active',
        outstandingAmount: null,
        nextRetryAt: null,
        accessEndsAt: null,
        paymentMethod: { last4: '4242' },
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0002 recurring paid 2027-02-28..2027-03-31 3400 = plan_base 3400'],
        events: [
          'invoice.overdue',
          'payment_method.updated',
          'payment.received',
          'payment.recovered',
          'state subscription_activated',
        ],
      });
      expect(await story.state({ id, customerId: 'ada', token: null })).toBe('active 2027-03-31');
    }));

  it('can be paid with a new stored card (SUB-36, PAY-34)', () =>
    runStory(t, '2027-01-31', async (story) => {
      await pastDue(story);
      const portal = await visit(story);
      expect(
        await portal.do('portalPaymentMethodStore', { card: card() }, 'status paymentMethod { last4 }'),
      ).toEqual({
        status: 'past_due',
        paymentMethod: { last4: '4242' },
      });
      expect((await portal.do('portalPaymentRetry'))['status']).toBe('active');
      expect((await story.news()).events).toEqual([
        'payment_method.updated',
        'payment.received',
        'payment.recovered',
        'state subscription_activated',
      ]);
    }));

  it('is collected once for simultaneous requests', () =>
    runStory(t, '2027-01-31', async (story) => {
      await pastDue(story);
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      const portal = await visit(story);
      const ask = () =>
        portal.do('portalPaymentRetry').then(
          () => 'paid',
          () => 'refused',
        );
      expect((await Promise.all([ask(), ask()])).sort()).toEqual(['paid', 'refused']);
      expect((await story.news()).events).toEqual([
        'payment.received',
        'payment.recovered',
        'state subscription_activated',
      ]);
    }));

  it("can't be paid if it's 0, and invalid card details don't use up a payment attempt", () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('cove', cove);
      await story.active('bo', 'cove');
      expect(await (await visit(story, 'bo')).rejected('portalPaymentRetry')).toBe(
        'invalid_subscription_status',
      );
      await story.active('ada', 'cove', cards.declinesLater);
      await story.on('2027-02-28');
      const portal = await visit(story);
      for (let count = 0; count < 4; count++) {
        expect(await portal.rejected('portalPaymentRetry', { card: card('4242424242424241') })).toBe(
          'validation_error',
        );
      }
      expect(await portal.declined('portalPaymentRetry')).toBe('charge_failed');
    }));
});

describe('a former subscriber in the portal', () => {
  it('can reactivate with the stored card while the plan is public (SUB-31, PLT-31)', () =>
    runStory(t, '2027-01-31', async (story) => {
      const plan = await story.sell('cove', cove);
      const { id } = await story.active('ada', 'cove');
      const portal = await visit(story);
      expect(await portal.rejected('portalSubscriptionReactivate')).toBe('invalid_subscription_status');
      await story.do('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      await story.do('PUT', `/plans/${plan.id}/visibility`, { isPublic: false });
      expect(await portal.see('canReactivate')).toEqual({ canReactivate: false });
      expect(await portal.rejected('portalSubscriptionReactivate')).toBe('plan_unavailable');
      await story.do('PUT', `/plans/${plan.id}/visibility`, { isPublic: true });
      expect(await portal.see('canReactivate')).toEqual({ canReactivate: true });
      await story.news();
      expect((await portal.do('portalSubscriptionReactivate'))['status']).toBe('active');
      expect(await story.news()).toEqual({
        documents: ['INV-0002 reactivation paid 2027-01-31..2027-02-28 3400 = plan_base 3400'],
        events: [
          'invoice.created',
          'payment.received',
          'subscription.reactivated',
          'state subscription_activated',
        ],
      });
    }));
});

describe('a portal purchase', () => {
  it('charges an add-on for the remaining days of the period, as previewed (PLT-32, SUB-71)', () =>
    runStory(t, '2027-04-05', async (story) => {
      await story.sell('cove', cove);
      await story.active('ada', 'cove');
      const addon = await createAddon(story.shop, { basePrice: 1_450 });
      await createAddon(story.shop, {
        basePrice: 900,
        consumptionModel: 'credits',
        creditCost: 2,
        featureId: await usageFeature(story),
      });
      await story.on('2027-04-22T15:00:00Z');
      await story.news();
      const portal = await visit(story);
      // 14.50 × 13 ÷ 30 days = 6.2833. The credits add-on isn't available on a metered plan.
      const before = await portal.see(
        'canPurchase canTopUp creditPacks { id: creditPackId } addons { id: addonId } offeredAddons { id: addonId amountDue currency }',
      );
      expect(before).toEqual({
        canPurchase: true,
        canTopUp: false,
        creditPacks: [],
        addons: [],
        offeredAddons: [{ id: addon.id, amountDue: 628, currency: 'usd' }],
      });
      const after = await portal.do(
        'portalAddonActivate',
        { addonId: addon.id },
        'addons { id: addonId since } offeredAddons { id: addonId }',
      );
      expect(after).toEqual({
        addons: [{ id: addon.id, since: '2027-04-22T15:00:00.000Z' }],
        offeredAddons: [],
      });
      expect((await story.news()).documents).toEqual([
        'INV-0002 addon_activation paid 2027-04-22 628 = addon_base 628',
      ]);
      expect(await portal.rejected('portalAddonActivate', { addonId: addon.id })).toBe(
        'addon_already_active',
      );
      expect(
        await portal.do('portalAddonDeactivate', { addonId: addon.id }, 'addons { id: addonId }'),
      ).toEqual({
        addons: [],
      });
      expect(await portal.rejected('portalAddonDeactivate', { addonId: addon.id })).toBe('addon_not_active');
    }));

  it('requires a card for the first purchase on a free plan, and then stores the card (PLT-31)', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('free', { plan: { isFree: true } });
      await story.active('ada', 'free');
      const addon = await createAddon(story.shop, { basePrice: 2_800 });
      const portal = await visit(story);
      await story.news();
      expect(await portal.see('offeredAddons { amountDue }')).toEqual({
        offeredAddons: [{ amountDue: 2_800 }],
      });
      expect(await portal.rejected('portalAddonActivate', { addonId: addon.id })).toBe('no_payment_method');
      expect(
        await portal.do(
          'portalAddonActivate',
          { addonId: addon.id, card: card() },
          'addons { id: addonId } paymentMethod { last4 }',
        ),
      ).toEqual({
        addons: [{ id: addon.id }],
        paymentMethod: { last4: '4242' },
      });
      expect(await story.news()).toEqual({
        documents: ['INV-0001 addon_activation paid 2027-01-31 2800 = addon_base 2800'],
        events: [
          'payment_method.attached',
          'invoice.created',
          'payment.received',
          'addon.activated',
          'state addon_activated',
        ],
      });
    }));

  it('offers credits on a credits plan and top-ups on a balance plan, but no purchases while an amount is outstanding (SUB-2)', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('packs', {
        plan: { consumptionModel: 'credits' },
        price: { price: 2_900, includedCredits: 100 },
        features: { calls: { creditsPerUnit: 1 } },
      });
      await story.sell('money', {
        plan: { consumptionModel: 'balance', blockOnExhaustion: true },
        price: { price: 1_900, includedBalance: 100_000 },
        features: { calls: { pricingMode: 'fixed', overage: { unitPrice: 250 } } },
      });
      await story.active('ada', 'packs', cards.declinesLater);
      await story.active('bo', 'money');
      const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
        name: 'Busy week',
        credits: 50,
        price: 1_250,
      });
      const [ada, bo] = [await visit(story), await visit(story, 'bo')];
      expect(
        await ada.see('canTopUp creditPacks { id: creditPackId name credits amountDue currency }'),
      ).toEqual({
        canTopUp: false,
        creditPacks: [{ id: pack.id, name: 'Busy week', credits: 50, amountDue: 1_250, currency: 'usd' }],
      });
      expect(await ada.declined('portalCreditsPurchase', { creditPackId: pack.id })).toBe('charge_failed');
      expect(
        await ada
          .do(
            'portalCreditsPurchase',
            { creditPackId: pack.id, card: card(cards.declinesLater) },
            'credits { remaining }',
          )
          .catch(() => null),
      ).toBeNull();
      expect(await bo.see('canTopUp creditPacks { id: creditPackId }')).toEqual({
        canTopUp: true,
        creditPacks: [],
      });
      expect(await bo.do('portalBalanceTopUp', { amount: 700 }, 'balance { remaining }')).toEqual({
        balance: { remaining: 170_000 },
      });
      expect(await bo.rejected('portalBalanceTopUp', { amount: 0 })).toBe('validation_error');
      await story.on('2027-02-28');
      const late = await visit(story);
      expect(await late.see('status canPurchase creditPacks { id: creditPackId }')).toEqual({
        status: 'past_due',
        canPurchase: false,
        creditPacks: [],
      });
      expect(await late.rejected('portalCreditsPurchase', { creditPackId: pack.id })).toBe(
        'subscription_not_active',
      );
    }));
});

async function usageFeature(story: Story): Promise<string> {
  return (
    await story.do<{ id: string }>('POST', '/features', { name: 'Calls', code: 'calls', type: 'usage' })
  ).id;
}
