import type { Tax } from '../../../domain/tax.ts';
import { untaxed } from '../../../domain/tax.ts';
import { builder } from '../../../graphql/builder.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { taxName } from '../../tax-registrations/compute-tax.ts';

const InvoiceTaxTreatment = builder.enumType('InvoiceTaxTreatment', {
  description: 'Why an invoice bears the tax it bears.',
  values: {
    untaxed: { description: 'No tax registration of the organization reaches the payer.' },
    taxed: { description: 'A tax registration does, and its rate applies, which can be 0.' },
    reverse_charge: {
      description: 'A business in another member state of the European Union, which owes the tax itself.',
    },
  } as const,
});

/** The tax of an invoice with the amount it is taken of, minor units. */
type InvoiceTaxDetails = Tax & { readonly taxable: bigint; readonly taxAmount: bigint };

/** How the tax of an invoice came about, stored or only worked out. */
export function taxOf(
  invoice: Pick<Row<'Invoice'>, 'subtotal' | 'discountAmount' | 'creditApplied' | 'taxAmount'> & {
    readonly tax: Tax | null;
  },
): InvoiceTaxDetails {
  const { subtotal, discountAmount, creditApplied, taxAmount } = invoice;
  const tax = invoice.tax ?? untaxed;
  return { ...tax, taxable: subtotal - discountAmount - creditApplied, taxAmount };
}

export const InvoiceTax = builder.objectRef<InvoiceTaxDetails>('InvoiceTax').implement({
  description:
    'How the tax of an invoice came about: `amount` is `taxable` times `ratePpm` over 1 000 000, rounded half up once.',
  fields: (t) => ({
    treatment: t.expose('treatment', { type: InvoiceTaxTreatment, description: 'Why it bears this tax.' }),
    name: t.string({
      nullable: true,
      description:
        'What the tax is called, such as `VAT`, `GST` or `Sales tax`; null for an untaxed invoice.',
      resolve: ({ treatment, country, region }) =>
        treatment === 'untaxed' || country === null ? null : taxName(country, region),
    }),
    ratePpm: t.expose('ratePpm', {
      type: 'Int',
      description: 'The rate in parts per million: 190 000 is 19 %.',
    }),
    country: t.exposeString('country', {
      nullable: true,
      description: 'Whose tax it is, ISO 3166-1 alpha-2; null for an untaxed invoice.',
    }),
    region: t.exposeString('region', {
      nullable: true,
      description: 'The state or province of the payer where one is known; else null.',
    }),
    taxable: t.expose('taxable', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What is taxed, minor units: subtotal less discounts and credits.',
    }),
    amount: t.expose('taxAmount', { type: 'SafeInt', amount: 'MINOR', description: 'The tax, minor units.' }),
  }),
});
