import type { Tax } from '../../domain/tax.ts';
import { untaxed } from '../../domain/tax.ts';
import { builder } from '../../graphql/builder.ts';
import type { Row } from '../../infra/rows.ts';

const InvoiceTaxTreatment = builder.enumType('InvoiceTaxTreatment', {
  description: 'Why an invoice bears the tax it bears.',
  values: {
    untaxed: { description: 'No tax registration of the organization reaches the payer.' },
    taxed: { description: 'A tax registration does, and its rate applies, which can be 0.' },
    reverse_charge: { description: 'A business in another member state of the European Union, which owes the tax itself.' },
  } as const,
});

/** The tax of an invoice with the amount it is taken of, minor units. */
type InvoiceTaxFacts = Tax & { readonly taxable: bigint; readonly taxAmount: bigint };

/** How the tax of a stored invoice came about. */
export function taxOf(invoice: Row<'Invoice'>): InvoiceTaxFacts {
  const { subtotal, discountAmount, creditApplied, taxAmount } = invoice;
  // The engine is the only writer of the column and stores exactly this.
  const tax = (invoice.tax as Tax | null) ?? untaxed;
  return { ...tax, taxable: subtotal - discountAmount - creditApplied, taxAmount };
}

export const InvoiceTax = builder.objectRef<InvoiceTaxFacts>('InvoiceTax').implement({
  description:
    'How the tax of an invoice came about: `amount` is `taxable` times `ratePpm` over 1 000 000, rounded half up once (BIL-20, BIL-21).',
  fields: (t) => ({
    treatment: t.expose('treatment', { type: InvoiceTaxTreatment, description: 'Why it bears this tax.' }),
    ratePpm: t.expose('ratePpm', { type: 'SafeInt', description: 'The rate in parts per million: 190 000 is 19 %.' }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Whose tax it is, ISO 3166-1 alpha-2; null for an untaxed invoice.',
    }),
    region: t.exposeString('region', { nullable: true, description: 'The state or province of the payer where one is known; else null.' }),
    taxable: t.expose('taxable', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is taxed, minor units: subtotal less discounts and credits.',
    }),
    amount: t.expose('taxAmount', { type: 'SafeInt', amount: 'MINOR', description: 'The tax, minor units.' }),
  }),
});
