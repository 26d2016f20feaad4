import type { Query } from './db.ts';

/** Gives up what has not been delivered to an endpoint, for good; `now` is operational time. `sql` has the environment as $1. */
export async function cancelPendingDeliveries(sql: Query, webhookId: string, now: Date): Promise<void> {
  await sql(
    `UPDATE "WebhookDelivery" SET status = 'canceled', "nextAttemptAt" = NULL, "finishedAt" = $3
     WHERE "environmentId" = $1 AND "webhookId" = $2 AND status = 'pending'`,
    [webhookId, now],
  );
}

/** Lets an endpoint go on after the last event committed in the environment, so that it receives none of those before. */
export async function moveCursorToEnd(sql: Query, webhookId: string): Promise<void> {
  await sql(
    `UPDATE "WebhookCursor" SET position = c."eventPosition" FROM "EnvironmentCounter" c
     WHERE "WebhookCursor"."environmentId" = $1 AND id = $2 AND c."environmentId" = $1`,
    [webhookId],
  );
}
