import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cards, createAddon, createClimber, createCredit, mendMethods } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { runStory, type Story } from '../../../support/story.ts';
import { type Visit, visit } from './visit.ts';

// Previews of portal actions match their actual effects to the cent.

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Charge = { date: string; amount: number; isFinal: boolean; currency: string };
type Emitted = {
  amountDue: number;
  currency: string;
  lineItems: { lineType: string; amount: number }[];
  tax: { amount: number } | null;
  requiresCheckout: boolean;
  effectiveDate: string;
  accessUntil: string | null;
  laterCharges: Charge[];
  amountDueLater: number;
  isFinal: boolean;
  amountWithdrawn: number;
  creditsLost: number | null;
  poolsLost: readonly { asset: string; amount: number; unit: { name: string } | null }[];
  balanceLost: number | null;
  expiresAt: string | null;
  nextCharge: Charge | null;
  nextChargeWithout: Charge | null;
};
const charge = '{ date amount isFinal currency }';
const everything = `amountDue currency lineItems { lineType amount } tax { amount } requiresCheckout effectiveDate accessUntil laterCharges ${charge}
  amountDueLater isFinal amountWithdrawn creditsLost balanceLost poolsLost { asset amount unit { name } } expiresAt nextCharge ${charge} nextChargeWithout ${charge}`;

const emitted = async (portal: Visit, action: object): Promise<Emitted> =>
  (await portal.preview(action, everything)) as Emitted;
const at = (day: string): string => `${day}T00:00:00.000Z`;
const use = (story: Story, value: number, customerId = 'ada') =>
  story.do('POST', '/usage/events', { customerId, featureCode: 'calls', value });
/** Returns the new documents from a story, without their invoice numbers. */
const documents = async (story: Story): Promise<string[]> =>
  (await story.news()).documents.map((text) => text.replace(/^INV-\d+ /, ''));
const cove = { price: { price: 3_400 } };

describe('the cancellation preview in the portal', () => {
  it('includes usage to date, which is charged when access ends', () =>
    runStory(t, '2027-03-28', async (story) => {
      const calls = { includedAmount: 2_900, overage: { enabled: true, unitPrice: 25 } };
      await story.sell('metered', { price: { price: 2_900 }, features: { calls } });
      await story.active('ada', 'metered');
      const portal = await visit(story);
      await story.news();
      const end = at('2027-04-28');
      const rest = {
        amountDue: 0,
        lineItems: [],
        tax: null,
        requiresCheckout: false,
        effectiveDate: end,
        accessUntil: end,
        expiresAt: null,
      };
      const nothingLost = {
        amountWithdrawn: 0,
        creditsLost: null,
        balanceLost: null,
        poolsLost: [],
        currency: 'usd',
      };
      // The customer has no usage yet, but later usage can still be charged.
      expect(await emitted(portal, { cancel: {} })).toEqual({
        ...rest,
        ...nothingLost,
        laterCharges: [],
        amountDueLater: 0,
        isFinal: false,
        nextCharge: null,
        nextChargeWithout: { date: end, amount: 2_900, isFinal: false, currency: 'usd' },
      });
      await use(story, 200_000);
      // 197,100 units above the 2,900 included units cost 0.0025 each.
      const last = { date: end, amount: 49_275, isFinal: false, currency: 'usd' };
      expect(await emitted(portal, { cancel: {} })).toEqual({
        ...rest,
        ...nothingLost,
        laterCharges: [last],
        amountDueLater: 49_275,
        isFinal: false,
        nextCharge: last,
        nextChargeWithout: { ...last, amount: 52_175 },
      });
      expect(await story.news()).toEqual({ documents: [], events: ['usage.recorded', 'quota.exceeded'] });
      await portal.do('portalSubscriptionCancel');
      expect(await portal.previewRejected({ cancel: {} })).toBe('already_scheduled');
      await story.on('2027-04-29');
      expect(await documents(story)).toEqual([
        'overage paid 2027-03-28..2027-04-28 49275 = feature_overage 49275',
      ]);
    }));

  it('lists each charge until the end of a yearly period: first for the usage window, then for seats', () =>
    runStory(t, '2027-01-01', async (story) => {
      await story.sell('yearly', {
        price: { billingInterval: 'yearly', price: 30_000 },
        features: {
          calls: { includedAmount: 10, overage: { enabled: true, unitPrice: 10_000 } },
          seats: { type: 'seats', includedAmount: 1, overage: { enabled: true, unitPrice: 365_000 } },
        },
      });
      await story.active('ada', 'yearly');
      await use(story, 15);
      await story.on('2027-11-22');
      await use(story, 12);
      await story.do('POST', '/seats', { customerId: 'ada', featureCode: 'seats', count: 2 });
      await documents(story);
      const portal = await visit(story);
      // Two units for 1.00 each on December 1. One additional seat at 36.50 for 40 of 365 days on January 1.
      const of = { isFinal: false, currency: 'usd' };
      const window = { ...of, date: at('2027-12-01'), amount: 200 };
      expect(await emitted(portal, { cancel: {} })).toMatchObject({
        laterCharges: [window, { ...of, date: at('2028-01-01'), amount: 400 }],
        amountDueLater: 600,
        nextCharge: window,
        nextChargeWithout: window,
      });
      await portal.do('portalSubscriptionCancel');
      await story.on('2028-01-02');
      expect(
        (await documents(story)).map((text) => text.replace(/^(\S+ \S+) \S+ (\d+) = .*/, '$1 $2')),
      ).toEqual(['overage paid 200', 'overage paid 400']);
    }));

  it('shows usage below the minimum charge as 0, and that access ends immediately for free and past-due subscriptions', () =>
    runStory(t, '2027-01-31', async (story) => {
      const calls = { includedAmount: 10, overage: { enabled: true, unitPrice: 1_000 } };
      await story.sell('metered', { ...cove, features: { calls } });
      await story.active('ada', 'metered');
      await use(story, 13);
      const ada = await visit(story);
      // Three units at 0.10 each are below the minimum charge.
      expect(await emitted(ada, { cancel: {} })).toMatchObject({
        amountDueLater: 0,
        laterCharges: [{ amount: 0 }],
      });
      await story.sell('free', { plan: { isFree: true } });
      await story.active('bo', 'free');
      const bo = await visit(story, 'bo');
      expect(await emitted(bo, { cancel: {} })).toMatchObject({
        accessUntil: at('2027-01-31'),
        effectiveDate: at('2027-01-31'),
        isFinal: true,
        amountDueLater: 0,
      });
      await story.active('cy', 'metered', cards.declinesLater);
      await story.on('2027-03-01');
      const cy = await visit(story, 'cy');
      expect(await emitted(cy, { cancel: {} })).toMatchObject({
        accessUntil: at('2027-03-01'),
        amountWithdrawn: 3_400,
        amountDueLater: 0,
        isFinal: true,
        nextCharge: null,
        nextChargeWithout: null,
      });
    }));

  it('lists the credits and balance that the customer loses, and the charge for a negative balance', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('packs', {
        plan: { consumptionModel: 'credits' },
        price: { price: 2_900, includedCredits: 100 },
        features: { calls: { creditsPerUnit: 1 } },
      });
      await story.sell('money', {
        plan: { consumptionModel: 'balance', blockOnExhaustion: false },
        price: { price: 1_900, includedBalance: 100_000 },
        features: { calls: { pricingMode: 'fixed', overage: { unitPrice: 250 } } },
      });
      await story.active('ada', 'packs');
      await story.active('bo', 'money');
      await use(story, 30);
      const [ada, bo] = [await visit(story), await visit(story, 'bo')];
      expect(await emitted(ada, { cancel: {} })).toMatchObject({
        creditsLost: 70,
        poolsLost: [{ asset: 'credits', amount: 70, unit: null }],
        balanceLost: null,
        isFinal: true,
        laterCharges: [],
      });
      expect(await emitted(bo, { cancel: {} })).toMatchObject({
        creditsLost: null,
        balanceLost: 1_000,
        poolsLost: [{ asset: 'usd', amount: 100_000, unit: null }],
        isFinal: false,
        laterCharges: [],
      });
      await use(story, 600, 'bo');
      // 600 units at 0.025 each cost 15.00, which exceeds the balance of 10.00 by 5.00.
      expect(await emitted(bo, { cancel: {} })).toMatchObject({
        balanceLost: 0,
        poolsLost: [],
        amountDueLater: 500,
      });
      await bo.do('portalSubscriptionCancel');
      await documents(story);
      // After the scheduled cancellation is canceled, the renewal also charges the negative balance.
      expect(await emitted(bo, { uncancel: {} })).toMatchObject({
        amountDue: 0,
        accessUntil: null,
        nextCharge: { date: at('2027-02-28'), amount: 2_400 },
        nextChargeWithout: { date: at('2027-02-28'), amount: 500 },
      });
      await story.on('2027-03-01');
      expect(await documents(story)).toContain(
        'overage paid 2027-01-31..2027-02-28 500 = balance_overage 500',
      );
    }));
});

describe('the purchase preview in the portal', () => {
  it("includes an add-on's price now and at each renewal, and the savings if the add-on is removed", () =>
    runStory(t, '2027-04-05', async (story) => {
      await t.settings({ country: 'DE' }, story.shop.environmentId);
      const register =
        'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }';
      await story.ask(register, { input: { country: 'DE' } });
      await story.sell('cove', cove);
      await story.active(
        'ada',
        'cove',
        undefined,
        {},
        { address: { line1: '1', city: 'B', postalCode: '1', country: 'DE' } },
      );
      const { id: addonId } = await createAddon(story.shop, { basePrice: 1_450 });
      await story.on('2027-04-22T15:00:00Z');
      await story.news();
      const portal = await visit(story);
      // 14.50 × 13 ÷ 30 days is 6.28, plus 19% (1.19). Renewals are 34.00 + 14.50, plus 19%.
      const preview = await emitted(portal, { addonActivate: { addonId } });
      expect(preview).toMatchObject({
        amountDue: 747,
        lineItems: [{ lineType: 'addon_base', amount: 628 }],
        tax: { amount: 119 },
        effectiveDate: '2027-04-22T15:00:00.000Z',
        accessUntil: null,
        nextCharge: { date: at('2027-05-05'), amount: 5_772, currency: 'usd' },
        nextChargeWithout: { date: at('2027-05-05'), amount: 4_046 },
      });
      await portal.do('portalAddonActivate', { addonId }, 'addons { addonId }');
      expect(await documents(story)).toEqual([
        'addon_activation paid 2027-04-22 747 = addon_base 628 + tax 119',
      ]);
      expect(await emitted(portal, { addonDeactivate: { addonId } })).toMatchObject({
        amountDue: 0,
        lineItems: [],
        nextCharge: { amount: 4_046 },
        nextChargeWithout: { amount: 5_772 },
      });
      expect(await portal.previewRejected({ addonActivate: { addonId } })).toBe('addon_already_active');
      await story.on('2027-05-06');
      expect(await documents(story)).toEqual([
        'recurring paid 2027-05-05..2027-06-05 5772 = plan_base 3400 + addon_base 1450 + tax 922',
      ]);
    }));

  it("includes the price and expiration of credits and balance, and doesn't require a card", () =>
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
      await story.sell('free', { plan: { isFree: true } });
      await story.active('ada', 'packs', cards.declinesLater);
      await story.active('bo', 'money');
      await story.active('cy', 'free');
      const pack = await story.do<{ id: string }>('POST', '/credit-packs', {
        name: 'Busy week',
        credits: 50,
        price: 1_250,
      });
      const { id: addonId } = await createAddon(story.shop, { basePrice: 2_800 });
      const [ada, bo, cy] = [await visit(story), await visit(story, 'bo'), await visit(story, 'cy')];
      const renewal = { date: at('2027-02-28'), isFinal: true, currency: 'usd' };
      // The preview assumes a successful charge, regardless of the card.
      expect(await emitted(ada, { creditsPurchase: { creditPackId: pack.id } })).toMatchObject({
        amountDue: 1_250,
        expiresAt: null,
        nextCharge: { ...renewal, amount: 2_900 },
        nextChargeWithout: { ...renewal, amount: 2_900 },
      });
      expect(await emitted(bo, { balanceTopUp: { amount: 900 } })).toMatchObject({
        amountDue: 900,
        expiresAt: at('2027-02-28'),
        nextCharge: { ...renewal, amount: 1_900 },
      });
      expect(await emitted(cy, { addonActivate: { addonId } })).toMatchObject({
        amountDue: 2_800,
        nextCharge: { date: at('2027-02-28'), amount: 2_800 },
        nextChargeWithout: null,
      });
      expect(await ada.previewRejected({ balanceTopUp: { amount: 900 } })).toBe('validation_error');
      expect(await bo.previewRejected({ balanceTopUp: { amount: 0 } })).toBe('validation_error');
      expect(await bo.previewRejected({})).toBe('validation_error');
    }));
});

describe('the preview of a plan change, payment retry, or reactivation in the portal', () => {
  it('includes immediate charges, later charges, checkout charges, and the next regular charge', () =>
    runStory(t, '2027-03-09', async (story) => {
      const { customerId, highId, lowId, freeId } = await createClimber(story.shop);
      await createCredit(story.shop, customerId, { amount: 1_000 });
      await story.on('2027-03-27T16:20:00Z');
      const { externalId } = await story.do<{ externalId: string }>('GET', `/customers/${customerId}`);
      const portal = await visit(story, externalId);
      await story.news();
      // The price of 118.00, minus 14.26 for 13 of 31 days, minus the customer credit of 10.00.
      const upgrade = { planChange: { planId: highId, billingInterval: 'monthly' } };
      expect(await emitted(portal, upgrade)).toMatchObject({
        amountDue: 9_374,
        requiresCheckout: false,
        effectiveDate: '2027-03-27T16:20:00.000Z',
        nextCharge: { date: at('2027-04-27'), amount: 11_800 },
        nextChargeWithout: { date: at('2027-04-09'), amount: 2_400 },
      });
      await portal.do('portalPlanChange', upgrade.planChange, 'outcome');
      expect((await documents(story)).map((text) => text.replace(/ = .*/, ''))).toEqual([
        'plan_change paid 2027-03-27..2027-04-27 9374',
      ]);
      const downgrade = { planChange: { planId: lowId, billingInterval: 'monthly' } };
      expect(await emitted(portal, downgrade)).toMatchObject({
        amountDue: 0,
        effectiveDate: at('2027-04-27'),
        accessUntil: null,
        nextCharge: { date: at('2027-04-27'), amount: 3_400 },
        nextChargeWithout: { date: at('2027-04-27'), amount: 11_800 },
      });
      await portal.do('portalPlanChange', downgrade.planChange, 'outcome');
      expect(await emitted(portal, { scheduledChangeRevoke: {} })).toMatchObject({
        nextCharge: { amount: 11_800 },
        nextChargeWithout: { amount: 3_400 },
      });
      const free = { planChange: { planId: freeId } };
      expect(await emitted(portal, free)).toMatchObject({
        effectiveDate: at('2027-04-27'),
        nextCharge: null,
      });
      await portal.do('portalPlanChange', free.planChange, 'outcome');
      await story.on('2027-04-28');
      expect(await documents(story)).toEqual([]);
      const later = await visit(story, externalId);
      expect(await emitted(later, downgrade)).toMatchObject({
        amountDue: 3_400,
        requiresCheckout: true,
        nextCharge: { date: at('2027-05-28'), amount: 3_400 },
        nextChargeWithout: null,
      });
      expect(await story.news()).toMatchObject({ documents: [] });
    }));

  it('includes the outstanding amount and the next charge for a payment retry and a reactivation', () =>
    runStory(t, '2027-01-31', async (story) => {
      await story.sell('cove', cove);
      const { id } = await story.active('ada', 'cove', cards.declinesLater);
      const early = await visit(story);
      expect(await early.previewRejected({ paymentRetry: {} })).toBe('invalid_subscription_status');
      expect(await early.previewRejected({ reactivate: {} })).toBe('invalid_subscription_status');
      await story.on('2027-02-28');
      const portal = await visit(story);
      expect(await emitted(portal, { paymentRetry: {} })).toMatchObject({
        amountDue: 3_400,
        lineItems: [{ lineType: 'plan_base', amount: 3_400 }],
        nextCharge: { date: at('2027-03-31'), amount: 3_400 },
        nextChargeWithout: null,
      });
      await story.do('POST', `/subscriptions/${id}/cancel`, { immediate: true });
      await mendMethods(story.shop, (await story.do<{ id: string }>('GET', '/customers/ada')).id);
      await story.on('2027-03-10');
      await story.news();
      const gone = await visit(story);
      expect(await emitted(gone, { reactivate: {} })).toMatchObject({
        amountDue: 3_400,
        effectiveDate: at('2027-03-10'),
        nextCharge: { date: at('2027-04-10'), amount: 3_400 },
      });
      await gone.do('portalSubscriptionReactivate');
      await story.on('2027-04-11');
      expect(await documents(story)).toEqual([
        'reactivation paid 2027-03-10..2027-04-10 3400 = plan_base 3400',
        'recurring paid 2027-04-10..2027-05-10 3400 = plan_base 3400',
      ]);
    }));
});
