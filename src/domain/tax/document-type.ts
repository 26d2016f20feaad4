import { isCnpj, isCpf, isCuit, isPeruvianRuc, isUruguayanCi, isUruguayanRut } from './check-digits.ts';
import { unionMembers } from './european-union.ts';

/** Holder of a tax ID: an individual, a company, or either of them. */
export type DocumentHolder = 'person' | 'company' | 'either';

type Document = { readonly type: string; readonly holder: DocumentHolder };

/** Names for tax IDs by country, as used by the tax authorities. */
const names: Readonly<Record<string, string>> = {
  BO: 'NIT',
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
  PY: 'RUC',
  SG: 'UEN',
  TH: 'TIN',
  TW: 'UBN',
  US: 'EIN',
};

/** Tax ID type with its format and, if it has check digits, their verification. */
type Form = Document & { readonly form: RegExp; readonly isValid?: (text: string) => boolean };

/** Tax ID types of the countries in which the format determines the type. */
const forms: Readonly<Record<string, readonly Form[]>> = {
  AR: [
    { type: 'CUIT', holder: 'person', form: /^2[0347]\d{9}$/, isValid: isCuit },
    { type: 'CUIT', holder: 'company', form: /^3[034]\d{9}$/, isValid: isCuit },
    { type: 'DNI', holder: 'person', form: /^\d{7,8}$/ },
  ],
  BR: [
    { type: 'CPF', holder: 'person', form: /^\d{11}$/, isValid: isCpf },
    { type: 'CNPJ', holder: 'company', form: /^[0-9A-Z]{12}\d{2}$/, isValid: isCnpj },
  ],
  PE: [
    { type: 'RUC', holder: 'person', form: /^1[0-7]\d{9}$/, isValid: isPeruvianRuc },
    { type: 'RUC', holder: 'company', form: /^20\d{9}$/, isValid: isPeruvianRuc },
    { type: 'DNI', holder: 'person', form: /^\d{8}$/ },
  ],
  UY: [
    { type: 'RUT', holder: 'either', form: /^\d{12}$/, isValid: isUruguayanRut },
    { type: 'CI', holder: 'person', form: /^\d{7,8}$/, isValid: isUruguayanCi },
  ],
};

const curp = /^[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d$/;

/** Returns a tax ID in uppercase, without spaces, periods, slashes, and hyphens. */
export const bareDocument = (taxDocument: string): string =>
  taxDocument.toUpperCase().replaceAll(/[\s./-]/g, '');

const either = (type: string): Document => ({ type, holder: 'either' });

function documentOf(taxDocument: string, country: string | null): Document {
  if (country === null) return either('TAX_ID');
  const text = bareDocument(taxDocument);
  const ofCountry = forms[country];
  if (ofCountry !== undefined)
    return (
      ofCountry.find(({ form, isValid }) => form.test(text) && (isValid?.(text) ?? true)) ?? either('TAX_ID')
    );
  if (country === 'MX' && curp.test(text)) return { type: 'CURP', holder: 'person' };
  return either(names[country] ?? (unionMembers.has(country) ? 'VAT' : 'TAX_ID'));
}

/** Returns true if the format and check digits determine the type of the country's tax IDs. */
export const hasKnownForms = (country: string): boolean => Object.hasOwn(forms, country);

/**
 * Returns the type of a tax ID. In Argentina, Brazil, Peru, and Uruguay, the type depends on the format and the
 * check digits, and is `TAX_ID` if the tax ID matches no type (INS-155). In other countries, returns the
 * country's name for tax IDs. If there is no such name, returns `VAT` in the European Union and `TAX_ID`
 * elsewhere. `null` if there is no tax ID.
 */
export const documentTypeOf = (taxDocument: string | null, country: string | null): string | null =>
  taxDocument === null ? null : documentOf(taxDocument, country).type;

/** Returns the holder of a tax ID: an individual, a company, or either of them. `null` if there is no tax ID. */
export const documentHolderOf = (
  taxDocument: string | null,
  country: string | null,
): DocumentHolder | null => (taxDocument === null ? null : documentOf(taxDocument, country).holder);
