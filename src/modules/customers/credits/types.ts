import { usableMinor } from '../../../domain/lots/credits.ts';
import { rateToMinor } from '../../../domain/money/money.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf, pageArgs } from '../../../graphql/reading/pagination.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import type { Revocation } from './revoke.ts';
import {
  type CreditBalance,
  type CreditSums,
  loadCreditBalances,
  loadCreditSums,
  loadCredits,
} from './store.ts';

const CustomerCreditSource = builder.enumType('CustomerCreditSource', {
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

/** Amount fields that are sums of the credit's entries. */
const sums: { readonly [field: string]: readonly [column: keyof CreditSums, description: string] } = {
  appliedAmount: ['appliedMinor', 'Amount applied to invoices so far, in the smallest currency unit.'],
  reversedAmount: [
    'reversedMinor',
    'Part of the applied amount that was returned because invoices were voided, in the smallest currency unit.',
  ],
  revokedAmount: ['revokedMinor', 'Amount that was revoked, in the smallest currency unit.'],
};

export const CustomerCredit = builder.prismaObject('Lot', {
  variant: 'CustomerCredit',
  ...node({ prefix: 'crd', where: { subscriptionId: null } }),
  description:
    "Amount that reduces a customer's recurring, overage, plan-change, and reactivation invoices in one currency, before tax. The oldest credit is used first.",
  fields: (t) => ({
    id: t.column('id', { description: 'Unique identifier. Starts with `crd_`.' }),
    amount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Granted amount, in the smallest currency unit, such as cents.',
      columns: ['amount', 'asset'],
      resolve: ({ amount, asset }) => rateToMinor(amount, asset),
    }),
    ...Object.fromEntries(
      Object.entries(sums).map(([name, [column, description]]) => [
        name,
        t.computed({
          type: 'SafeInt',
          amount: 'MINOR',
          description,
          columns: ['id'],
          resolve: async ({ id }, _args, ctx) => (await loadCreditSums(ctx, id))[column],
        }),
      ]),
    ),
    remainingAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'Amount that can still be used, in the smallest currency unit. 0 if the credit has expired.',
      columns: ['remaining', 'asset', 'expiresAt', 'endsWithWindow'],
      resolve: (credit, _args, ctx) => usableMinor(credit, ctx.clock.now()),
    }),
    currency: t.computed({
      type: Currency,
      description: 'Currency of the amounts. The credit applies only to invoices in this currency.',
      columns: ['asset'],
      resolve: ({ asset }) => asset,
    }),
    reason: t.computed({
      type: 'String',
      description: 'Reason for the credit.',
      columns: ['description'],
      resolve: ({ description }) => description ?? '',
    }),
    source: t.computed({
      type: CustomerCreditSource,
      description: 'Source of the credit.',
      columns: ['creditSource'],
      resolve: ({ creditSource }) => creditSource ?? 'api',
    }),
    expiresAt: t.column('expiresAt', {
      description:
        'Time at which the credit expires and can no longer be used. `null` if the credit never expires.',
    }),
    createdAt: t.column('effectiveAt', {
      description: "Time at which the credit was granted. In a sandbox, the test clock's time.",
    }),
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
      resolve: ({ credit }, _args, ctx) => usableMinor(credit, ctx.clock.now()),
    }),
    revokedAmount: t
      .member('revokedMinor', 'MINOR')
      .describe(
        'Amount that this request revoked, in the smallest currency unit. 0 if the credit was used up.',
      ),
    currency: t.field({
      type: Currency,
      description: 'Currency of the amounts.',
      resolve: ({ credit }) => credit.asset,
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
  credits: t.computed({
    type: CustomerCreditConnection,
    description: 'Customer credits, including used and expired credits.',
    args: pageArgs(),
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadCredits(ctx, id, args),
  }),
  creditBalance: t.computed({
    type: [CustomerCreditBalance],
    description: 'Available customer credit by currency. Currencies without available credit are omitted.',
    columns: ['id'],
    resolve: async ({ id }, _args, ctx) => [...(await loadCreditBalances(ctx, id))],
  }),
}));

builder.prismaObjectField(CustomerCredit, 'customer', (t) =>
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
