import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Returns all tax registrations in the environment. The number is limited, because each country or region has at most one registration. */
export const findRegistrations = (ctx: Context): Promise<Row<'TaxRegistration'>[]> =>
  ctx.db.taxRegistration.findMany({ orderBy: { seq: 'asc' } });

/** Returns the tax registration with this ID. `null` if it doesn't exist. */
export const findRegistration = (ctx: Context, id: string): Promise<Row<'TaxRegistration'> | null> =>
  ctx.db.taxRegistration.findFirst({ where: { id } });
