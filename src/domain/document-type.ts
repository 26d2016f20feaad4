import { unionMembers } from './european-union.ts';

/** What a tax document is called, by country: the names in use with the tax offices there. */
const names: Readonly<Record<string, string>> = {
  AR: 'CUIT',
  BO: 'NIT',
  BR: 'CNPJ',
  CA: 'BN',
  CL: 'RUT',
  CN: 'USCC',
  CO: 'NIT',
  GB: 'VAT',
  HK: 'BRN',
  IN: 'GSTIN',
  JP: 'CN',
  KR: 'BRN',
  MX: 'RFC',
  PE: 'RUC',
  PY: 'RUC',
  SG: 'UEN',
  TH: 'TIN',
  TW: 'UBN',
  US: 'EIN',
  UY: 'RUT',
};

/**
 * The kind of a tax document: by the country's name for it, VAT inside the European Union, TAX_ID elsewhere;
 * null without a document.
 */
export function documentTypeOf(taxDocument: string | null, country: string | null): string | null {
  if (taxDocument === null) return null;
  if (country === null) return 'TAX_ID';
  return names[country] ?? (unionMembers.has(country) ? 'VAT' : 'TAX_ID');
}
