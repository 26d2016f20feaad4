import { builder } from '../../../graphql/builder.ts';
import { type AddressShape, CustomerAddress } from '../../customers/types.ts';
import type { PortalState } from '../store.ts';

export const PortalCustomer = builder.objectRef<PortalState['customer']>('PortalCustomer').implement({
  description: 'The customer of a portal session, as it stands on invoices.',
  fields: (t) => ({
    timezone: t.expose('timezone', {
      type: 'Timezone',
      description: 'Display data only: billing counts in UTC.',
    }),
    email: t.exposeString('email', { description: 'Where invoices and receipts go.' }),
    fullName: t.exposeString('fullName', { description: 'Empty when none was given.' }),
    taxDocument: t.exposeString('taxDocument', {
      nullable: true,
      description: 'Tax number; null when none was given.',
    }),
    documentType: t.exposeString('documentType', {
      nullable: true,
      description: 'What the tax number is called in the country of the address; null without one.',
    }),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address; null while none is known.',
      resolve: (customer) => customer.address as AddressShape | null,
    }),
  }),
});
