import type { App } from '../context.ts';

/** Rows removed per statement. */
const batchSize = 500;

/** How many such statements one call may need before it leaves the rest for the next. */
const maxBatches = 20;

/** Removes one batch of expired idempotency keys, environment by environment; answers how many there were. */
async function removeBatch(app: App): Promise<number> {
  const { query } = app.database;
  const rows = await query<{ environmentId: string; id: string }>(
    'SELECT "environmentId", id FROM "IdempotencyKey" WHERE "expiresAt" <= $1 ORDER BY "expiresAt" LIMIT $2',
    [app.wall.now(), batchSize],
  );
  for (const [environmentId, expired] of Map.groupBy(rows, (row) => row.environmentId)) {
    await query('DELETE FROM "IdempotencyKey" WHERE "environmentId" = $1 AND id = ANY($2) AND "expiresAt" <= $3', [
      environmentId,
      expired.map(({ id }) => id),
      app.wall.now(),
    ]);
  }
  return rows.length;
}

/** Removes idempotency keys past their 24 hours, by operational time, in small batches (protocols B10). Answers how many. */
export async function removeExpired(app: App): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < maxBatches; batch++) {
    const count = await removeBatch(app);
    removed += count;
    if (count < batchSize) break;
  }
  return removed;
}
