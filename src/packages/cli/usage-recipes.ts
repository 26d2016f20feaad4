import {
  type FeatureTerms,
  type PlanTerms,
  type Recipe,
  rejected,
  type Stage,
  subscribeWith,
  track,
} from './recipe-stage.ts';

// Recipes of usage, limits, and holds.

const overage: FeatureTerms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

/** Settles a hold of $3.00 with $8.00. The cap of the customer is $5.00. */
async function exceedHold(stage: Stage, onExcess: 'accept' | 'fit'): Promise<void> {
  const { customerId, featureCode } = await subscribeWith(stage, {}, 'usage', overage);
  const window = { kind: 'usage_window' } as const;
  const scope = { customer: customerId };
  await stage.client.limits.create({
    scope,
    measure: 'spend',
    currency: 'usd',
    window,
    amount: 500,
    action: 'block',
  });
  const estimate = { value: 3 };
  const { id } = await stage.client.usage.hold({ customerId, featureCode, estimate, onExcess });
  await stage.client.usage.settle(id, { value: 8 });
}

/** Records usage whose property `model` has the given values. */
const trackModels = (
  { client }: Stage,
  { customerId, featureCode }: { readonly customerId: string; readonly featureCode: string },
  models: readonly string[],
) =>
  client.usage.trackBatch({
    events: models.map((value) => ({
      ...{ customerId, featureCode, value: 1, eventId: crypto.randomUUID() },
      properties: [{ property: 'model', value }],
    })),
  });

/** Meter that divides the total by model, also for recorded events. */
const byModel = { aggregation: 'sum' as const, dimensions: [{ property: 'model' }], recount: true };

/** Number of combinations of values after which a meter counts further values together. */
const mostCombinations = 10_000;
const batchSize = 1_000;

export const usageRecipes: readonly Recipe[] = [
  {
    causes: ['limit.threshold_reached', 'limit.raised', 'limit.raise_ended'],
    run: async (stage) => {
      const subscription = await subscribeWith(stage, {}, 'usage', overage);
      const limit = await stage.client.limits.create({
        scope: { customer: subscription.customerId },
        measure: 'spend',
        currency: 'usd',
        window: { kind: 'usage_window' },
        amount: 1_000,
        thresholds: [{ bps: 5_000 }],
      });
      await track(stage, subscription, 6);
      const raised = await stage.client.limits.raise(limit.id, { amount: 500, reason: 'Launch' });
      await stage.client.limits.raiseEnd(limit.id, raised.id);
    },
  },
  {
    causes: ['api_key.narrowed'],
    run: async ({ client }) => {
      const { apiKeyCreate } = await client.graphql<{ apiKeyCreate: { id: string } }>(
        'mutation { apiKeyCreate(input: { name: "Trigger", permissions: ["customers:read", "usage:read"] }) { id } }',
      );
      const { id } = apiKeyCreate;
      await client.graphql(
        'mutation ($id: ID!) { apiKeyPermissionsNarrow(input: { id: $id, permissions: ["usage:read"] }) { id } }',
        { id },
      );
      await client.graphql('mutation ($id: ID!) { apiKeyDelete(input: { id: $id }) { deletedId } }', { id });
    },
  },
  {
    causes: ['approval.requested'],
    run: async (stage) => {
      const subscription = await subscribeWith(stage, {}, 'usage', overage);
      await stage.client.limits.create({
        scope: { customer: subscription.customerId },
        measure: 'spend',
        currency: 'usd',
        window: { kind: 'usage_window' },
        amount: 100,
        action: 'approve',
      });
      await rejected('included_limit_reached', track(stage, subscription, 5));
    },
  },
  {
    causes: ['limit.resolved'],
    run: async (stage) => {
      const plan: PlanTerms = { model: 'credits', price: { includedCredits: 10 } };
      const subscription = await subscribeWith(stage, plan, 'usage', { creditsPerUnit: 1 });
      await stage.client.limits.create({
        scope: { customer: subscription.customerId },
        measure: 'remaining',
        asset: 'credits',
        window: { kind: 'lifetime' },
        action: 'notify',
        thresholds: [{ amount: 5 }],
        notifyResolved: true,
      });
      await track(stage, subscription, 8);
      await stage.client.subscriptions.balanceAdjust(subscription.id, { amount: 50, reason: 'Goodwill' });
    },
  },
  {
    causes: ['limit.overrun'],
    run: (stage) => exceedHold(stage, 'accept'),
  },
  {
    causes: ['usage.uncounted'],
    run: (stage) => exceedHold(stage, 'fit'),
  },
  {
    causes: ['meter.recounted'],
    run: async (stage) => {
      const subscription = await subscribeWith(stage, {}, 'usage', overage);
      await trackModels(stage, subscription, ['large', 'small']);
      await stage.client.features.meterSet(subscription.featureCode, byModel);
    },
  },
  {
    causes: ['meter.dimensions_full'],
    run: async (stage) => {
      const subscription = await subscribeWith(stage, {}, 'usage', overage);
      for (let first = 0; first <= mostCombinations; first += batchSize) {
        const models = Array.from({ length: batchSize }, (_, index) => `model-${first + index}`);
        await trackModels(stage, subscription, models);
      }
      await stage.client.features.meterSet(subscription.featureCode, byModel);
    },
  },
];
