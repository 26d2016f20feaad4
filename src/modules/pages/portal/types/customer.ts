import { builder } from '../../../../graphql/reading/builder.ts';
import { type AddressShape, CustomerAddress } from '../../../customers/customers/types.ts';
import type { PortalState } from '../store.ts';

export const PortalCustomer = builder.objectRef<PortalState['customer']>('PortalCustomer').implement({
  description: 'Customer of a portal session, with the billing details shown on invoices.',
  fields: (t) => ({
    timezone: t
      .member('timezone', 'Timezone')
      .describe("Customer's time zone, for display only. Billing uses UTC."),
    email: t.member('email', 'String').describe('Email address to which invoices and receipts are sent.'),
    fullName: t.member('fullName', 'String').describe('Name of the customer. Empty if not set.'),
    taxDocument: t.maybe('taxDocument', 'String').describe('Tax ID of the customer. `null` if not set.'),
    documentType: t
      .maybe('documentType', 'String')
      .describe(
        "Local name for the type of the customer's tax ID, such as `VAT`. Depends on the country of the billing address. `null` if the customer has no tax ID.",
      ),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address of the customer. `null` if not set.',
      resolve: (customer) => customer.address as AddressShape | null,
    }),
  }),
});
