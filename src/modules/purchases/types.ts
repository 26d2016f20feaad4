import { builder } from '../../graphql/builder.ts';
import { restView } from '../../graphql/rest.ts';
import type { Row } from '../../platform/db/rows.ts';
import { Invoice } from '../invoices/types/invoice.ts';

/** A correction of a pool: credits, or money at rate scale; `newBalance` is the pool right after it. */
export type AdjustmentShape = {
  readonly amount: bigint;
  readonly newBalance: bigint;
  readonly reason: string | null;
};

export const BalanceAdjustment = builder.objectRef<AdjustmentShape>('BalanceAdjustment').implement({
  description: 'A manual correction of credits or balance.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'SafeInt',
      description: 'What was added, negative for taken: credits, or money, 10000 being 1.00.',
    }),
    newBalance: t.expose('newBalance', {
      type: 'SafeInt',
      description: 'The pool right after it: all credits, or money, 10000 being 1.00.',
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Null when none was given.' }),
    object: t.string({ description: 'Always `balance_transaction`.', resolve: () => 'balance_transaction' }),
    livemode: t.livemode(),
  }),
});

restView('BalanceAdjustment', 'BalanceAdjustment', 'amount newBalance reason object livemode');

const paidBy = 'The paid invoice of the purchase.';

export const BalanceTopup = builder.objectRef<Row<'Invoice'>>('BalanceTopup').implement({
  description: 'Balance that was bought.',
  fields: (t) => ({
    amount: t.expose('subtotal', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: "Minor units of the subscription's currency, before tax.",
    }),
    invoice: t.field({ type: Invoice, description: paidBy, resolve: (invoice) => invoice }),
    object: t.string({ description: 'Always `balance_topup`.', resolve: () => 'balance_topup' }),
    livemode: t.livemode(),
  }),
});

restView('BalanceTopup', 'BalanceTopup', 'amount object livemode');

/** Credits a paid invoice has added. */
export type CreditGrantShape = { readonly credits: number; readonly invoice: Row<'Invoice'> };

export const CreditGrant = builder.objectRef<CreditGrantShape>('CreditGrant').implement({
  description: 'Credits that were bought.',
  fields: (t) => ({
    credits: t.expose('credits', { type: 'SafeInt', description: 'Credits added.' }),
    invoice: t.field({ type: Invoice, description: paidBy, resolve: ({ invoice }) => invoice }),
    object: t.string({ description: 'Always `credit_grant`.', resolve: () => 'credit_grant' }),
    livemode: t.livemode(),
  }),
});

restView('CreditGrant', 'CreditGrant', 'credits object livemode');
