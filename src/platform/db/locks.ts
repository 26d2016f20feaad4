import type { Query } from './pool.ts';
import type { ModelName } from './rows.ts';

/**
 * Locks a row of the environment until the transaction ends. To change child objects of a row, such as the prices of a plan, lock the parent row.
 */
export async function lockRow(sql: Query, model: ModelName, id: string): Promise<void> {
  await sql(`SELECT 1 FROM "${model}" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE`, [id]);
}

/** Locks the environment's counter until the transaction ends. Every transaction that takes numbers waits. */
export async function lockCounter(sql: Query): Promise<void> {
  await sql('SELECT 1 FROM "EnvironmentCounter" WHERE "environmentId" = $1 FOR UPDATE');
}
