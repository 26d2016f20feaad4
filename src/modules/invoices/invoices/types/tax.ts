import type { Tax } from '../../../../domain/tax/tax.ts';
import { untaxed } from '../../../../domain/tax/tax.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { taxName } from '../../../organization/tax-registrations/compute-tax.ts';

const InvoiceTaxTreatment = builder.enumType('InvoiceTaxTreatment', {
  description: 'Tax treatment of an invoice.',
  values: {
    untaxed: { description: "The organization has no tax registration for the payer's location." },
    taxed: {
      description:
        "A tax registration covers the payer's location. The rate of the registration applies. The rate can be 0.",
    },
    reverse_charge: {
      description:
        'The payer is a business in another member state of the European Union and accounts for the tax.',
    },
  } as const,
});

/** Tax of an invoice with the taxable amount, in minor units. */
type InvoiceTaxDetails = Tax & { readonly taxable: bigint; readonly taxAmount: bigint };

/** Returns the tax details of an invoice, stored or calculated for a preview. */
export function taxOf(
  invoice: Pick<Row<'Invoice'>, 'subtotal' | 'discountAmount' | 'creditApplied' | 'taxAmount'> & {
    readonly tax: Tax | null;
  },
): InvoiceTaxDetails {
  const { subtotal, discountAmount, creditApplied, taxAmount } = invoice;
  const tax = invoice.tax ?? untaxed;
  return { ...tax, taxable: subtotal - discountAmount - creditApplied, taxAmount };
}

/** Returns the tax details of a credit note. The amounts are negative. */
export const noteTaxOf = ({
  subtotal,
  taxAmount,
  tax,
}: Pick<Row<'CreditNote'>, 'subtotal' | 'taxAmount'> & { readonly tax: Tax | null }): InvoiceTaxDetails => ({
  ...(tax ?? untaxed),
  taxable: subtotal,
  taxAmount,
});

export const InvoiceTax = builder.objectRef<InvoiceTaxDetails>('InvoiceTax').implement({
  description: 'Tax details of an invoice. `amount` is `taxable` × `ratePpm` ÷ 1,000,000, rounded half up.',
  fields: (t) => ({
    treatment: t.member('treatment', InvoiceTaxTreatment).describe('Tax treatment of the invoice.'),
    name: t.string({
      nullable: true,
      description: 'Name of the tax, such as `VAT`, `GST`, or `Sales tax`. `null` if the invoice is untaxed.',
      resolve: ({ treatment, country, region }) =>
        treatment === 'untaxed' || country === null ? null : taxName(country, region),
    }),
    ratePpm: t.member('ratePpm', 'Int').describe('Tax rate in parts per million; 190,000 = 19%.'),
    country: t
      .maybe('country', 'String')
      .describe(
        'Country that levies the tax, as an ISO 3166-1 alpha-2 code. `null` if the invoice is untaxed.',
      ),
    region: t.maybe('region', 'String').describe('State or province of the payer. `null` if not known.'),
    taxable: t
      .member('taxable', 'MINOR')
      .describe('Taxable amount in the smallest currency unit: the subtotal minus discounts and credits.'),
    amount: t.member('taxAmount', 'MINOR').describe('Tax in the smallest currency unit.'),
  }),
});
