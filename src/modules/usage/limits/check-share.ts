import { validationError } from '../../../domain/errors/errors.ts';
import { unitOf } from '../../../domain/limits/entry.ts';
import type { LimitRow } from '../../../domain/limits/limit.ts';
import { isCyclic, isShareBase } from '../../../domain/limits/shares.ts';
import type { TransactionContext } from '../../../request/context.ts';
import { findShares, limitRows, type StoredLimit } from './store.ts';

type Shared = Pick<LimitRow, 'customerId' | 'measure' | 'currency' | 'asset' | 'share'>;

/**
 * Checks the base of an amount that is a share. Throws `validation_error` if the base is a limit that doesn't exist, has another unit,
 * or belongs to another customer, or if the amount depends on the same limit. `id` is `null` if the limit is new.
 */
export async function checkShare(tx: TransactionContext, limit: Shared, id: string | null): Promise<void> {
  const { share } = limit;
  if (share === null || isShareBase(share.of)) return;
  const base = await limitRows.find(tx, share.of);
  const isUsable =
    base !== null &&
    unitOf(base) === unitOf(limit) &&
    (base.customerId === null || base.customerId === limit.customerId);
  if (!isUsable)
    throw validationError([
      {
        field: 'amount.of',
        message:
          'must be `included`, `last_grant`, `last_refill`, or the ID of a limit with the same unit that is a template or belongs to the same customer',
      },
    ]);
  if (id !== null && isCyclic(id, share.of, await findShares(tx)))
    throw validationError([{ field: 'amount.of', message: 'must not depend on the limit itself' }]);
}

/** Throws `validation_error` if the amount of another limit is a share of a limit. */
export async function rejectBase(tx: TransactionContext, { id }: Pick<StoredLimit, 'id'>): Promise<void> {
  const isBase = (await findShares(tx)).values().some((of) => of === id);
  if (isBase)
    throw validationError([
      {
        field: 'id',
        message: "can't be deleted, because the amount of another limit is a share of its amount",
      },
    ]);
}
