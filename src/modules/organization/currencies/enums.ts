import type { EnumRef } from '@pothos/core';
import type { Currency as CurrencyCode } from '../../../domain/money/money.ts';
import { builder } from '../../../graphql/reading/builder.ts';

const currencyNames: { readonly [code in CurrencyCode]: { readonly description: string } } = {
  usd: { description: 'US dollar.' },
  ars: { description: 'Argentine peso.' },
  brl: { description: 'Brazilian real.' },
  clp: { description: 'Chilean peso. Amounts have no decimals.' },
  cop: { description: 'Colombian peso.' },
  pen: { description: 'Peruvian sol.' },
  uyu: { description: 'Uruguayan peso.' },
  pyg: { description: 'Paraguayan guaraní. Amounts have no decimals.' },
  bob: { description: 'Bolivian boliviano.' },
  mxn: { description: 'Mexican peso.' },
  cad: { description: 'Canadian dollar.' },
  eur: { description: 'Euro.' },
  jpy: { description: 'Japanese yen. Amounts have no decimals.' },
  cny: { description: 'Chinese renminbi.' },
  krw: { description: 'South Korean won. Amounts have no decimals.' },
  hkd: { description: 'Hong Kong dollar.' },
  sgd: { description: 'Singapore dollar.' },
  twd: { description: 'New Taiwan dollar.' },
  inr: { description: 'Indian rupee.' },
  thb: { description: 'Thai baht.' },
  gbp: { description: 'Pound sterling.' },
  chf: { description: 'Swiss franc.' },
  aud: { description: 'Australian dollar.' },
  nzd: { description: 'New Zealand dollar.' },
  sek: { description: 'Swedish krona.' },
  nok: { description: 'Norwegian krone.' },
  dkk: { description: 'Danish krone.' },
  pln: { description: 'Polish złoty.' },
  czk: { description: 'Czech koruna.' },
  aed: { description: 'United Arab Emirates dirham.' },
  ils: { description: 'Israeli new shekel.' },
  zar: { description: 'South African rand.' },
};

/**
 * Enum of supported currencies. The values are typed as strings, because rows store currencies as strings. Rows contain
 * only supported currencies.
 */
export const Currency: EnumRef<typeof builder.$inferSchemaTypes, string, CurrencyCode> = builder.enumType(
  'Currency',
  {
    description: 'Supported currency, as a lowercase ISO 4217 code.',
    values: currencyNames,
  },
);
