import { specificError } from '../../../domain/errors/errors.ts';
import { taxRegistrationEvent } from '../../../domain/events/settings-events.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';
import { recordEvents } from '../../../request/transaction.ts';

/** Returns all tax registrations in the environment. The number is limited, because each country or region has at most one registration. */
export const findRegistrations = (ctx: Context): Promise<Row<'TaxRegistration'>[]> =>
  ctx.db.taxRegistration.findMany({ orderBy: { seq: 'asc' } });

/** Tax registrations, at most one per country or region. Deletions are permanent. */
export const taxRegistrationRows = resource('TaxRegistration', {
  prefix: 'txr',
  object: 'tax_registration',
  notFound: (param) => specificError('not_found', 'tax_registration', { param }),
  conflict: ({ region }) =>
    specificError('duplicate', 'tax_registration', { param: region === '' ? 'country' : 'region' }),
});

/** Records the creation or deletion of a tax registration. */
export const recordRegistration = (
  tx: Context,
  kind: 'tax_registration.created' | 'tax_registration.deleted',
  registration: Row<'TaxRegistration'>,
): Promise<void> => recordEvents(tx, [taxRegistrationEvent(kind, registration, tx.clock.now())]);
