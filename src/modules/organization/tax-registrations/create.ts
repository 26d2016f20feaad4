import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { taxRegistrationEvent } from '../../../domain/events/settings-events.ts';
import { hasStandardRate } from '../../../domain/tax/tax.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../../request/transaction.ts';
import { taxTables } from './compute-tax.ts';

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
export async function createTaxRegistration(
  ctx: Context,
  input: NewTaxRegistrationInput,
): Promise<Row<'TaxRegistration'>> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const createdAt = tx.clock.now();
      const place = placeOf(input, createdAt);
      const registration = await tx.db.taxRegistration.create({
        data: { id: newId('txr'), seq: await nextSeq(tx), ...place, createdAt },
      });
      await recordEvents(tx, [taxRegistrationEvent('tax_registration.created', registration, createdAt)]);
      return registration;
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const param = input.region == null ? 'country' : 'region';
    throw specificError('duplicate', 'tax_registration', { param });
  }
}
