import type { InvoiceBuyer as Buyer, InvoiceSeller as Seller } from '../../../domain/invoicing/parties.ts';
import { builder } from '../../../graphql/builder.ts';
import { type AddressShape, CustomerAddress } from '../../customers/types.ts';
import { Language } from '../../organizations/types/organization.ts';

export const InvoiceBuyer = builder.objectRef<Buyer>('InvoiceBuyer').implement({
  description: 'The buyer as the invoice names it. Later changes of the customer do not change it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Empty when none was known.' }),
    email: t.exposeString('email', { description: 'Email address.' }),
    address: t.field({
      type: CustomerAddress,
      nullable: true,
      description: 'Billing address; null when none was known.',
      // Stored as the customer had it.
      resolve: ({ address }) => address as AddressShape | null,
    }),
    taxDocument: t.exposeString('taxDocument', {
      nullable: true,
      description: 'Tax number; null when none was known.',
    }),
    documentType: t.exposeString('documentType', {
      nullable: true,
      description: 'What the tax number is called in the country of the buyer; null without a tax number.',
    }),
    language: t.expose('language', {
      type: Language,
      nullable: true,
      description: 'Language of the document; null where it has that of the seller.',
    }),
  }),
});

export const InvoiceSeller = builder.objectRef<Seller>('InvoiceSeller').implement({
  description: 'The seller as the invoice names it. Later changes of the organization do not change it.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Legal name.' }),
    address: t.exposeString('address', {
      nullable: true,
      description: 'Lines separated by line breaks; null when none was known.',
    }),
    taxId: t.exposeString('taxId', { nullable: true, description: 'Tax number; null when none was known.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'ISO 3166-1 alpha-2 code; null when it was not known.',
    }),
    language: t.expose('language', {
      type: Language,
      description: 'Language of documents for buyers whose language is not known.',
    }),
    color: t.exposeString('color', {
      nullable: true,
      description: 'Color of the document, `#rrggbb`; null for the default color.',
    }),
  }),
});
