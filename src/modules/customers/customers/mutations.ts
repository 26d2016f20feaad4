import { operation } from '../../../engine/operation.ts';
import { ownIdentifier, reference } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { createCustomer } from './create.ts';
import { createCustomers } from './create-batch.ts';
import { deleteCustomer } from './delete.ts';
import { findEndedWithMethod, requireCustomer } from './store.ts';
import { AddressInput, BatchAddressInput, Customer, CustomerBatch } from './types.ts';
import { updateCustomer } from './update.ts';

const text = { maxLength: 300 } as const;
const budgetText = 'If `true`, usage without a budget is rejected.';

const CustomerCreateInput = builder.inputType('CustomerCreateInput', {
  description: 'Parameters for creating a customer.',
  fields: (t) => ({
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address. Up to 320 characters.',
    }),
    id: t.id({
      rule: ownIdentifier,
      description: 'Identifier that you assign to the customer. Alias of `externalId`.',
    }),
    externalId: t.string({
      rule: ownIdentifier,
      description:
        'Identifier that you assign to the customer. From 1 to 200 characters. If a customer with this identifier exists, the response contains that customer.',
    }),
    fullName: t.string({
      rule: text,
      description: 'Name of the person or business. Up to 300 characters. Defaults to an empty name.',
    }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100 },
      description: 'Tax ID. From 1 to 100 characters.',
    }),
    address: t.field({ type: AddressInput, description: 'Billing address.' }),
    addressId: t.string({
      description: 'Reserved for compatibility. Any value is rejected, because addresses have no IDs.',
    }),
    timezone: t.field({
      type: 'Timezone',
      description: "Customer's time zone, for display only. Defaults to UTC.",
    }),
    requireBudget: t.boolean({
      rule: { default: false },
      description: `Whether usage must name a budget. ${budgetText} Defaults to \`false\`.`,
    }),
    metadata: t.field({
      type: 'Json',
      description: 'Key-value data to attach to the customer. Defaults to an empty object.',
    }),
  }),
});

builder.mutationField('customerCreate', (t) =>
  t.field({
    type: Customer,
    description:
      'Creates a customer. If a customer with the requested external ID already exists, returns that customer unchanged and sends no event.',
    rest: {
      method: 'POST',
      path: '/customers',
      status: ({ isNew }: { isNew?: boolean }) => (isNew === true ? 201 : 200),
      view: 'Customer',
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createCustomer(ctx, input),
  }),
);

const CustomerUpdateInput = builder.inputType('CustomerUpdateInput', {
  description: 'Parameters for updating a customer. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    email: t.string({
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address. Up to 320 characters.',
    }),
    fullName: t.string({ rule: text, description: 'Name of the person or business. Up to 300 characters.' }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: 'Tax ID. From 1 to 100 characters. `null` removes the tax ID.',
    }),
    externalId: t.string({
      rule: { ...ownIdentifier, nullable: true },
      description:
        'Identifier that you assign to the customer. From 1 to 200 characters. `null` removes the identifier.',
    }),
    timezone: t.field({ type: 'Timezone', description: "Customer's time zone, for display only." }),
    requireBudget: t.boolean({ description: `Whether usage must name a budget. ${budgetText}` }),
    metadata: t.field({ type: 'Json', description: 'Key-value data. Replaces all stored metadata.' }),
    address: t.field({
      type: AddressInput,
      rule: { nullable: true },
      description: 'Billing address. Replaces the stored address. `null` removes the address.',
    }),
  }),
});

builder.mutationField('customerUpdate', (t) =>
  t.field({
    type: Customer,
    description:
      'Updates a customer. A new address or tax ID applies from the next invoice. Subscriptions keep their currency.',
    rest: {
      method: 'PATCH',
      path: '/customers/{id}',
      view: 'Customer',
    },
    errors: ['customer_not_found', ['duplicate', 'another customer has the external ID']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateCustomer(ctx, input),
  }),
);

const CustomerBatchItem = builder.inputType('CustomerBatchItemInput', {
  description:
    'Parameters for creating a customer in a batch. An invalid value or a conflict causes only this item to fail. An unknown field or a value of the wrong type causes the whole request to fail.',
  fields: (t) => ({
    email: t.string({ required: true, description: 'Email address. Up to 320 characters.' }),
    id: t.id({ description: 'Identifier that you assign to the customer. Alias of `externalId`.' }),
    externalId: t.string({
      description: 'Identifier that you assign to the customer. From 1 to 200 characters.',
    }),
    fullName: t.string({
      description: 'Name of the person or business. Up to 300 characters. Defaults to an empty name.',
    }),
    taxDocument: t.string({ description: 'Tax ID. From 1 to 100 characters.' }),
    timezone: t.string({ description: "Customer's time zone, for display only. Defaults to UTC." }),
    requireBudget: t.boolean({
      description: `Whether usage must name a budget. ${budgetText} Defaults to \`false\`.`,
    }),
    metadata: t.field({
      type: 'Json',
      description: 'Key-value data to attach to the customer. Defaults to an empty object.',
    }),
    address: t.field({ type: BatchAddressInput, description: 'Billing address.' }),
  }),
});

const CustomerCreateBatchInput = builder.inputType('CustomerCreateBatchInput', {
  description: 'Parameters for creating several customers.',
  fields: (t) => ({
    customers: t.field({
      type: [CustomerBatchItem],
      required: true,
      rule: { minItems: 1, maxItems: 100 },
      description: 'Customers to create. From 1 to 100 items.',
    }),
  }),
});

builder.mutationField('customerCreateBatch', (t) =>
  t.field({
    type: CustomerBatch,
    description:
      'Creates up to 100 customers. Items succeed or fail independently. The request succeeds even if all items fail.',
    rest: { method: 'POST', path: '/customers/batch', view: 'CustomerBatch' },
    access: { scope: 'write' },
    args: { input: t.arg({ type: CustomerCreateBatchInput, required: true }) },
    resolve: (_root, { input }, ctx, info) => createCustomers(ctx, input.customers, info.schema),
  }),
);

deletionField('customerDelete', {
  of: 'a customer',
  reference: 'ID or external ID of the customer.',
  description:
    'Permanently deletes a customer. Subscriptions are canceled immediately without a charge, stored payment methods are removed, open payment links are canceled, and portal access ends. Invoices, payments, credits, and events are kept and still refer to the customer. The external ID becomes available for another customer. Available to signed-in members only.',
  errors: ['customer_not_found', ['charge_in_progress', 'a charge of the customer is still processing']],
  access: { member: 'member' },
  delete: (ctx, id) => deleteCustomer(ctx, id),
});

const CustomerPaymentMethodRemoveInput = builder.inputType('CustomerPaymentMethodRemoveInput', {
  description: 'Parameters for removing a stored payment method.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: 'ID or external ID of the customer.' }),
    paymentMethodId: t.id({
      required: true,
      rule: reference,
      description:
        "ID of the stored payment method to remove. Must be one of the customer's `paymentMethods`.",
    }),
  }),
});

/** Removes a stored payment method that no active subscription uses (PAY-34). If an error is thrown, the payment method remains unchanged. */
export const methodRemove = operation({
  input: CustomerPaymentMethodRemoveInput,
  find: async (ctx, { customerId: reference, paymentMethodId }) => {
    const customer = await requireCustomer(ctx, reference, 'customerId');
    const { id: customerId } = customer;
    const subscriptionIds = await findEndedWithMethod(ctx, customerId, paymentMethodId);
    return { customerId, customer, subscriptionIds };
  },
  command: ({ paymentMethodId }, { subscriptionIds }, { caller }) => ({
    kind: 'method.remove',
    paymentMethodId,
    subscriptionIds,
    by: caller.kind === 'page' ? 'customer' : 'merchant',
  }),
  result: (ctx, { subject: { customer } }) => {
    ctx.forget();
    return customer;
  },
});

builder.mutationField('customerPaymentMethodRemove', (t) =>
  t.operation(methodRemove, {
    type: Customer,
    description:
      "Removes a stored payment method of a customer. The payment method isn't charged again. You can still refund its past payments. Sends the event `payment_method.detached`.",
    errors: [
      'customer_not_found',
      'payment_method_not_found',
      ['payment_method_in_use', "a subscription that hasn't ended uses the payment method"],
      'charge_in_progress',
    ],
    access: { scope: 'write' },
  }),
);
