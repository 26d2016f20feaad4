import { builder } from '../../../graphql/builder.ts';
import { AddressInput } from '../../customers/types.ts';
import { updateCustomer } from '../../customers/update.ts';
import { demandOffered, loadPortal } from '../store.ts';
import { PortalCustomer } from '../types/customer.ts';
import { sessionToken } from '../types/session-token.ts';

const PortalCustomerUpdateInput = builder.inputType('PortalCustomerUpdateInput', {
  description:
    'Billing details as the customer changes them; what is left out stays as it is, and null removes it.',
  fields: (t) => ({
    token: t.string(sessionToken),
    fullName: t.string({ rule: { maxLength: 300 }, description: 'Up to 300 characters.' }),
    taxDocument: t.string({
      rule: { minLength: 1, maxLength: 100, nullable: true },
      description: 'Tax number, 1 to 100 characters; null removes the stored one.',
    }),
    address: t.field({
      type: AddressInput,
      rule: { nullable: true },
      description: 'Replaces the stored address; null removes it.',
    }),
  }),
});

builder.mutationField('portalCustomerUpdate', (t) =>
  t.field({
    type: PortalCustomer,
    description:
      'Changes the billing details of the customer of the portal; they count from the next invoice on.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalCustomerUpdateInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input: { fullName, taxDocument, address } }, ctx) => {
      await demandOffered(ctx, 'updateDetails');
      const { customer } = await loadPortal(ctx);
      return updateCustomer(ctx, { id: customer.id, fullName, taxDocument, address });
    },
  }),
);
