import { specificError } from '../../../domain/errors/errors.ts';
import { operation } from '../../../engine/operation.ts';
import { reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { Mandate } from '../transactions/types/payment-method.ts';
import { findDebited, requireMandate } from './store.ts';

const MandateRevokeInput = builder.inputType('MandateRevokeInput', {
  description: 'Parameters for revoking a mandate.',
  fields: (t) => ({
    id: t.id({ required: true, rule: reference, description: 'ID of the mandate.' }),
  }),
});

/** Revokes a mandate for the customer or the organization (INS-64). */
const mandateRevoke = operation({
  input: MandateRevokeInput,
  find: async (ctx, { id }) => {
    const mandate = await requireMandate(ctx, id);
    const subscriptionIds = await findDebited(ctx, mandate.paymentMethodId);
    return { customerId: mandate.customerId, mandate, subscriptionIds };
  },
  command: ({ id }, { subscriptionIds }, { caller }) => ({
    kind: 'mandate.revoke',
    mandateId: id,
    subscriptionIds,
    by: caller.kind === 'page' ? 'customer' : 'merchant',
  }),
  result: (ctx, { subject: { mandate } }) => {
    ctx.forget();
    return requireMandate(ctx, mandate.id);
  },
});

/** Revokes a mandate for its customer. Throws `not_found` if the customer has no such mandate. */
export async function revokeOwnMandate(ctx: Context, customerId: string, id: string): Promise<void> {
  const mandate = await loadRow(ctx, 'Mandate', id);
  if (mandate?.customerId !== customerId) throw specificError('not_found', 'mandate', { param: 'mandateId' });
  await mandateRevoke.execute(ctx, { id });
}

builder.mutationField('mandateRevoke', (t) =>
  t.operation(mandateRevoke, {
    type: Mandate,
    description:
      "Ends a mandate, so that its bank account can no longer be debited. Scheduled debits are canceled, and their invoices fail. Debits that are processing continue. A mandate that already ended doesn't change.",
    rest: { method: 'POST', path: '/mandates/{id}/revoke', view: 'Mandate' },
    errors: [['not_found', "the mandate doesn't exist"]],
    access: { scope: 'write' },
  }),
);
