import { builder } from '../../../../graphql/reading/builder.ts';
import { AddressInput } from '../../../customers/customers/types.ts';
import { updateCustomer } from '../../../customers/customers/update.ts';
import { demandOffered, loadPortal } from '../store.ts';
import { PortalCustomer } from '../types/customer.ts';
import { sessionToken } from '../types/session-token.ts';

const PortalCustomerUpdateInput = builder.inputType('PortalCustomerUpdateInput', {
  description:
    "Parameters for updating billing details. Omitted fields don't change. `null` removes a value.",
  fields: (t) => ({
    token: t.string({ ...sessionToken, rule: { nullable: true } }),
    fullName: t.string({
      rule: { maxLength: 300 },
      description: 'Name of the customer. Up to 300 characters.',
    }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: 'Tax ID. From 1 to 100 characters. `null` removes the stored tax ID.',
    }),
    address: t.field({
      type: AddressInput,
      rule: { nullable: true },
      description: 'Billing address. Replaces the stored address. `null` removes the address.',
    }),
  }),
});

builder.mutationField('portalCustomerUpdate', (t) =>
  t.field({
    type: PortalCustomer,
    description:
      "Updates the billing details of the portal's customer. The new details apply to future invoices.",
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalCustomerUpdateInput, required: true }) },
    resolve: async (_root, { input: { fullName, taxDocument, address } }, ctx) => {
      await demandOffered(ctx, 'updateDetails');
      const { customer } = await loadPortal(ctx);
      return updateCustomer(ctx, { id: customer.id, fullName, taxDocument, address });
    },
  }),
);
