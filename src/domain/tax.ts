// What tax an invoice bears: from the seller's registrations, the payer's address and tax document, and
// tables of standard rates (BIL-20).
import { unionMembers } from './european-union.ts';
import { divideRounded } from './money.ts';

/**
 * A tax registration of the organization: a country, perhaps a region of it, and perhaps a rate of its own in
 * basis points.
 */
export type TaxRegistration = {
  readonly country: string;
  readonly region: string | null;
  readonly rateBps: number | null;
};

/**
 * The fields of a payer its tax depends on. Countries are upper-case ISO 3166-1 alpha-2 codes; the region is
 * as it was typed in.
 */
export type TaxPayer = {
  readonly country: string | null;
  readonly region: string | null;
  readonly taxDocument: string | null;
};

/** The input of a tax computation. */
export type TaxDetails = TaxPayer & {
  /** Which rates are in force. */
  readonly at: Date;
  /** The country of the organization; null when it has not said. */
  readonly sellerCountry: string | null;
  readonly registrations: readonly TaxRegistration[];
};

/** Why an invoice bears the tax it bears. */
export type TaxTreatment = 'untaxed' | 'taxed' | 'reverse_charge';

/**
 * The tax of an invoice, kept with it: its rate in parts per million, and the country and region whose tax it
 * is; null without a tax.
 */
export type Tax = {
  readonly treatment: TaxTreatment;
  readonly ratePpm: number;
  readonly country: string | null;
  readonly region: string | null;
};

/** Why no tax could be computed. */
export type TaxFailure = { readonly failure: string };

/**
 * Computes the tax of an invoice, or why it cannot be computed. Pure: the same input gives the same result.
 */
export type ComputeTax = (details: TaxDetails) => Tax | TaxFailure;

/**
 * The standard rates of a country at an instant, in parts per million, and of one of its regions where that
 * has a rate of its own.
 */
export type StandardRates = {
  readonly nationalPpm: number;
  /**
   * A joint part belongs to the national tax (a harmonized rate, a part of the country outside it); any other
   * one is a tax beside it.
   */
  readonly regional: { readonly ppm: number; readonly isJoint: boolean } | null;
};

/** The tables the computation reads. */
export type TaxTables = {
  /** Null for a country the tables do not know. */
  readonly standardRates: (country: string, region: string | null, at: Date) => StandardRates | null;
  /** The code of a region from its code or name; null for a text that is neither. */
  readonly regionCode: (country: string, text: string) => string | null;
  /**
   * Whether a text is a business tax id of a member state of the European Union, by form and check digits.
   */
  readonly isBusinessId: (country: string, taxDocument: string) => boolean;
};

/**
 * Whether the country of a payer has to be known before anything is paid: an organization that is registered
 * for tax somewhere may owe it there (BIL-20).
 */
export const isCountryNeeded = ({
  country,
  registrations,
}: Pick<TaxDetails, 'country' | 'registrations'>): boolean => country === null && registrations.length > 0;

/** No tax at all. */
export const untaxed: Tax = { treatment: 'untaxed', ratePpm: 0, country: null, region: null };

/** Whether two invoices bear the same tax. */
export const isSameTax = (a: Tax, b: Tax): boolean =>
  a.treatment === b.treatment && a.ratePpm === b.ratePpm && a.country === b.country && a.region === b.region;

const ppmPerBasisPoint = 100;
const wholePpm = 1_000_000n;

/**
 * A business in another member state than the seller's owes the tax itself; the seller must be registered
 * somewhere in the union.
 */
function isReverseCharge(
  { sellerCountry, country, taxDocument, registrations }: TaxDetails,
  tables: TaxTables,
): boolean {
  if (sellerCountry === null || country === null || taxDocument === null || sellerCountry === country)
    return false;
  if (!unionMembers.has(sellerCountry) || !unionMembers.has(country)) return false;
  return (
    registrations.some((registration) => unionMembers.has(registration.country)) &&
    tables.isBusinessId(country, taxDocument)
  );
}

/**
 * The rate under the registrations that reach a payer, in parts per million; null where the tables do not
 * know it. A region's own rate is the whole rate. Else what the country and what the region levies are added
 * up, each where the organization is registered for it.
 */
export function rateUnder(
  registrations: { readonly national: TaxRegistration | null; readonly regional: TaxRegistration | null },
  standard: StandardRates | null,
): number | null {
  const { national, regional } = registrations;
  if (regional !== null && regional.rateBps !== null) return regional.rateBps * ppmPerBasisPoint;
  const part = standard?.regional ?? null;
  if (part?.isJoint === true && national?.rateBps == null) return (standard?.nationalPpm ?? 0) + part.ppm;
  const ofCountry =
    national === null
      ? 0
      : national.rateBps === null
        ? (standard?.nationalPpm ?? null)
        : national.rateBps * ppmPerBasisPoint;
  const ofRegion = regional === null || part?.isJoint === true ? 0 : (part?.ppm ?? null);
  return ofCountry === null || ofRegion === null ? null : ofCountry + ofRegion;
}

/**
 * Whether a place can be registered for without a rate: a country that has one, or a region that has one
 * besides.
 */
export const hasStandardRate = (standard: StandardRates | null, region: string | null): boolean =>
  standard !== null && (region === null ? standard.nationalPpm > 0 : standard.regional !== null);

/** The computation by tables of standard rates, which every environment uses (BIL-20). */
export const taxByTables =
  (tables: TaxTables): ComputeTax =>
  (details) => {
    const { country, at } = details;
    if (details.registrations.length === 0 || country === null) return untaxed;
    if (isReverseCharge(details, tables))
      return { treatment: 'reverse_charge', ratePpm: 0, country, region: null };
    const ofCountry = details.registrations.filter((registration) => registration.country === country);
    if (ofCountry.length === 0) return untaxed;
    const region = details.region === null ? null : tables.regionCode(country, details.region);
    const isDivided = ofCountry.some((registration) => registration.region !== null);
    if (isDivided && region === null) {
      const found =
        details.region === null
          ? 'that of the payer is not known'
          : `${details.region} is none that is known`;
      return { failure: `The tax in ${country} depends on the state or province, and ${found}.` };
    }
    const national = ofCountry.find((registration) => registration.region === null) ?? null;
    const regional =
      ofCountry.find((registration) => region !== null && registration.region === region) ?? null;
    if (national === null && regional === null) return untaxed;
    const ratePpm = rateUnder({ national, regional }, tables.standardRates(country, region, at));
    if (ratePpm === null)
      return { failure: `No standard tax rate is known for ${[country, region].join(' ').trim()}.` };
    return { treatment: 'taxed', ratePpm, country, region };
  };

/**
 * Thrown inside a decision whose tax cannot be computed. `decide` turns it into a rejection that changes
 * nothing.
 */
export class TaxNotComputedError extends Error {}

/** Tax on a taxable amount, rounded once per invoice (BIL-21); minor units in and out. */
export const taxOn = (taxable: bigint, { ratePpm }: Pick<Tax, 'ratePpm'>): bigint =>
  ratePpm === 0 ? 0n : divideRounded(taxable * BigInt(ratePpm), wholePpm);
