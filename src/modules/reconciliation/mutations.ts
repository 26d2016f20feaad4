import { builder } from '../../graphql/builder.ts';
import { mostAttempts } from './compare-stretch.ts';
import { reconcile } from './reconcile.ts';
import { GatewayReconciliation } from './types.ts';

const GatewayReconcileInput = builder.inputType('GatewayReconcileInput', {
  description: 'Which attempts to compare, oldest first.',
  fields: (t) => ({
    after: t.id({
      rule: { maxLength: 200, nullable: true },
      description: '`next` of the call before; from the first attempt when absent or null.',
    }),
    limit: t.field({
      type: 'Int',
      rule: { minimum: 1, maximum: mostAttempts, default: mostAttempts },
      description: `How many to compare at most, 1 to ${mostAttempts}; ${mostAttempts}Defaults to .`,
    }),
  }),
});

builder.mutationField('gatewayReconcile', (t) =>
  t.field({
    type: GatewayReconciliation,
    description:
      "Compares charges, set-ups and refunds made over a network with what the payment provider has on record, a stretch at a time. Open ones get their answer, refunds made manually at Stripe are taken in; everything else that differs is only reported. Asked again, it repairs nothing twice. `not_found` for an unknown `after`. Nothing is compared in a sandbox on the platform's own processor, where no money moves.",
    errors: ['not_found'],
    access: { scope: 'finance' },
    args: { input: t.arg({ type: GatewayReconcileInput, required: true, description: 'The stretch.' }) },
    resolve: (_root, { input: { after, limit } }, ctx) => reconcile(ctx, { after: after ?? null, limit }),
  }),
);
