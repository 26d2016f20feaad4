import { unionMembers } from './european-union.ts';

/** Names for business tax IDs by country, as used by the tax authorities. */
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
 * Names for individual tax IDs by country. The pattern, which ignores separators, distinguishes them from
 * business tax IDs.
 */
const personal: Readonly<Record<string, readonly (readonly [form: RegExp, name: string])[]>> = {
  AR: [[/^\d{7,8}$/, 'DNI']],
  BR: [[/^\d{11}$/, 'CPF']],
  MX: [[/^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d$/, 'CURP']],
  PE: [[/^\d{8}$/, 'DNI']],
  UY: [[/^\d{7,8}$/, 'CI']],
};

/** Returns a country's name for an individual's tax ID. `null` if the tax ID doesn't match the format. */
function personalName(taxDocument: string, country: string): string | null {
  const text = taxDocument.toUpperCase().replaceAll(/[\s./-]/g, '');
  return personal[country]?.find(([form]) => form.test(text))?.[1] ?? null;
}

/**
 * Returns the type of a tax ID: the country's name for individual tax IDs (such as CPF in Brazil) or for
 * business tax IDs. If there is no such name, returns `VAT` in the European Union and `TAX_ID` elsewhere.
 * `null` if there is no tax ID.
 */
export function documentTypeOf(taxDocument: string | null, country: string | null): string | null {
  if (taxDocument === null) return null;
  if (country === null) return 'TAX_ID';
  return (
    personalName(taxDocument, country) ?? names[country] ?? (unionMembers.has(country) ? 'VAT' : 'TAX_ID')
  );
}
