import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import { hasStandardRate } from '../../domain/tax.ts';
import type { Row } from '../../platform/db/rows.ts';
import { isUniqueViolation } from '../../platform/db/unique.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { taxTables } from './compute-tax.ts';

/** What a creating call says of a tax registration; without a region it is for the whole country, without a rate for the standard one. */
export type NewTaxRegistrationInput = {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly rateBps?: number | null | undefined;
};

/** The place as it is stored. Throws `validation_error` for a region nobody knows, and for a place without any rate. */
function placeOf({ country, region = null, rateBps = null }: NewTaxRegistrationInput, now: Date) {
  const code = region === null ? null : taxTables.regionCode(country, region);
  if (region !== null && code === null)
    throw validationError([{ field: 'region', message: `No such region of ${country} is known.` }]);
  if (rateBps === null && !hasStandardRate(taxTables.standardRates(country, code, now), code)) {
    const message = `No standard rate of ${code ?? country} is known: give one, or a region that has one.`;
    throw validationError([{ field: 'rateBps', message }]);
  }
  return { country, region: code ?? '', rateBps };
}

/**
 * Registers the organization for tax in a place, for invoices issued from now on (BIL-20). Throws `validation_error`, and `duplicate` for a
 * place it is registered in, also by a rival at the same moment.
 */
export async function createTaxRegistration(
  ctx: Context,
  input: NewTaxRegistrationInput,
): Promise<Row<'TaxRegistration'>> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const createdAt = tx.clock.now();
      const place = placeOf(input, createdAt);
      return tx.db.taxRegistration.create({
        data: { id: newId('txr'), seq: await nextSeq(tx), ...place, createdAt },
      });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const param = input.region == null ? 'country' : 'region';
    throw specificError('duplicate', 'tax_registration', { param });
  }
}
