import { validationError } from '../../../domain/errors/errors.ts';
import type { CurrencyAmount, LimitAction, LimitAnomaly, LimitRow } from '../../../domain/limits/limit.ts';
import { limitProblems } from '../../../domain/limits/problems.ts';
import { fireThresholds, readStanding } from '../../../engine/usage/fire-thresholds.ts';
import { renewLimits } from '../../../engine/usage/renew-limits.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { demandLimitAccess } from './check-callers.ts';
import { checkRecipients } from './check-recipients.ts';
import { checkShare, rejectBase } from './check-share.ts';
import { amountIn, amountsIn, anomalyIn, lockForThresholds, thresholdsIn } from './create.ts';
import { limitRows, removeWatches, requireOnlyReplacement, requireRoom, type StoredLimit } from './store.ts';
import type { AmountInput, ThresholdInput } from './types/inputs.ts';

/** Changes to a limit. `undefined` keeps the current value. */
type LimitChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly amount?: AmountInput | null | undefined;
  readonly amounts?: readonly CurrencyAmount[] | null | undefined;
  readonly action?: LimitAction | null | undefined;
  readonly thresholds?: readonly ThresholdInput[] | null | undefined;
  readonly channels?: LimitRow['channels'] | null | undefined;
  readonly recipients?: readonly string[] | null | undefined;
  readonly notifyResolved?: boolean | null | undefined;
  readonly anomaly?: LimitAnomaly | null | undefined;
  readonly validUntil?: Date | null | undefined;
  /** Whether the thresholds that the value is beyond because of the changes are reported. Defaults to `false`. */
  readonly fireNow?: boolean | null | undefined;
};

/**
 * Changes a limit. The next usage applies the changes. Throws `not_found`. Throws `validation_error` if the limit is invalid, or if it counts
 * toward a maximum again that's reached. Throws `duplicate` if another limit replaces the same template at the same time.
 */
export function updateLimit(ctx: Context, { id, fireNow, ...changes }: LimitChanges): Promise<StoredLimit> {
  let before: Awaited<ReturnType<typeof readStanding>> = null;
  return limitRows.update(
    ctx,
    id,
    async (tx, row) => {
      demandLimitAccess(tx, row);
      const { amount: given, thresholds: listed, validUntil } = changes;
      const action = changes.action ?? row.action;
      const { amount, share } = given === undefined ? row : amountIn(given);
      const thresholds = listed == null ? row.thresholds : thresholdsIn(listed, row);
      const notifyResolved = changes.notifyResolved ?? row.notifyResolved;
      const amounts = changes.amounts == null ? row.amounts : amountsIn(changes.amounts);
      const channels = changes.channels ?? row.channels;
      const recipients = changes.recipients ?? row.recipients;
      const anomaly = changes.anomaly === undefined ? row.anomaly : anomalyIn(changes.anomaly);
      const changed = {
        ...row,
        amount,
        amounts,
        share,
        action,
        thresholds,
        channels,
        recipients,
        notifyResolved,
        anomaly,
      };
      const problems = limitProblems(changed);
      if (problems.length > 0) throw validationError(problems);
      await checkRecipients(tx, changes.recipients ?? []);
      await checkShare(tx, changed, row.id);
      if (fireNow === true) {
        await lockForThresholds(tx, row);
        before = await readStanding(tx, row);
      }
      if (row.notifyResolved && !notifyResolved) await removeWatches(tx, row);
      if (validUntil != null && validUntil <= row.validFrom)
        throw validationError([{ field: 'validUntil', message: 'must be after `validFrom`' }]);
      return { ...changes, amount, amounts, share, notifyResolved, thresholds, anomaly };
    },
    async (tx, limit) => {
      // Renewing locks the environment's counter, so concurrent requests can't create a second replacement or too many limits.
      await renewLimits(tx);
      if (changes.validUntil !== undefined) await requireRoom(tx, limit, 'validUntil');
      await requireOnlyReplacement(tx, limit, 'validUntil');
      if (fireNow === true) await fireThresholds(tx, limit, before);
    },
  );
}

/** Deletes a limit. Its crossings remain. Throws `not_found`. Throws `validation_error` if the amount of another limit is a share of the amount. */
export const deleteLimit = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const limit = await limitRows.lock(tx, id);
    demandLimitAccess(tx, limit);
    await rejectBase(tx, limit);
    if (limit.notifyResolved) await removeWatches(tx, limit);
    const deleted = await limitRows.delete(tx, id);
    await renewLimits(tx);
    return deleted;
  });
