import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { Invoice } from '../../invoices/invoices/types/invoice.ts';

/**
 * Adjustment of credits, or of a balance, in ten-thousandths of the currency unit (10,000 = 1.00).
 * `newBalance` is the balance immediately after the adjustment.
 */
export type AdjustmentShape = {
  readonly amount: bigint;
  readonly newBalance: bigint;
  readonly reason: string | null;
};

export const BalanceAdjustment = builder.objectRef<AdjustmentShape>('BalanceAdjustment').implement({
  description: 'Manual adjustment of credits or a balance.',
  fields: (t) => ({
    amount: t
      .member('amount', 'SafeInt')
      .describe(
        'Amount that was added, or deducted if negative. In credits, or in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    newBalance: t
      .member('newBalance', 'SafeInt')
      .describe(
        'Balance after the adjustment: total credits, or an amount in ten-thousandths of the currency unit (10,000 = 1.00).',
      ),
    reason: t.maybe('reason', 'String').describe('Reason for the adjustment. `null` if no reason was given.'),
    ...t.resource('balance_transaction'),
  }),
});

restView('BalanceAdjustment', 'BalanceAdjustment', 'amount newBalance reason object livemode');

export const BalanceTopup = builder.objectRef<Row<'Invoice'>>('BalanceTopup').implement({
  description: 'Result of topping up a prepaid balance.',
  fields: (t) => ({
    amount: t
      .member('subtotal', 'MINOR')
      .describe("Top-up amount before tax, in the smallest unit of the subscription's currency."),
    invoice: t.field({
      type: Invoice,
      description: 'Paid invoice for the top-up.',
      resolve: (invoice) => invoice,
    }),
    ...t.resource('balance_topup'),
  }),
});

restView('BalanceTopup', 'BalanceTopup', 'amount object livemode');

/** Number of purchased credits, and the paid invoice for the purchase. */
export type CreditGrantShape = { readonly credits: number; readonly invoice: Row<'Invoice'> };

export const CreditGrant = builder.objectRef<CreditGrantShape>('CreditGrant').implement({
  description: 'Result of purchasing a credit pack.',
  fields: (t) => ({
    credits: t
      .member('credits', 'SafeInt')
      .describe('Number of credits that were added to the subscription.'),
    invoice: t.member('invoice', Invoice).describe('Paid invoice for the credit pack.'),
    ...t.resource('credit_grant'),
  }),
});

restView('CreditGrant', 'CreditGrant', 'credits object livemode');
