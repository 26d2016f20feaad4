import { builder } from '../../graphql/builder.ts';
import { Currency } from '../currencies/enums.ts';
import { grantCredit } from './grant.ts';
import { revokeCredit } from './revoke.ts';
import { CustomerCredit, CustomerCreditRevocation } from './types.ts';

const customerId = 'Our id of the customer, else its external id.';

/** So large that no business reaches it, so small that its rate still fits the database in every currency. */
const largestCredit = 900_000_000_000_000;

const CustomerCreditCreateInput = builder.inputType('CustomerCreditCreateInput', {
  description: 'A new customer credit.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: { minimum: 1, maximum: largestCredit },
      description: 'Minor units of the currency, above 0, at most 900 000 000 000 000.',
    }),
    currency: t.field({
      type: Currency,
      required: true,
      description: 'Only invoices in this currency are lowered.',
    }),
    reason: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'Why, 1 to 1000 characters.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description:
        'From when on it can no longer be used, in the future; it never expires when left out or null.',
    }),
  }),
});

builder.mutationField('customerCreditCreate', (t) =>
  t.field({
    type: CustomerCredit,
    description:
      'Grants a customer money that lowers its next recurring, overage, plan-change and reactivation invoices before tax, oldest credit first.',
    rest: {
      method: 'POST',
      path: '/customers/{id}/credits',
      names: { customerId: 'id' },
      status: 201,
      view: 'CustomerCredit',
      errors: ['customer_not_found'],
    },
    access: { scope: 'write' },
    args: {
      input: t.arg({
        type: CustomerCreditCreateInput,
        required: true,
        description: 'The customer and the credit.',
      }),
    },
    resolve: (_root, { input }, ctx) => grantCredit(ctx, input),
  }),
);

const CustomerCreditRevokeInput = builder.inputType('CustomerCreditRevokeInput', {
  description: 'Which credit of which customer to revoke.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerId }),
    creditId: t.id({ required: true, description: 'Id of the credit.' }),
  }),
});

builder.mutationField('customerCreditRevoke', (t) =>
  t.field({
    type: CustomerCreditRevocation,
    description:
      'Withdraws what no invoice has used of a credit; with nothing left it answers 0 and changes nothing.',
    rest: {
      method: 'POST',
      path: '/customers/{id}/credits/{creditId}/revoke',
      names: { customerId: 'id' },
      view: 'CustomerCreditRevocation',
      errors: ['customer_not_found', 'not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreditRevokeInput, required: true, description: 'The credit.' }) },
    resolve: (_root, { input }, ctx) => revokeCredit(ctx, input),
  }),
);
