import type { InvoiceBuyer as Buyer, InvoiceSeller as Seller } from '../../../../domain/invoicing/parties.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { type AddressShape, CustomerAddress } from '../../../customers/customers/types.ts';
import { Language } from '../../../organization/organizations/types/organization.ts';

export const InvoiceBuyer = builder.objectRef<Buyer>('InvoiceBuyer').implement({
  description: "Buyer as shown on the invoice. Later changes to the customer don't affect the invoice.",
  fields: (t) => ({
    name: t.member('name', 'String').describe('Name of the buyer. Empty if not set.'),
    email: t.member('email', 'String').describe('Email address of the buyer.'),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address of the buyer. `null` if not set.',
      // The address is stored in the format of customer addresses.
      resolve: ({ address }) => address as AddressShape | null,
    }),
    taxDocument: t.maybe('taxDocument', 'String').describe('Tax ID of the buyer. `null` if not set.'),
    documentType: t
      .maybe('documentType', 'String')
      .describe(
        "Name of the tax ID in the buyer's country, such as `VAT`. `null` if the buyer has no tax ID.",
      ),
    language: t
      .maybe('language', Language)
      .describe('Language of the document. `null` if the document uses the language of the organization.'),
  }),
});

export const InvoiceSeller = builder.objectRef<Seller>('InvoiceSeller').implement({
  description:
    "Organization as shown on the invoice. Later changes to the organization don't affect the invoice.",
  fields: (t) => ({
    name: t.member('name', 'String').describe('Legal name of the organization.'),
    address: t
      .maybe('address', 'String')
      .describe('Address of the organization, with line breaks. `null` if not set.'),
    taxId: t.maybe('taxId', 'String').describe('Tax ID of the organization. `null` if not set.'),
    country: t
      .maybe('country', 'String')
      .describe('Country of the organization, as an ISO 3166-1 alpha-2 code. `null` if not set.'),
    language: t
      .member('language', Language)
      .describe("Language of documents for customers whose language isn't set."),
    color: t
      .maybe('color', 'String')
      .describe('Color of the document, as `#rrggbb`. `null` if the default color is used.'),
  }),
});
