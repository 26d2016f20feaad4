import { builder } from '../../graphql/builder.ts';
import type { Difference } from './compare.ts';
import type { Reconciliation } from './compare-stretch.ts';

const GatewayDifferenceKind = builder.enumType('GatewayDifferenceKind', {
  description: 'How a payment provider and the service differ.',
  values: {
    missing_here: { description: 'The provider has a payment or refund that is not known here.' },
    missing_there: { description: 'What settled here is not known to the provider.' },
    status: { description: 'It ended otherwise, or has ended only there.' },
    amount: { description: 'It settled with another amount or currency.' },
  } as const,
});

const GatewayDifference = builder.objectRef<Difference>('GatewayDifference').implement({
  description: 'Something a payment provider and the service say differently.',
  fields: (t) => ({
    kind: t.expose('kind', { type: GatewayDifferenceKind, description: 'What differs.' }),
    attemptId: t.exposeString('attemptId', {
      nullable: true,
      description:
        'Our transaction or refund, or the name of a set-up; null for what only the provider knows.',
    }),
    refundOf: t.exposeString('refundOf', {
      nullable: true,
      description: 'The transaction whose money a refund returns; null for everything else.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'What the provider calls it; null for what only we know.',
    }),
    statusHere: t.exposeString('statusHere', {
      nullable: true,
      description:
        '`settled`, `declined`, `requires_action` or `pending`; null for what only the provider knows.',
    }),
    statusThere: t.exposeString('statusThere', {
      nullable: true,
      description: 'The same at the provider; null for what only we know.',
    }),
    amountHere: t.expose('amountHere', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description: 'Minor units of the currency; null for what only the provider knows.',
    }),
    amountThere: t.expose('amountThere', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description: 'The same at the provider; null where it does not tell.',
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'Lower-case ISO 4217 code; null when unknown.',
    }),
    isRepaired: t.exposeBoolean('isRepaired', {
      description: 'True when it was put right here; false when someone has to look at it.',
    }),
  }),
});

export const GatewayReconciliation = builder.objectRef<Reconciliation>('GatewayReconciliation').implement({
  description: 'The result of a comparison with payment providers.',
  fields: (t) => ({
    checked: t.expose('checked', { type: 'Int', description: 'How many attempts were compared.' }),
    open: t.expose('open', {
      type: 'Int',
      description: 'How many of them are still without an answer that counts.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        'False when a provider could not be asked, or is still working on something; compare again later.',
    }),
    differences: t.field({
      type: [GatewayDifference],
      description: 'What differs; what was put right is among it.',
      resolve: ({ differences }) => [...differences],
    }),
    next: t.exposeString('next', {
      nullable: true,
      description: 'What to give as `after` for the next stretch; null after the last.',
    }),
  }),
});
