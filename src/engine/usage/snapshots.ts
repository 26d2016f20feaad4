import type { UsageRequest } from '../../domain/usage/record.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { App } from '../../request/context.ts';
import { Checkout, type CheckoutTerms, HeldCustomers } from './checkout.ts';
import type { UsageNeeds, UsageRows } from './load.ts';
import type { CachedRows, DecidedUsage } from './snapshot-cache.ts';
import { lockRows, rowsOf, verifyParts } from './verify.ts';

/** Thrown if a batch's cached rows may be outdated. Retry the batch after reading the rows. */
export class StaleSnapshotError extends Error {}

/** Cached rows that a batch can be decided on (optimistic concurrency). */
export type UsageSnapshot = {
  readonly rows: UsageRows;
  readonly simulatedTime: Date | null;
  /**
   * Waits until the previous batches with the same rows have been committed, then locks the rows. Locking
   * them earlier would block those batches. Call it before `verification`.
   */
  readonly lock: (sql: Query) => Promise<void>;
  /**
   * Returns the statements that raise `staleSnapshot` if a row has changed. Execute them after `lock` and
   * before the write. Waits like `lock`. Throws `StaleSnapshotError` if a previous batch failed.
   */
  readonly verification: () => Promise<readonly WritePart[]>;
};

/** Exclusive use of the cached customers by one batch. */
export type SnapshotHold = {
  /**
   * Returns the cached rows as soon as previous batches with the same customers have been decided. `null` if
   * the rows must be read.
   */
  readonly snapshot: () => Promise<UsageSnapshot | null>;
  /** Allows the next batches to be decided on the result of this decision. */
  readonly decide: (decided: DecidedUsage) => void;
  /**
   * Ends the batch's use of the customers. Caches the rows that the transaction with the ID `stamp` wrote. If
   * `stamp` is `null`, removes the customers from the cache.
   */
  readonly end: (stamp: string | null) => void;
};

export type UsageSnapshots = {
  /**
   * Starts a batch's use of the customers in the requests. If cached rows can't be used, the batch must
   * read them.
   */
  readonly take: (
    environmentId: string,
    needs: UsageNeeds,
    requests: readonly UsageRequest[],
    terms: CheckoutTerms,
  ) => SnapshotHold;
};

async function snapshotOf(checkout: Checkout): Promise<UsageSnapshot | null> {
  const rows = await checkout.rows();
  if (rows === null) return null;
  let known: Promise<CachedRows | null> | null = null;
  const committed = () => (known ??= checkout.committed());
  return {
    rows: rowsOf(rows),
    simulatedTime: rows.environment.simulatedTime,
    lock: async (sql) => {
      const locked = await committed();
      if (locked !== null) await lockRows(sql, locked);
    },
    verification: async () => {
      const verified = await committed();
      if (verified === null) throw new StaleSnapshotError('A previous batch failed.');
      if (rows.limits !== null && verified.limits === null)
        throw new StaleSnapshotError('A previous batch added a counter whose number is not known.');
      return verifyParts(verified);
    },
  };
}

function openSnapshots(): UsageSnapshots {
  const held = new HeldCustomers();
  return {
    take: (...named) => {
      const checkout = new Checkout(held, ...named);
      return {
        snapshot: () => snapshotOf(checkout),
        decide: (decided) => checkout.decide(decided),
        end: (stamp) => checkout.end(stamp),
      };
    },
  };
}

const opened = new WeakMap<App, UsageSnapshots>();

export const usageSnapshots = (app: App): UsageSnapshots => opened.getOrInsertComputed(app, openSnapshots);
