import { operation } from '../../../engine/operation.ts';
import { amountAboveZero } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { newId } from '../../../platform/ids.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { findSubject } from '../customers/store.ts';
import { revokeCredit } from './revoke.ts';
import { requireCredit } from './store.ts';
import { CustomerCredit, CustomerCreditRevocation } from './types.ts';

const customerId = 'ID or external ID of the customer.';

const CustomerCreditCreateInput = builder.inputType('CustomerCreditCreateInput', {
  description: 'Parameters for granting a customer credit.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerId }),
    amount: t.field({
      type: 'SafeInt',
      required: true,
      amount: 'MINOR',
      rule: amountAboveZero,
      description: 'Amount in the smallest currency unit, such as cents. From 1 to 900,000,000,000,000.',
    }),
    currency: t.field({
      type: Currency,
      required: true,
      description: 'Currency of the credit. The credit applies only to invoices in this currency.',
    }),
    reason: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 1_000, multiline: true },
      description: 'Reason for the credit. From 1 to 1,000 characters.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      rule: { nullable: true },
      description:
        'Time at which the credit expires and can no longer be used. Must be in the future. If omitted or `null`, the credit never expires.',
    }),
  }),
});

/** Grants a customer credit (BIL-19). Throws `validation_error` if `expiresAt` isn't in the future. */
/** Grants a customer credit. */
export const creditGrant = operation({
  input: CustomerCreditCreateInput,
  find: (ctx, { customerId }) => findSubject(ctx, customerId, 'customerId'),
  command: ({ amount, currency, reason, expiresAt }) => ({
    kind: 'credit.grant',
    creditId: newId('crd'),
    amountMinor: BigInt(amount),
    currency,
    source: 'api',
    reason,
    expiresAt: expiresAt ?? null,
  }),
  result: (ctx, { subject, command }) => requireCredit(ctx, subject.customerId, command.creditId),
});

builder.mutationField('customerCreditCreate', (t) =>
  t.operation(creditGrant, {
    type: CustomerCredit,
    description:
      "Grants a customer credit. Credits reduce the customer's next recurring, overage, plan-change, and reactivation invoices before tax, starting with the oldest credit.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/credits',
      names: { customerId: 'id' },
      status: 201,
      view: 'CustomerCredit',
    },
    errors: ['customer_not_found'],
    access: { scope: 'write' },
  }),
);

const CustomerCreditRevokeInput = builder.inputType('CustomerCreditRevokeInput', {
  description: 'Parameters for revoking a customer credit.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerId }),
    creditId: t.id({ required: true, description: 'ID of the credit to revoke.' }),
  }),
});

builder.mutationField('customerCreditRevoke', (t) =>
  t.field({
    type: CustomerCreditRevocation,
    description:
      "Revokes the unused part of a customer credit. If the credit is used up, `revokedAmount` is 0 and the credit doesn't change.",
    rest: {
      method: 'POST',
      path: '/customers/{id}/credits/{creditId}/revoke',
      names: { customerId: 'id' },
      view: 'CustomerCreditRevocation',
    },
    errors: ['customer_not_found', 'not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreditRevokeInput, required: true }) },
    resolve: (_root, { input }, ctx) => revokeCredit(ctx, input),
  }),
);
