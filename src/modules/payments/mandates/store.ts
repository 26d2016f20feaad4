import { specificError } from '../../../domain/errors/errors.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Returns a mandate. Throws `not_found` if the mandate doesn't exist. */
export async function requireMandate(ctx: Context, id: string): Promise<Row<'Mandate'>> {
  const mandate = await loadRow(ctx, 'Mandate', id);
  if (mandate === null) throw specificError('not_found', 'mandate', { param: 'id' });
  return mandate;
}

/** Returns the subscriptions with a scheduled debit from a bank account. */
export async function findDebited({ sql }: Context, paymentMethodId: string): Promise<string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT DISTINCT t."subscriptionId" AS id FROM "Transaction" t
     WHERE t."environmentId" = $1 AND t."paymentMethodId" = $2 AND t.stage = 'scheduled' AND t."subscriptionId" IS NOT NULL`,
    [paymentMethodId],
  );
  return rows.map(({ id }) => id);
}
