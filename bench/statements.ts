import { systemContext } from '../src/context.ts';
import { createOrganization } from '../src/modules/organizations/create.ts';
import { advanceClock } from '../src/modules/test-clock/advance.ts';
import { runClockBatch } from '../src/worker/clock-run.ts';
import { recording } from '../test/support/billing-world.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld } from './world.ts';

/** How many statements the transaction of one batch of that many renewals sends to the database, its own begin and end not counted. */
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

/** Works batches off until the one that makes the invoices, and counts its statements. */
async function statementsOfRenewals(
  app: Parameters<typeof systemContext>[0],
  sandboxId: string,
  size: number,
): Promise<number> {
  for (;;) {
    const recorder = recording(app);
    const { looked } = await runClockBatch(await systemContext(recorder.app, sandboxId), size);
    if (recorder.statements.some((text) => text.startsWith('INSERT INTO "Invoice" '))) {
      if (looked !== size) throw new Error(`A batch of ${size} renewals had ${looked}.`);
      return recorder.statements.length;
    }
    if (looked === 0) throw new Error('The run ended without a renewal.');
  }
}
