import type { InvoiceBuyer as Buyer, InvoiceSeller as Seller } from '../../../../domain/invoicing/parties.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { type AddressShape, CustomerAddress } from '../../../customers/customers/types.ts';
import { Language } from '../../../organization/organizations/types/organization.ts';

export const InvoiceBuyer = builder.objectRef<Buyer>('InvoiceBuyer').implement({
  description: "Buyer as shown on the invoice. Later changes to the customer don't affect it.",
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the buyer. Empty if not set.' }),
    email: t.exposeString('email', { description: 'Email address of the buyer.' }),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address. `null` if not set.',
      // The address is stored in the format of customer addresses.
      resolve: ({ address }) => address as AddressShape | null,
    }),
    taxDocument: t.exposeString('taxDocument', {
      nullable: true,
      description: 'Tax ID of the buyer. `null` if not set.',
    }),
    documentType: t.exposeString('documentType', {
      nullable: true,
      description:
        "Name of the tax ID in the buyer's country, such as `VAT`. `null` if the buyer has no tax ID.",
    }),
    language: t.expose('language', {
      type: Language,
      nullable: true,
      description: 'Language of the document. `null` if the document uses the language of the organization.',
    }),
  }),
});

export const InvoiceSeller = builder.objectRef<Seller>('InvoiceSeller').implement({
  description: "Organization as shown on the invoice. Later changes to the organization don't affect it.",
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Legal name of the organization.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'Address, with line breaks. `null` if not set.',
    }),
    taxId: t.exposeString('taxId', {
      nullable: true,
      description: 'Tax ID of the organization. `null` if not set.',
    }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Country as an ISO 3166-1 alpha-2 code. `null` if not set.',
    }),
    language: t.expose('language', {
      type: Language,
      description: 'Language of the documents for customers who have no language set.',
    }),
    color: t.exposeString('color', {
      nullable: true,
      description: 'Color of the document, as `#rrggbb`. `null` if the default color is used.',
    }),
  }),
});
