// Calculates the tax on an invoice from the organization's tax registrations, the payer's address and tax ID,
// and tables of standard rates (BIL-20).

import { divideRounded } from '../money/money.ts';
import { unionMembers } from './european-union.ts';

/** The organization's tax registration. `region` and a custom rate (in basis points) are optional. */
export type TaxRegistration = {
  readonly country: string;
  readonly region: string | null;
  readonly rateBps: number | null;
};

/**
 * Payer fields that determine the tax. Countries are uppercase ISO 3166-1 alpha-2 codes. The region is free
 * text.
 */
export type TaxPayer = {
  readonly country: string | null;
  readonly region: string | null;
  readonly taxDocument: string | null;
};

/** Input of a tax calculation. */
export type TaxDetails = TaxPayer & {
  /** Time that determines which tax rates apply. */
  readonly at: Date;
  /** Organization's country. `null` if it isn't set. */
  readonly sellerCountry: string | null;
  readonly registrations: readonly TaxRegistration[];
};

type TaxTreatment = 'untaxed' | 'taxed' | 'reverse_charge';

/**
 * Tax on an invoice, stored with the invoice. The rate is in parts per million. `country` and `region` identify the tax
 * jurisdiction, and are `null` if there's no tax.
 */
export type Tax = {
  readonly treatment: TaxTreatment;
  readonly ratePpm: number;
  readonly country: string | null;
  readonly region: string | null;
};

/** Reason why the tax can't be calculated. */
type TaxFailure = { readonly failure: string };

/**
 * Calculates the tax on an invoice. Returns a failure if the tax can't be calculated. Must be a pure
 * function.
 */
export type ComputeTax = (details: TaxDetails) => Tax | TaxFailure;

/**
 * Standard tax rates in a country at a given time, in parts per million. `regional` is the region's own rate,
 * and `null` if the region has no rate.
 */
export type StandardRates = {
  readonly nationalPpm: number;
  /**
   * `isJoint` is true if the region's rate is part of the national tax (a harmonized rate). False if the
   * region has a separate tax.
   */
  readonly regional: { readonly ppm: number; readonly isJoint: boolean } | null;
};

/** Data source for tax calculations. */
export type TaxTables = {
  /** Returns the standard rates for a country. `null` if there's no data for the country. */
  readonly standardRates: (country: string, region: string | null, at: Date) => StandardRates | null;
  /** Returns the region code that matches a code or name. `null` if the region is unknown. */
  readonly regionCode: (country: string, text: string) => string | null;
  /**
   * Returns true if the format and check digits of the string are valid for a business tax ID in a European Union
   * member state.
   */
  readonly isBusinessId: (country: string, taxDocument: string) => boolean;
};

/**
 * Returns true if the payer's country must be known before a payment, because the organization has tax
 * registrations (BIL-20).
 */
export const isCountryNeeded = ({
  country,
  registrations,
}: Pick<TaxDetails, 'country' | 'registrations'>): boolean => country === null && registrations.length > 0;

export const untaxed: Tax = { treatment: 'untaxed', ratePpm: 0, country: null, region: null };

export const isSameTax = (a: Tax, b: Tax): boolean =>
  a.treatment === b.treatment && a.ratePpm === b.ratePpm && a.country === b.country && a.region === b.region;

const ppmPerBasisPoint = 100;
const wholePpm = 1_000_000n;

/**
 * Returns true if the reverse charge applies: the payer is a business in a European Union member state other
 * than the organization's. The organization must be registered in at least one member state.
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
 * Returns the tax rate for a payer under the given registrations, in parts per million. `null` if the tables
 * don't contain it. A region's custom rate is the full rate. A joint rate is added to the country's standard
 * rate, but not to a custom rate of the country. Otherwise, adds the country's rate and the region's rate,
 * each only if the organization is registered there.
 */
function rateUnder(
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
 * Returns true if a registration doesn't need a custom rate, because its country or region has a standard
 * rate.
 */
export const hasStandardRate = (standard: StandardRates | null, region: string | null): boolean =>
  standard !== null && (region === null ? standard.nationalPpm > 0 : standard.regional !== null);

/** Returns a tax calculation that uses tables of standard rates (BIL-20). All environments use it. */
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
          ? "the payer's state or province isn't known"
          : `${details.region} isn't a known state or province`;
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
 * Thrown if the tax on an invoice can't be calculated. `decide` converts the error to a rejection and
 * discards all changes.
 */
export class TaxNotComputedError extends Error {}

/** Returns the tax on a taxable amount in minor units, rounded once per invoice (BIL-21). */
export const taxOn = (taxable: bigint, { ratePpm }: Pick<Tax, 'ratePpm'>): bigint =>
  ratePpm === 0 ? 0n : divideRounded(taxable * BigInt(ratePpm), wholePpm);
