import type { EnumRef } from '@pothos/core';
import type { Currency as CurrencyCode } from '../../domain/money.ts';
import { builder } from '../../graphql/builder.ts';

const currencyNames: { readonly [code in CurrencyCode]: { readonly description: string } } = {
  usd: { description: 'US dollar.' },
  ars: { description: 'Argentine peso.' },
  brl: { description: 'Brazilian real.' },
  clp: { description: 'Chilean peso; no decimals.' },
  cop: { description: 'Colombian peso.' },
  pen: { description: 'Peruvian sol.' },
  uyu: { description: 'Uruguayan peso.' },
  pyg: { description: 'Paraguayan guaraní; no decimals.' },
  bob: { description: 'Bolivian boliviano.' },
  mxn: { description: 'Mexican peso.' },
  cad: { description: 'Canadian dollar.' },
  eur: { description: 'Euro.' },
  jpy: { description: 'Japanese yen; no decimals.' },
  cny: { description: 'Chinese renminbi.' },
  krw: { description: 'South Korean won; no decimals.' },
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

/** Rows hold currencies as texts, of which only these can be shown. */
export const Currency: EnumRef<typeof builder.$inferSchemaTypes, string, CurrencyCode> = builder.enumType(
  'Currency',
  {
    description: 'Currencies that can be charged in, by their ISO 4217 codes in lower case.',
    values: currencyNames,
  },
);
