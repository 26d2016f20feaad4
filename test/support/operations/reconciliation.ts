import { reasons } from './shared.ts';
import type { ModuleOperations } from './types.ts';

export const operations: ModuleOperations = {
  unrouted: {
    gatewayReconcile: {
      because: reasons.rule,
      text: 'mutation ($input: GatewayReconcileInput!) { gatewayReconcile(input: $input) { checked open isComplete next differences { kind } } }',
      variables: () => Promise.resolve({ input: { limit: 10 } }),
    },
  },
};
