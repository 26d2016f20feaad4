import type { TransactionContext } from '../../request/context.ts';

/** Assigns a new version to the environment's limits, budgets, and raises, so that usage reads them again. */
export async function renewLimits(tx: TransactionContext): Promise<void> {
  await tx.sql('UPDATE "EnvironmentCounter" SET "limitVersion" = $2 WHERE "environmentId" = $1', [
    crypto.randomUUID(),
  ]);
}

/** Notes that the environment has limits of API keys or members, so that their next mutations read these limits. */
export async function noteCallerLimits(tx: TransactionContext): Promise<void> {
  await tx.sql('UPDATE "EnvironmentCounter" SET "limitsCallers" = TRUE WHERE "environmentId" = $1');
}
