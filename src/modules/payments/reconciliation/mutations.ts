import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { maxAttempts } from './compare-stretch.ts';
import { reconcile } from './reconcile.ts';
import { GatewayReconciliation } from './types.ts';

const GatewayReconcileInput = builder.inputType('GatewayReconcileInput', {
  description: 'Parameters for reconciling payment attempts. Attempts are compared oldest first.',
  fields: (t) => ({
    after: t.id({
      rule: { maxLength: 200, nullable: true },
      description:
        'Value of `next` from the previous request. By default, the comparison starts with the first attempt.',
    }),
    limit: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: maxAttempts, default: maxAttempts },
      description: `Maximum number of payment attempts to compare, from 1 to ${maxAttempts}. Defaults to ${maxAttempts}.`,
    }),
  }),
});

builder.mutationField('gatewayReconcile', (t) =>
  t.field({
    type: GatewayReconciliation,
    description:
      "Compares charges, card setups, and refunds with the records of the payment provider, one range of attempts per request. Open attempts are resolved, and refunds made at Stripe are recorded. All other differences are only reported. If a request is repeated, a difference isn't repaired twice. In a sandbox, attempts at the platform's payment provider aren't compared, because no money moves.",
    errors: [['not_found', 'no attempt has the ID in `after`']],
    access: { scope: 'finance' },
    args: { input: t.arg({ type: GatewayReconcileInput, required: true }) },
    complexity: { field: workCosts.providerRecords },
    resolve: (_root, { input: { after, limit } }, ctx) => reconcile(ctx, { after: after ?? null, limit }),
  }),
);
