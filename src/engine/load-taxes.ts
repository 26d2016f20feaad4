import type { Context } from '../context.ts';
import type { TaxRegistration } from '../domain/tax.ts';

/** The tax registrations of the environment; the empty region of a row is the whole country. */
export const loadTaxRegistrations = (ctx: Context): Promise<TaxRegistration[]> =>
  ctx.sql<TaxRegistration>(
    `SELECT t.country, nullif(t.region, '') AS region, t."rateBps" FROM "TaxRegistration" t WHERE t."environmentId" = $1 ORDER BY t.country, t.region`,
  );
