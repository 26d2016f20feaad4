import { readAttempts } from '../../../engine/attempts.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Recorded } from '../../../providers/provider.ts';
import type { Context } from '../../../request/context.ts';
import { findRefunds } from '../transactions/store.ts';
import { type Difference, unknownHere } from './compare.ts';
import { isManual, type ManualRefund, refundIdOf, takeIn } from './take-in.ts';

/** Records a refund that was made at the provider. Returns `false` if it can't be recorded. */
async function taken(ctx: Context, refund: ManualRefund): Promise<boolean> {
  try {
    return ['known', 'taken'].includes(await takeIn(ctx, refund));
  } catch (error) {
    ctx.log.warn(
      { err: error, refund: refund.reference },
      "A refund made at the payment provider couldn't be recorded.",
    );
    return false;
  }
}

/**
 * Returns the difference to report for a refund that was made at the provider. `null` if there's nothing to report. `known` is the refund
 * as recorded in Quittance.
 */
async function manualDifference(
  ctx: Context,
  refund: ManualRefund,
  known: Row<'Refund'> | undefined,
): Promise<Difference | null> {
  const isSettled = refund.result.status === 'settled';
  if (known === undefined) return isSettled ? unknownHere(refund, await taken(ctx, refund)) : null;
  if (isSettled) return null;
  // The bank rejected the refund after Quittance recorded it.
  return {
    ...unknownHere(refund, false),
    kind: 'status',
    attemptId: known.id,
    statusHere: 'settled',
    amountHere: known.amountMinor,
  };
}

/**
 * Returns differences for provider records that Quittance doesn't have: payments that reference the environment, and
 * successful refunds of its payments, which this function records. Also returns recorded refunds that failed later.
 * Runs two SQL statements, regardless of the number of records.
 */
export async function unknownRecords(ctx: Context, listed: readonly Recorded[]): Promise<Difference[]> {
  const named = listed.flatMap(({ attempt, refundOf }) => [attempt, refundOf].filter((id) => id !== null));
  const attempts = new Set((await readAttempts(ctx, [...new Set(named)])).map(({ id }) => id));
  const manual = listed.filter(isManual).map(refundIdOf);
  const known = new Map((await findRefunds(ctx, manual)).map((refund) => [refund.id, refund]));
  const differences: (Difference | null)[] = [];
  for (const record of listed) {
    if (isManual(record))
      differences.push(await manualDifference(ctx, record, known.get(refundIdOf(record))));
    else if (record.attempt !== null && record.result.status === 'settled' && !attempts.has(record.attempt))
      differences.push(unknownHere(record, false));
  }
  return differences.filter((difference) => difference !== null);
}
