import { createOrganization } from '../src/modules/organization/organizations/create.ts';
import { advanceClock } from '../src/modules/sandbox/test-clock/advance.ts';
import { systemContext } from '../src/request/context.ts';
import { runClockBatch } from '../src/worker/clock-run.ts';
import { recording } from '../test/support/billing-world.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld } from './world.ts';

/** Returns the number of SQL statements per batch of renewals for each batch size, excluding BEGIN and COMMIT. */
export async function statementsPerBatch(sizes: readonly number[]): Promise<number[]> {
  const url = await createDatabase();
  const app = await openWorld(url);
  try {
    const counts: number[] = [];
    for (const size of sizes) {
      const { sandbox } = await createOrganization(app, { name: `Batch of ${size}` });
      await addSubscriptions(await systemContext(app, sandbox.id), `s${size}x`, size);
      await advanceClock(await systemContext(app, sandbox.id), { advanceDays: 40 });
      counts.push(await statementsOfRenewals(app, sandbox.id, size));
    }
    return counts;
  } finally {
    await closeWorld(app);
    await dropDatabase(url);
  }
}

/** Executes batches until the invoices are created. Returns the number of SQL statements in the batch that created them. */
async function statementsOfRenewals(
  app: Parameters<typeof systemContext>[0],
  sandboxId: string,
  size: number,
): Promise<number> {
  for (;;) {
    const recorder = recording(app);
    const { looked } = await runClockBatch(await systemContext(recorder.app, sandboxId), size);
    if (recorder.statements.some((text) => text.startsWith('INSERT INTO "Invoice" '))) {
      if (looked !== size) throw new Error(`A batch of ${size} renewals contained ${looked}.`);
      return recorder.statements.length;
    }
    if (looked === 0) throw new Error('The run ended without a renewal.');
  }
}
