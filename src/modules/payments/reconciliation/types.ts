import { builder } from '../../../graphql/reading/builder.ts';
import type { Difference } from './compare.ts';
import type { Reconciliation } from './compare-stretch.ts';

const GatewayDifferenceKind = builder.enumType('GatewayDifferenceKind', {
  description: 'Type of difference between the records of a payment provider and Quittance.',
  values: {
    missing_here: {
      description: "The payment provider has a payment or refund that Quittance didn't record.",
    },
    missing_there: { description: 'A successful payment or refund is missing at the payment provider.' },
    status: { description: 'The outcome differs, or only the payment provider has an outcome.' },
    amount: { description: 'The amount or currency differs.' },
  } as const,
});

const GatewayDifference = builder.objectRef<Difference>('GatewayDifference').implement({
  description: 'Difference between the records of a payment provider and Quittance.',
  fields: (t) => ({
    kind: t.expose('kind', { type: GatewayDifferenceKind, description: 'Type of the difference.' }),
    attemptId: t.exposeString('attemptId', {
      nullable: true,
      description:
        'ID of the transaction or refund in Quittance, or the name of the card setup. `null` if only the payment provider has a record.',
    }),
    refundOf: t.exposeString('refundOf', {
      nullable: true,
      description: 'ID of the refunded transaction. `null` unless the record is a refund.',
    }),
    reference: t.exposeString('reference', {
      nullable: true,
      description: 'ID at the payment provider. `null` if only Quittance has a record.',
    }),
    statusHere: t.exposeString('statusHere', {
      nullable: true,
      description:
        'Status in Quittance: `settled`, `declined`, `requires_action`, or `pending`. `null` if only the payment provider has a record.',
    }),
    statusThere: t.exposeString('statusThere', {
      nullable: true,
      description: 'Status at the payment provider. `null` if only Quittance has a record.',
    }),
    amountHere: t.expose('amountHere', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description:
        'Amount in Quittance, in the smallest currency unit. `null` if only the payment provider has a record.',
    }),
    amountThere: t.expose('amountThere', {
      type: 'SafeInt',
      amount: 'MINOR',
      nullable: true,
      description:
        "Amount at the payment provider, in the smallest currency unit. `null` if the payment provider didn't report an amount.",
    }),
    currency: t.exposeString('currency', {
      nullable: true,
      description: 'Lowercase ISO 4217 code. `null` if not known.',
    }),
    isRepaired: t.exposeBoolean('isRepaired', {
      description: 'Whether the difference was repaired. If `false`, review it manually.',
    }),
  }),
});

export const GatewayReconciliation = builder.objectRef<Reconciliation>('GatewayReconciliation').implement({
  description: 'Result of reconciling payment attempts with payment providers.',
  fields: (t) => ({
    checked: t.expose('checked', { type: 'Int', description: 'Number of compared attempts.' }),
    open: t.expose('open', {
      type: 'Int',
      description: 'Number of compared attempts without a final outcome.',
    }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`true` if all payment providers responded with final outcomes. If `false`, reconcile again later.',
    }),
    differences: t.field({
      type: [GatewayDifference],
      description: 'Differences, including repaired ones.',
      resolve: ({ differences }) => [...differences],
    }),
    next: t.exposeString('next', {
      nullable: true,
      description: 'Value of `after` for the next request. `null` after the last attempt.',
    }),
  }),
});
