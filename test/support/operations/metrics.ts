import { createActiveSubscription } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  requests: {
    'GET /metrics/mrr': async (shop) => {
      await createActiveSubscription(shop);
      return {
        query: { from: '2026-01-01', to: '2027-12-31', interval: 'month', groupBy: 'plan', currency: 'usd' },
      };
    },
    'GET /metrics/mrr/changes': async (shop) => {
      await createActiveSubscription(shop);
      return { query: { from: '2026-01-01', to: '2027-12-31', kind: 'new', reason: 'activated' } };
    },
    'GET /metrics/retention': async () => ({ query: { month: '2026-01-31', months: '3' } }),
    'GET /metrics/scheduled': async (shop) => {
      const { id } = await createActiveSubscription(shop);
      await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
      return { query: { from: '2026-01-01', to: '2027-12-31' } };
    },
    'GET /metrics/headline': async (shop) => {
      await createActiveSubscription(shop);
      return {};
    },
    'GET /metrics/cohorts': async () => ({ query: { from: '2026-01-01', to: '2027-12-31' } }),
  },
  unrouted: {
    metricsVerify: {
      because: reasons.more,
      text: '{ metricsVerify { ok mismatches { subject } checkedAt subscriptionCount } }',
      variables: none,
    },
    metricsChanged: {
      because: reasons.live,
      text: 'subscription { metricsChanged(interval: month, currency: usd) { currency points { closing } } }',
      variables: none,
    },
    metricsRebuild: {
      because: reasons.more,
      text: 'mutation { metricsRebuild }',
      variables: none,
    },
  },
};
