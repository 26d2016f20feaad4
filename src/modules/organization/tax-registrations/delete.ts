import { specificError } from '../../../domain/errors/errors.ts';
import { taxRegistrationEvent } from '../../../domain/events/settings-events.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, recordEvents } from '../../../request/transaction.ts';
import { findRegistration } from './store.ts';

/** Deletes a tax registration. Issued invoices keep their tax. Throws `not_found`. */
export const deleteTaxRegistration = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const registration = await findRegistration(tx, id);
    const { count } = await tx.db.taxRegistration.deleteMany({ where: { id } });
    // A concurrent request can delete the registration between the two SQL statements.
    if (registration === null || count === 0)
      throw specificError('not_found', 'tax_registration', { param: 'id' });
    await recordEvents(tx, [taxRegistrationEvent('tax_registration.deleted', registration, tx.clock.now())]);
    return { id, object: 'tax_registration' };
  });
