import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { reference } from '../../graphql/shapes.ts';
import { createCustomer } from './create.ts';
import { createCustomers } from './create-batch.ts';
import { deleteCustomer } from './delete.ts';
import { removeMethodOf } from './delete-method.ts';
import { AddressInput, BatchAddressInput, Customer, CustomerBatch } from './types.ts';
import { updateCustomer } from './update.ts';

const text = { maxLength: 300 } as const;

const CustomerCreateInput = builder.inputType('CustomerCreateInput', {
  description: 'A new customer.',
  fields: (t) => ({
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address.',
    }),
    id: t.id({
      rule: reference,
      description:
        "The caller's own identifier; same meaning as `externalId`. An existing one answers that customer unchanged.",
    }),
    externalId: t.string({
      rule: reference,
      description: "The caller's own identifier, 1 to 200 characters.",
    }),
    fullName: t.string({ rule: text, description: 'Up to 300 characters.' }),
    taxDocument: t.string({ rule: { minLength: 1, maxLength: 100 }, description: 'Tax number.' }),
    address: t.field({ type: AddressInput, description: 'Billing address.' }),
    addressId: t.string({
      description: 'Accepted for compatibility; no addresses with ids exist, so a value is rejected.',
    }),
    timezone: t.field({ type: 'Timezone', description: 'Defaults to UTC.' }),
    metadata: t.field({ type: 'Json', description: 'Free-form. Defaults to empty.' }),
  }),
});

builder.mutationField('customerCreate', (t) =>
  t.field({
    type: Customer,
    description:
      'Creates a customer. Repeating an identifier answers the existing customer unchanged and sends no event.',
    rest: {
      method: 'POST',
      path: '/customers',
      status: ({ isNew }: { isNew?: boolean }) => (isNew === true ? 201 : 200),
      view: 'Customer',
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreateInput, required: true, description: 'The new customer.' }) },
    resolve: (_root, { input }, ctx) => createCustomer(ctx, input),
  }),
);

const CustomerUpdateInput = builder.inputType('CustomerUpdateInput', {
  description: 'Changes to a customer; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Our id, else the external id.' }),
    email: t.string({ rule: { format: 'email', maxLength: 320 }, description: 'Email address.' }),
    fullName: t.string({ rule: text, description: 'Up to 300 characters.' }),
    taxDocument: t.string({ rule: { minLength: 1, maxLength: 100 }, description: 'Tax number.' }),
    externalId: t.string({
      rule: reference,
      description: "The caller's own identifier; `duplicate` when another customer has it.",
    }),
    timezone: t.field({ type: 'Timezone', description: 'Display time zone.' }),
    metadata: t.field({ type: 'Json', description: 'Replaces the stored metadata.' }),
    address: t.field({ type: AddressInput, description: 'Replaces the stored address.' }),
  }),
});

builder.mutationField('customerUpdate', (t) =>
  t.field({
    type: Customer,
    description:
      'Changes a customer. Address and tax document count from the next invoice on; the currency of a subscription stays.',
    rest: {
      method: 'PATCH',
      path: '/customers/{id}',
      view: 'Customer',
      errors: ['customer_not_found', 'duplicate'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateCustomer(ctx, input),
  }),
);

const CustomerBatchItem = builder.inputType('CustomerBatchItemInput', {
  description:
    'One new customer of a batch. Formats and conflicts fail the item; unknown fields and wrong types reject the call.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address.' }),
    id: t.id({ description: "The caller's own identifier; same meaning as `externalId`." }),
    externalId: t.string({ description: "The caller's own identifier, 1 to 200 characters." }),
    fullName: t.string({ description: 'Up to 300 characters.' }),
    taxDocument: t.string({ description: 'Tax number.' }),
    timezone: t.string({ description: 'A time-zone name, UTC by default.' }),
    metadata: t.field({ type: 'Json', description: 'Free-form.' }),
    address: t.field({ type: BatchAddressInput, description: 'Billing address.' }),
  }),
});

const CustomerCreateBatchInput = builder.inputType('CustomerCreateBatchInput', {
  description: 'New customers.',
  fields: (t) => ({
    customers: t.field({
      type: [CustomerBatchItem],
      required: true,
      rule: { minItems: 1, maxItems: 100 },
      description: '1 to 100 customers.',
    }),
  }),
});

builder.mutationField('customerCreateBatch', (t) =>
  t.field({
    type: CustomerBatch,
    description:
      'Creates up to 100 customers; each succeeds or fails alone, and the call succeeds even if all fail.',
    rest: { method: 'POST', path: '/customers/batch', view: 'CustomerBatch' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreateBatchInput, required: true, description: 'The batch.' }) },
    resolve: (_root, { input }, ctx, info) => createCustomers(ctx, input.customers, info.schema),
  }),
);

const CustomerDeleteInput = builder.inputType('CustomerDeleteInput', {
  description: 'Which customer to delete.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Our id, else the external id.' }),
  }),
});

builder.mutationField('customerDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes a customer permanently. Its subscriptions are canceled at once and nothing is charged, stored cards are removed, open payment links are withdrawn, and the portal is closed to it. Invoices, payments, credits and events stay and still show whom they were for; the external id is free for another customer. `charge_in_progress` while a charge is unanswered. Only signed-in members delete customers.',
    errors: ['customer_not_found', 'charge_in_progress'],
    access: { member: 'member' },
    args: { input: t.arg({ type: CustomerDeleteInput, required: true, description: 'The customer.' }) },
    resolve: (_root, { input }, ctx) => deleteCustomer(ctx, input.id),
  }),
);

const CustomerPaymentMethodRemoveInput = builder.inputType('CustomerPaymentMethodRemoveInput', {
  description: 'The stored card to remove.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'Our id of the customer, else its external id.' }),
    paymentMethodId: t.id({ required: true, rule: reference, description: 'One of its `paymentMethods`.' }),
  }),
});

builder.mutationField('customerPaymentMethodRemove', (t) =>
  t.field({
    type: Customer,
    description:
      'Removes a stored card of a customer, which is charged nothing any more; what it paid can be refunded still. `payment_method_in_use` while a subscription that is not over is charged to it. Sends `payment_method.detached`.',
    errors: ['customer_not_found', 'payment_method_not_found', 'payment_method_in_use', 'charge_in_progress'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: CustomerPaymentMethodRemoveInput, required: true, description: 'The card.' }),
    },
    resolve: (_root, { input }, ctx) => removeMethodOf(ctx, input),
  }),
);
