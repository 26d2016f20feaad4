import { Quittance } from '../sdk/index.ts';
import { clockRecipes } from './clock-recipes.ts';
import { paymentRecipes } from './payment-recipes.ts';
import {
  climb,
  createCustomer,
  createPlan,
  type FeatureTerms,
  type PlanTerms,
  type Recipe,
  rejected,
  type Stage,
  subscribe,
  subscribeWith,
  track,
  unique,
} from './recipe-stage.ts';
import { usageRecipes } from './usage-recipes.ts';

// Recipes for `trigger`: the requests that cause events in a sandbox. Each recipe creates its own customers and plans.

const setRetentionOffer = (offerId: string | null) =>
  [
    'mutation ($offerId: ID) { retentionOfferSet(input: { offerId: $offerId }) { id } }',
    { offerId },
  ] as const;

/** Accepts an offer in the portal instead of a cancellation. Restores the retention offer of the sandbox. */
async function retain(stage: Stage): Promise<void> {
  const { client, page } = stage;
  const { customerId } = await subscribe(stage, await createPlan(stage));
  const { id } = await client.offers.create({
    name: unique('offer'),
    phases: [{ type: 'percentage', percentage: 2_500, durationCycles: 3 }],
  });
  const { retentionOffer } = await client.graphql<{ retentionOffer: { id: string } | null }>(
    '{ retentionOffer { id } }',
  );
  await client.graphql(...setRetentionOffer(id));
  try {
    const { portalUrl } = await client.portal.sessionCreate({ customerId });
    const token = portalUrl.split('/').at(-1);
    const shown = await page.graphql<{
      portal: { subscription: { retentionOffer: { key: string } | null } };
    }>('query ($token: String!) { portal(token: $token) { subscription { retentionOffer { key } } } }', {
      token,
    });
    await page.graphql(
      'mutation ($input: PortalRetentionOfferAcceptInput!) { portalRetentionOfferAccept(input: $input) { status } }',
      { input: { token, key: shown.portal.subscription.retentionOffer?.key, reason: 'Too expensive' } },
    );
  } finally {
    await client.graphql(...setRetentionOffer(retentionOffer?.id ?? null));
  }
}

export const recipes: readonly Recipe[] = [
  {
    causes: ['customer.created', 'customer.updated'],
    run: async (stage) =>
      stage.client.customers.update((await createCustomer(stage)).id, { fullName: 'Grace Hopper' }),
  },
  {
    causes: [
      'subscription.created',
      'checkout.ready',
      'subscription.activated',
      'customer.state_changed',
      'invoice.created',
      'payment.received',
      'payment_method.attached',
    ],
    run: async (stage) => subscribe(stage, await createPlan(stage)),
  },
  {
    causes: [
      'subscription.cancellation_scheduled',
      'subscription.cancellation_revoked',
      'subscription.updated',
    ],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage));
      await stage.client.subscriptions.cancel(id);
      await stage.client.subscriptions.uncancel(id);
    },
  },
  {
    causes: ['subscription.canceled'],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage));
      await stage.client.subscriptions.cancel(id, { immediate: true });
    },
  },
  {
    causes: ['subscription.plan_changed'],
    run: async (stage) => {
      const { id, high } = await climb(stage);
      await stage.client.subscriptions.changePlan(id, { newPlanId: high.id });
    },
  },
  {
    causes: ['subscription.plan_change_scheduled'],
    run: async (stage) => {
      const { id, low, high } = await climb(stage);
      await stage.client.subscriptions.changePlan(id, { newPlanId: high.id });
      await stage.client.subscriptions.changePlan(id, { newPlanId: low.id });
    },
  },
  {
    causes: ['payment.refunded', 'credit_note.created'],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage));
      const { data } = await stage.client.transactions.list({ subscriptionIds: [id] });
      await stage.client.transactions.refund(data[0]?.id ?? '');
    },
  },
  {
    causes: ['payment_link.created', 'payment_link.canceled'],
    run: async ({ client }) => {
      const { id } = await client.payments.create({
        amount: 1_500,
        currency: 'usd',
        description: 'Workshop',
      });
      await client.payments.cancel(id);
    },
  },
  {
    causes: ['credits.granted', 'credits.purchased', 'credits.low', 'credits.depleted'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const subscription = await subscribeWith(stage, plan, 'usage', { creditsPerUnit: 1 });
      const pack = await stage.client.creditPacks.create({ name: unique('pack'), credits: 10, price: 900 });
      await stage.client.subscriptions.creditsPurchase(subscription.id, { creditPackId: pack.id });
      await stage.client.subscriptions.balanceAdjust(subscription.id, { amount: 10, reason: 'Goodwill' });
      await track(stage, subscription, 29);
      await track(stage, subscription, 1);
    },
  },
  {
    causes: ['balance.topped_up', 'balance.low', 'balance.depleted'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'balance', price: { includedBalance: 100_000 } };
      const subscription = await subscribeWith(stage, plan, 'usage', {
        overage: { enabled: true, unitPrice: 10_000 },
      });
      await stage.client.subscriptions.balanceTopUp(subscription.id, { amount: 1_000 });
      await track(stage, subscription, 19);
      await track(stage, subscription, 1);
    },
  },
  {
    causes: ['usage.recorded', 'usage.corrected', 'quota.threshold_reached', 'quota.exceeded'],
    run: async (stage) => {
      const terms: FeatureTerms = { includedAmount: 10, overage: { enabled: true, unitPrice: 100 } };
      const subscription = await subscribeWith(stage, {}, 'usage', terms);
      await track(stage, subscription, 8);
      const { id } = await track(stage, subscription, 4);
      await stage.client.usage.eventVoid(id);
    },
  },
  {
    causes: ['limit.reached'],
    run: async (stage) => {
      const terms: FeatureTerms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };
      const subscription = await subscribeWith(stage, {}, 'usage', terms);
      const scope = { customer: subscription.customerId };
      const window = { kind: 'usage_window' } as const;
      await stage.client.limits.create({ scope, measure: 'spend', currency: 'usd', window, amount: 1_000 });
      await track(stage, subscription, 9);
      await track(stage, subscription, 1);
    },
  },
  {
    causes: ['seats.updated', 'seats.limit_reached'],
    run: async (stage) => {
      const { customerId, featureCode } = await subscribeWith(stage, {}, 'seats', { includedAmount: 2 });
      await stage.client.seats.add({ customerId, featureCode, count: 2 });
      await rejected('included_limit_reached', stage.client.seats.add({ customerId, featureCode, count: 1 }));
    },
  },
  {
    causes: ['addon.activated', 'addon.deactivated'],
    run: async (stage) => {
      const { client } = stage;
      const feature = await client.features.create({
        name: unique('feature'),
        code: unique('feature'),
        type: 'boolean',
      });
      const addon = await client.addons.create({
        name: unique('addon'),
        featureId: feature.id,
        consumptionModel: 'boolean',
        basePrice: 900,
      });
      const { id } = await subscribe(stage, await createPlan(stage));
      await client.subscriptions.addonActivate(id, { addonId: addon.id });
      await client.subscriptions.addonDeactivate(id, addon.id);
    },
  },
  {
    causes: ['plan_grant.created', 'plan_grant.updated', 'plan_grant.revoked'],
    run: async (stage) => {
      const { customerId, id, high } = await climb(stage);
      const { customers } = stage.client;
      const terms = { subscriptionId: id, planId: high.id, reason: 'Preview of the higher plan.' };
      const grant = await customers.planGrantCreate(customerId, {
        ...terms,
        duration: 'cycles',
        durationCycles: 1,
      });
      await customers.planGrantUpdate(customerId, grant.id, {
        duration: 'until_revoked',
        reason: 'The preview is extended.',
      });
      await customers.planGrantRevoke(customerId, grant.id, { reason: 'The preview is over.' });
    },
  },
  {
    causes: ['lot.granted'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const { customerId, id } = await subscribe(stage, await createPlan(stage, plan));
      await stage.client.customers.lotGrant(customerId, { amount: 50, asset: 'credits', subscriptionId: id });
    },
  },
  {
    causes: ['commitment.purchased'],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage, { model: 'balance' }));
      await stage.client.subscriptions.commitmentPurchase(id, {
        price: 10_000,
        grant: 1_100_000,
        validMonths: 12,
      });
    },
  },
  {
    causes: ['rate_card.updated'],
    run: async ({ client }) => {
      const code = unique('card');
      const { id } = await client.rateCards.create({
        code,
        name: 'AI models',
        default: { amount: '0.0020' },
      });
      await client.rateCards.update(id, { default: { amount: '0.0015' } });
    },
  },
  {
    causes: ['invoice.voided'],
    run: async (stage) => {
      const { customerId } = await subscribe(stage, await createPlan(stage));
      const invoice = await stage.client.invoices.adjustmentCreate({
        customerId,
        amount: 500,
        description: 'Set-up',
      });
      await stage.client.invoices.statusUpdate(invoice.id, { status: 'void' });
    },
  },
  {
    causes: ['export.completed'],
    run: ({ client }) => client.exports.create({ kind: 'customers', format: 'csv' }),
  },
  {
    causes: ['subscription.reactivated'],
    run: async (stage) => {
      const { id } = await subscribe(stage, await createPlan(stage));
      await stage.client.subscriptions.cancel(id, { immediate: true });
      await stage.client.subscriptions.reactivate(id);
    },
  },
  {
    causes: ['subscription.plan_change_revoked'],
    run: async (stage) => {
      const { id, low, high } = await climb(stage);
      await stage.client.subscriptions.changePlan(id, { newPlanId: high.id });
      await stage.client.subscriptions.changePlan(id, { newPlanId: low.id });
      await stage.client.graphql(
        'mutation ($id: ID!) { subscriptionScheduledChangeRevoke(input: { id: $id }) { id } }',
        { id },
      );
    },
  },
  {
    causes: ['trial.converted'],
    run: async (stage) => {
      const { id: planGroupId } = await stage.client.planGroups.create({ name: unique('group') });
      const low = await createPlan(stage, { planGroupId, price: { trialDays: 14 } });
      const high = await createPlan(stage, { planGroupId, price: { price: 9_900 } });
      const { id } = await subscribe(stage, low);
      await stage.client.subscriptions.changePlan(id, { newPlanId: high.id });
    },
  },
  {
    causes: ['subscription.retained'],
    run: retain,
  },
  ...paymentRecipes,
  ...usageRecipes,
  ...clockRecipes,
];

/** Returns the recipe of an event type. `undefined` if no recipe causes the type. */
export const recipeFor = (type: string): Recipe | undefined =>
  recipes.find(({ causes }) => causes.some((cause) => cause === type));

/** Returns a client that acts as the payer on hosted pages. */
export const pageClient = (baseUrl: string): Quittance => new Quittance({ baseUrl });
