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
    status: {
      description:
        'The outcomes in Quittance and at the payment provider differ, or only the payment provider has an outcome.',
    },
    amount: {
      description:
        'The amount or currency in Quittance differs from the amount or currency at the payment provider.',
    },
  } as const,
});

const GatewayDifference = builder.objectRef<Difference>('GatewayDifference').implement({
  description: 'Difference between the records of a payment provider and Quittance.',
  fields: (t) => ({
    kind: t.member('kind', GatewayDifferenceKind).describe('Type of the difference.'),
    attemptId: t
      .maybe('attemptId', 'String')
      .describe(
        'ID of the transaction, refund, or card setup in Quittance. `null` if only the payment provider has a record.',
      ),
    refundOf: t
      .maybe('refundOf', 'String')
      .describe('ID of the refunded transaction. `null` unless the record is a refund.'),
    reference: t
      .maybe('reference', 'String')
      .describe('ID of the record at the payment provider. `null` if only Quittance has a record.'),
    statusHere: t
      .maybe('statusHere', 'String')
      .describe(
        'Status of the attempt in Quittance: `settled`, `declined`, `requires_action`, or `pending`. `null` if only the payment provider has a record.',
      ),
    statusThere: t
      .maybe('statusThere', 'String')
      .describe('Status of the record at the payment provider. `null` if only Quittance has a record.'),
    amountHere: t
      .maybe('amountHere', 'MINOR')
      .describe(
        'Amount of the attempt in Quittance, in the smallest currency unit. `null` if only the payment provider has a record.',
      ),
    amountThere: t
      .maybe('amountThere', 'MINOR')
      .describe(
        "Amount of the attempt at the payment provider, in the smallest currency unit. `null` if the payment provider didn't report an amount.",
      ),
    currency: t
      .maybe('currency', 'String')
      .describe('Currency of the amounts, as a lowercase ISO 4217 code. `null` if not known.'),
    isRepaired: t
      .member('isRepaired', 'Boolean')
      .describe('Whether the difference was repaired. If `false`, review the difference manually.'),
  }),
});

export const GatewayReconciliation = builder.objectRef<Reconciliation>('GatewayReconciliation').implement({
  description: 'Result of reconciling payment attempts with payment providers.',
  fields: (t) => ({
    checked: t.member('checked', 'Int').describe('Number of compared payment attempts.'),
    open: t.member('open', 'Int').describe('Number of compared payment attempts without a final outcome.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`true` if all payment providers responded with final outcomes. If `false`, reconcile again later.',
      ),
    differences: t
      .member('differences', [GatewayDifference])
      .describe('Differences that were found, including repaired differences.'),
    next: t
      .maybe('next', 'String')
      .describe('Value of `after` for the next request. `null` after the last attempt.'),
  }),
});
