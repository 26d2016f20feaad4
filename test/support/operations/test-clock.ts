import { advanceDays, clockSettled, createSubscription } from '../factories.ts';
import { none, reasons } from './shared.ts';
import type { MakeVariables, ModuleOperations } from './types.ts';

const startRun: MakeVariables = async (shop) => {
  await clockSettled(shop);
  const { body } = await shop.rest<{ id: string }>('POST', '/test-clock', { advanceDays: 1 });
  return { id: body.id };
};

export const operations: ModuleOperations = {
  requests: {
    'GET /test-clock': async (shop) => {
      await advanceDays(shop, 1);
      return {};
    },
    'POST /test-clock': async (shop) => {
      await clockSettled(shop);
      return { body: { advanceDays: 1.5 } };
    },
    'POST /test-clock/process-billing': async () => ({}),
  },
  provocations: {
    'POST /test-clock/process-billing': { endpoint_deprecated: async () => ({}) },
  },
  unrouted: {
    testClockSimulate: {
      because: reasons.rule,
      text: 'query ($input: TestClockSimulateInput!) { testClockSimulate(input: $input) { targetTime items { outcome } totals { currency invoiced } } }',
      variables: async (shop) => {
        await clockSettled(shop);
        return {
          input: { until: '9000-01-01T00:00:00Z', subscriptionIds: [(await createSubscription(shop)).id] },
        };
      },
    },
    testClockRun: {
      because: reasons.more,
      text: 'query ($id: ID!) { testClockRun(id: $id) { id status } }',
      variables: startRun,
    },
    testClockRuns: {
      because: reasons.more,
      text: '{ testClockRuns(first: 5) { nodes { id status } totalCount { value } } }',
      variables: async (shop) => {
        await startRun(shop);
        return {};
      },
    },
    testClockCancel: {
      because: reasons.more,
      text: 'mutation ($input: TestClockCancelInput!) { testClockCancel(input: $input) { id } }',
      variables: async (shop) => ({ input: await startRun(shop) }),
    },
    testClockChanged: {
      because: reasons.live,
      text: 'subscription { testClockChanged { isActive latestRun { id progress } } }',
      variables: none,
    },
    testClockRunProgress: {
      because: reasons.live,
      text: 'subscription ($id: ID!) { testClockRunProgress(id: $id) { id status } }',
      variables: startRun,
    },
  },
};
