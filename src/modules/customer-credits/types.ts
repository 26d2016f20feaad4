import { usableAmount } from '../../domain/customer-credits.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { Currency } from '../currencies/enums.ts';
import type { Revocation } from './revoke.ts';
import type { CreditBalance } from './store.ts';
import { loadCreditBalances } from './store.ts';

const CustomerCreditSource = builder.enumType('CustomerCreditSource', {
  description: 'Where a customer credit came from.',
  values: {
    dashboard: { description: 'Granted by a member.' },
    api: { description: 'Granted with an API key.' },
    plan_change: { description: 'What a change of plan gave back beyond its charge.' },
    migration: { description: 'Brought along from elsewhere.' },
  } as const,
});

export const CustomerCredit = builder.prismaObject('CustomerCredit', {
  ...node({ prefix: 'crd' }),
  description:
    'Money that lowers the recurring, overage, plan-change and reactivation invoices of a customer in one currency, before tax, oldest credit first.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `crd_…`.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was granted, minor units.',
    }),
    appliedAmount: t.expose('appliedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What invoices took, minor units.',
    }),
    reversedAmount: t.expose('reversedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What of that voided invoices gave back, minor units.',
    }),
    revokedAmount: t.expose('revokedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was withdrawn, minor units.',
    }),
    remainingAmount: t.computed({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What can still be used, minor units; 0 once it has expired.',
      columns: ['remainingMinor', 'expiresAt'],
      resolve: (credit, _args, ctx) => usableAmount(credit, ctx.clock.now()),
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts and of the invoices it lowers.',
    }),
    reason: t.exposeString('reason', { description: 'Why it was granted.' }),
    source: t.expose('source', { type: CustomerCreditSource, description: 'Where it came from.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From when on it can no longer be used; null when it never expires.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of the grant.' }),
    object: t.string({ description: 'Always `customer_credit`.', resolve: () => 'customer_credit' }),
    livemode: t.livemode(),
  }),
});

export const CustomerCreditConnection = connectionOf('CustomerCredit', CustomerCredit, 'customer credits');

export const CustomerCreditRevocation = builder.objectRef<Revocation>('CustomerCreditRevocation').implement({
  description: 'What revoking a customer credit did.',
  fields: (t) => ({
    creditId: t.id({ description: 'Id of the credit.', resolve: ({ credit }) => credit.id }),
    remainingAmount: t.field({
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What can still be used of it: nothing.',
      resolve: ({ credit }, _args, ctx) => usableAmount(credit, ctx.clock.now()),
    }),
    revokedAmount: t.expose('revokedMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What this call withdrew, minor units; 0 when nothing was left.',
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amounts.',
      resolve: ({ credit }) => credit.currency,
    }),
    credit: t.field({ type: CustomerCredit, description: 'The credit.', resolve: ({ credit }) => credit }),
    object: t.string({ description: 'Always `customer_credit`.', resolve: () => 'customer_credit' }),
    livemode: t.livemode(),
  }),
});

const CustomerCreditBalance = builder.objectRef<CreditBalance>('CustomerCreditBalance').implement({
  description: 'What a customer can use of its credits in one currency.',
  fields: (t) => ({
    currency: t.expose('currency', { type: Currency, description: 'Lower-case ISO 4217 code.' }),
    amount: t.expose('amountMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'Minor units, above 0.',
    }),
  }),
});

builder.prismaObjectFields('Customer', (t) => ({
  credits: t.page('credits', { description: 'The credits of the customer, used up and expired ones too.' }),
  creditBalance: t.computed({
    type: [CustomerCreditBalance],
    description: 'What can be used now, by currency; currencies without anything are left out.',
    columns: ['id'],
    resolve: async ({ id }, _args, ctx) => [...(await loadCreditBalances(ctx, id))],
  }),
}));

builder.prismaObjectField('CustomerCredit', 'customer', (t) =>
  t.row('customer', { description: 'Whose it is.' }),
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
