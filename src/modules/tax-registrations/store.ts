import type { Context } from '../../context.ts';
import type { Row } from '../../platform/db/rows.ts';

/** All tax registrations of the environment. A place has one at most, so there are no more than countries and their regions. */
export const findRegistrations = (ctx: Context): Promise<Row<'TaxRegistration'>[]> =>
  ctx.db.taxRegistration.findMany({ orderBy: { seq: 'asc' } });
