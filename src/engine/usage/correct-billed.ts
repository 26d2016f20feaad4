import { isAdditive } from '../../domain/meters/meter.ts';
import type { WindowStep } from '../../domain/meters/replay.ts';
import type { PlanChangePurchase } from '../../domain/rows/change-rows.ts';
import type { UsageCorrectionRow } from '../../domain/rows/usage-rows.ts';
import { correctBilled, type OpenChange } from '../../domain/usage/billed-correction.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import { counterId } from '../../domain/usage/counter.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Returns the unpaid plan change of a subscription that billed its usage window. `null` if no plan change awaits its payment. */
export async function readOpenChange(sql: Query, subscriptionId: string): Promise<OpenChange | null> {
  const [row] = await sql<Omit<OpenChange, 'window'> & { readonly purchase: PlanChangePurchase }>(
    `SELECT id, seq, "createdAt", purchase FROM "Invoice" WHERE "environmentId" = $1 AND "subscriptionId" = $2
       AND status = 'outstanding' AND type = 'plan_change'`,
    [subscriptionId],
  );
  const window = row?.purchase.billedWindow ?? null;
  if (row === undefined || window === null) return null;
  const { purchase: _purchase, ...change } = row;
  return { ...change, window };
}

/** Stores the correction of an event that an unpaid plan change billed. The customer must be locked, and the correction written. */
export async function writeBilledCorrection(
  sql: Query,
  change: OpenChange,
  book: UsageBook,
  { event, correction }: { readonly event: UsageEventRow; readonly correction: UsageCorrectionRow },
  readSteps: () => Promise<readonly WindowStep[]>,
): Promise<void> {
  const { replacementId } = correction;
  const meter = book.counters.get(counterId(event.subscriptionId, event.featureId))?.meter ?? null;
  const [replacement] =
    replacementId === null
      ? []
      : await sql<{ readonly seq: bigint }>(
          'SELECT seq FROM "UsageEvent" WHERE "environmentId" = $1 AND id = $2',
          [replacementId],
        );
  const window = correctBilled(change, book, {
    event,
    correction,
    replacementSeq: replacement?.seq ?? null,
    steps: isAdditive(meter) ? [] : await readSteps(),
  });
  await sql(
    `UPDATE "Invoice" SET purchase = jsonb_set(purchase, '{billedWindow}', $3::jsonb) WHERE "environmentId" = $1 AND id = $2`,
    [change.id, JSON.stringify(window)],
  );
}
