import type { TaxExposure } from '../../../domain/metrics/tax-exposure.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { TaxCoverage } from '../enums.ts';

export const TaxExposureType = builder.objectRef<TaxExposure>('TaxExposure').implement({
  description: 'Sales to one country in one currency, beside the tax registrations there.',
  fields: (t) => ({
    country: t.exposeString('country', {
      nullable: true,
      description:
        'ISO 3166-1 alpha-2 code, as printed on the invoices; null where the country of the payer is not known.',
    }),
    currency: t.field({
      type: Currency,
      description: 'Lower-case ISO 4217 code of the amount.',
      resolve: ({ currency }) => currency,
    }),
    billed: t.expose('billed', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What was billed before tax, less voided invoices, minor units.',
    }),
    coverage: t.field({
      type: TaxCoverage,
      description: 'How far the organization is registered there now.',
      resolve: ({ coverage }) => coverage,
    }),
    regions: t.stringList({
      description: 'The states or provinces it is registered in, at most 100, upper-case codes in order.',
      resolve: ({ regions }) => [...regions],
    }),
  }),
});
