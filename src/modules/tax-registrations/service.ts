import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { hasStandardRate } from '../../domain/tax.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import type { Row } from '../../infra/rows.ts';
import { taxTables } from '../../infra/tax-tables.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';

/** What a creating call says of a tax registration; without a region it is for the whole country, without a rate for the standard one. */
export type NewTaxRegistrationInput = {
  readonly country: string;
  readonly region?: string | null | undefined;
  readonly rateBps?: number | null | undefined;
};

/** The place as it is stored. Throws `validation_error` for a region nobody knows, and for a place without any rate. */
function placeOf({ country, region = null, rateBps = null }: NewTaxRegistrationInput, now: Date) {
  const code = region === null ? null : taxTables.regionCode(country, region);
  if (region !== null && code === null) throw validationError([{ field: 'region', message: `No such region of ${country} is known.` }]);
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
export async function createTaxRegistration(context: Context, input: NewTaxRegistrationInput): Promise<Row<'TaxRegistration'>> {
  try {
    return await inTransaction(context, async (inner) => {
      const createdAt = inner.clock.now();
      const place = placeOf(input, createdAt);
      return inner.db.taxRegistration.create({ data: { id: newId('txr'), seq: await nextSeq(inner), ...place, createdAt } });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const param = input.region == null ? 'country' : 'region';
    throw new QuittanceError('duplicate', 'The organization is registered for tax there already.', { param });
  }
}

/** Ends a tax registration; invoices issued before keep their tax. Throws `not_found`. */
export const deleteTaxRegistration = (context: Context, id: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    const { count } = await inner.db.taxRegistration.deleteMany({ where: { id } });
    if (count === 0) throw new QuittanceError('not_found', 'No such tax registration.', { param: 'id' });
    return { id, object: 'tax_registration' };
  });
