import { validationError } from '../../../domain/errors/errors.ts';
import type { LimitAction } from '../../../domain/limits/limit.ts';
import { limitProblems } from '../../../domain/limits/problems.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { thresholdsIn } from './create.ts';
import { limitRows, renewLimits, requireOnlyReplacement, type StoredLimit } from './store.ts';
import type { ThresholdInput } from './types/inputs.ts';

/** Changes to a limit. `undefined` keeps the current value. */
type LimitChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly amount?: number | null | undefined;
  readonly action?: LimitAction | null | undefined;
  readonly thresholds?: readonly ThresholdInput[] | null | undefined;
  readonly validUntil?: Date | null | undefined;
};

/**
 * Changes a limit. The next usage applies the changes. Throws `not_found`. Throws `validation_error` if the limit is invalid, and `duplicate` if
 * another limit replaces the same template at the same time.
 */
export const updateLimit = (ctx: Context, { id, ...changes }: LimitChanges): Promise<StoredLimit> =>
  limitRows.update(
    ctx,
    id,
    async (_tx, row) => {
      const { amount: given, thresholds: listed, validUntil } = changes;
      const action = changes.action ?? row.action;
      const amount = given === undefined ? row.amount : given === null ? null : BigInt(given);
      const thresholds = listed == null ? row.thresholds : thresholdsIn(listed);
      const problems = limitProblems({ ...row, amount, action, thresholds });
      if (problems.length > 0) throw validationError(problems);
      if (validUntil != null && validUntil <= row.validFrom)
        throw validationError([{ field: 'validUntil', message: 'must be after `validFrom`' }]);
      return { ...changes, amount, thresholds };
    },
    async (tx, limit) => {
      // Renewing locks the environment's counter, so concurrent requests can't create a second replacement.
      await renewLimits(tx);
      await requireOnlyReplacement(tx, limit, 'validUntil');
    },
  );

/** Deletes a limit. Its crossings remain. Throws `not_found`. */
export const deleteLimit = (ctx: Context, id: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const deleted = await limitRows.delete(tx, id);
    await renewLimits(tx);
    return deleted;
  });
