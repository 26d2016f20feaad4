import { usableAmount } from '../../../domain/invoicing/credit-balance.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { Revocation } from './revoke.ts';
import type { CreditBalance } from './store.ts';
import { loadCreditBalances } from './store.ts';

builder.enumType('CustomerCreditSource', {
  description: 'Source of a customer credit.',
  values: {
    dashboard: { description: 'The credit was granted by a member.' },
    api: { description: 'The credit was granted with an API key.' },
    plan_change: {
      description:
        'The proration credit of a plan change exceeded the charge, and the excess became a customer credit.',
    },
    migration: { description: 'The credit was migrated from another system.' },
  } as const,
});

export const CustomerCredit = builder.prismaObject('CustomerCredit', {
  ...node({ prefix: 'crd' }),
  description:
    "Amount that reduces a customer's recurring, overage, plan-change, and reactivation invoices in one currency, before tax. The oldest credit is used first.",
  fields: (t) => ({
    ...t.columns('id'),
    amount: t.column('amountMinor'),
    appliedAmount: t.column('appliedMinor'),
    reversedAmount: t.column('reversedMinor'),
    revokedAmount: t.column('revokedMinor'),
    remainingAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount that can still be used, in the smallest currency unit. 0 if the credit has expired.',
      columns: ['remainingMinor', 'expiresAt'],
      resolve: (credit, _args, ctx) => usableAmount(credit, ctx.clock.now()),
    }),
    ...t.columns('currency', 'reason', 'source'),
    ...t.columns('expiresAt', 'createdAt'),
    ...t.resource('customer_credit'),
  }),
});

export const CustomerCreditConnection = connectionOf('CustomerCredit', CustomerCredit, 'customer credits');

export const CustomerCreditRevocation = builder.objectRef<Revocation>('CustomerCreditRevocation').implement({
  description: 'Result of revoking a customer credit.',
  fields: (t) => ({
    creditId: t.id({ description: 'ID of the revoked credit.', resolve: ({ credit }) => credit.id }),
    remainingAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Amount that can still be used. Always 0 after a revocation.',
      resolve: ({ credit }, _args, ctx) => usableAmount(credit, ctx.clock.now()),
    }),
    revokedAmount: t
      .member('revokedMinor', 'MINOR')
      .describe(
        'Amount that this request revoked, in the smallest currency unit. 0 if the credit was used up.',
      ),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ credit }) => credit.currency,
    }),
    credit: t.member('credit', CustomerCredit).describe('Credit after the revocation.'),
    ...t.resource('customer_credit'),
  }),
});

const CustomerCreditBalance = builder.objectRef<CreditBalance>('CustomerCreditBalance').implement({
  description: 'Available customer credit in one currency.',
  fields: (t) => ({
    currency: t.member('currency', Currency).describe('Currency of the amount.'),
    amount: t
      .member('amountMinor', 'MINOR')
      .describe('Available amount in the smallest currency unit, such as cents. Greater than 0.'),
  }),
});

builder.prismaObjectFields('Customer', (t) => ({
  credits: t.page('credits', {
    description: 'Customer credits, including used and expired credits.',
  }),
  creditBalance: t.computed({
    type: [CustomerCreditBalance],
    description: 'Available customer credit by currency. Currencies without available credit are omitted.',
    columns: ['id'],
    resolve: async ({ id }, _args, ctx) => [...(await loadCreditBalances(ctx, id))],
  }),
}));

builder.prismaObjectField('CustomerCredit', 'customer', (t) =>
  t.row('customer', { description: 'Customer that the credit belongs to.' }),
);

const amounts = 'id amount appliedAmount reversedAmount revokedAmount remainingAmount';
restView(
  'CustomerCredit',
  'CustomerCredit',
  `${amounts} currency reason source expiresAt createdAt object livemode`,
);
restView(
  'CustomerCreditRevocation',
  'CustomerCreditRevocation',
  'id: creditId remainingAmount revokedAmount currency object livemode',
);
