import type { TransactionContext } from '../../request/context.ts';
import type { NumberedRows } from './number.ts';

/** Ends the portal sessions of deleted customers. Runs in the transaction that deletes them (PLT-24). */
export async function endPortalSessions(
  { sql }: TransactionContext,
  { customers }: Pick<NumberedRows, 'customers'>,
): Promise<void> {
  const deleted = customers.changed.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id);
  if (deleted.length === 0) return;
  await sql('DELETE FROM "PortalSession" WHERE "environmentId" = $1 AND "customerId" = ANY($2)', [deleted]);
}
