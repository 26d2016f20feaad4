import type { Query } from './db.ts';

/** Locks the customer's row until the transaction ends: the root of everything that touches its billing state (protocols A2). */
export async function lockCustomerRow(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}
