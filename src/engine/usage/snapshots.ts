import type { App } from '../../context.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import { Checkout, type CheckoutTerms, HeldCustomers } from './checkout.ts';
import type { UsageNeeds, UsageRows } from './load.ts';
import type { CachedRows, DecidedUsage } from './snapshot-cache.ts';
import { lockRows, rowsOf, verifyPart } from './verify.ts';

/** A batch was decided on a snapshot that may be stale: its rows are to be read. */
export class StaleSnapshotError extends Error {}

/** Rows a batch can be decided on without reading them (optimistic concurrency). */
export type UsageSnapshot = {
  readonly rows: UsageRows;
  /** Where the test clock stood. */
  readonly simulatedTime: Date | null;
  /**
   * Locks the rows, once the batches whose decisions they come from have committed: locked before, they would keep those waiting. Called before
   * `verification`, whose statement goes out behind it.
   */
  readonly lock: (sql: Query) => Promise<void>;
  /**
   * The statement, behind the lock and before the write, that raises `staleSnapshot` where a row has changed. Waits as `lock` does; throws
   * StaleSnapshotError where a batch before has failed.
   */
  readonly verification: () => Promise<WritePart>;
};

/** The hold of one batch on the snapshots of its customers. */
export type SnapshotHold = {
  /** The snapshot, once the batches under way that name the same customers are decided; null where the rows have to be read. */
  readonly snapshot: () => Promise<UsageSnapshot | null>;
  /** Lets the batches that follow decide on what was decided. */
  readonly decide: (decided: DecidedUsage) => void;
  /** Ends the hold: what was written in the transaction with this number becomes the next snapshot; with null the customers are forgotten. */
  readonly end: (stamp: string | null) => void;
};

/** The snapshots of a process: rows as its batches left them. */
export type UsageSnapshots = {
  /** Takes the snapshot of what requests name; where it is not usable it is only held, and the rows are read. */
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
      if (verified === null) throw new StaleSnapshotError('A batch before has failed.');
      return verifyPart(verified);
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

/** The snapshots of the process. */
export const usageSnapshots = (app: App): UsageSnapshots => opened.getOrInsertComputed(app, openSnapshots);
