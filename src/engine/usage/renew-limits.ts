import type { TransactionContext } from '../../request/context.ts';

/** Assigns a new version to the environment's limits, budgets, and raises, so that usage reads them again. */
export async function renewLimits(tx: TransactionContext): Promise<void> {
  await tx.sql('UPDATE "EnvironmentCounter" SET "limitVersion" = $2 WHERE "environmentId" = $1', [
    crypto.randomUUID(),
  ]);
}
