import { type FeatureTerms, type Recipe, rejected, subscribeWith, track } from './recipe-stage.ts';

// Recipes of usage, limits, and holds.

const overage: FeatureTerms = { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } };

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
];
