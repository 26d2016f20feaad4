import type { TaxExposure } from '../../../../domain/metrics/tax-exposure.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { TaxCoverage } from '../enums.ts';

export const TaxExposureType = builder.objectRef<TaxExposure>('TaxExposure').implement({
  description:
    "Sales to one country in one currency, with the organization's tax registrations in that country.",
  fields: (t) => ({
    country: t
      .maybe('country', 'String')
      .describe(
        "ISO 3166-1 alpha-2 code of the customer's country, as printed on the invoices. `null` if the country isn't known.",
      ),
    currency: t
      .member('currency', Currency)
      .describe('Currency of the amount, as a lowercase ISO 4217 code.'),
    billed: t
      .member('billed', 'MINOR')
      .describe(
        'Amount billed before tax, minus voided invoices. In the smallest currency unit, such as cents.',
      ),
    coverage: t
      .member('coverage', TaxCoverage)
      .describe('Extent of the current tax registration in the country.'),
    regions: t.stringList({
      description:
        'Uppercase codes of the states or provinces in which the organization is registered, sorted alphabetically. Up to 100.',
      resolve: ({ regions }) => [...regions],
    }),
  }),
});
