import type { Query } from './pool.ts';
import type { ModelName } from './rows.ts';

/**
 * Locks a row of the environment until the transaction ends. Whatever belongs to a row that others share, such as the prices of a plan, is changed under
 * the lock of that row: `SHARE` for those who refer to it, `UPDATE` for the one who changes or deletes it. Defaults to `UPDATE`.
 */
export async function lockRow(
  sql: Query,
  model: ModelName,
  id: string,
  mode: 'SHARE' | 'UPDATE' = 'UPDATE',
): Promise<void> {
  await sql(`SELECT 1 FROM "${model}" WHERE "environmentId" = $1 AND id = $2 FOR ${mode}`, [id]);
}
