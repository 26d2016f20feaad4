import { validationError } from '../../../domain/errors/errors.ts';
import { hasStandardRate } from '../../../domain/tax/tax.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { taxTables } from './compute-tax.ts';
import { recordRegistration, taxRegistrationRows } from './store.ts';

/**
 * Parameters for creating a tax registration. Without a region, the registration covers the whole country. Without a rate, the standard
 * rate applies.
 */
export type NewTaxRegistrationInput = {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly rateBps?: number | null | undefined;
};

/** Returns the tax jurisdiction to register. Throws `validation_error` if the region is unknown or the jurisdiction has no standard rate. */
function placeOf({ country, region = null, rateBps = null }: NewTaxRegistrationInput, now: Date) {
  const code = region === null ? null : taxTables.regionCode(country, region);
  if (region !== null && code === null)
    throw validationError([
      {
        field: 'region',
        message: `${country} has no known region with this code or name. Use the code of a state or province.`,
      },
    ]);
  if (rateBps === null && !hasStandardRate(taxTables.standardRates(country, code, now), code)) {
    const message = `There is no standard rate for ${code ?? country}. Set a rate, or choose a region that has a standard rate.`;
    throw validationError([{ field: 'rateBps', message }]);
  }
  return { country, region: code ?? '', rateBps };
}

/**
 * Creates a tax registration for a jurisdiction. The tax applies to invoices that are issued after the registration is created (BIL-20). Throws
 * `validation_error`, and `duplicate` if the jurisdiction already has a tax registration, even for concurrent requests.
 */
export const createTaxRegistration = (
  ctx: Context,
  input: NewTaxRegistrationInput,
): Promise<Row<'TaxRegistration'>> =>
  taxRegistrationRows.create(
    ctx,
    async (tx) => placeOf(input, tx.clock.now()),
    (tx, registration) => recordRegistration(tx, 'tax_registration.created', registration),
  );
