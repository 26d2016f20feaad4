import type { App } from '../../context.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { UsageNeeds, UsageRows } from './load.ts';
import { type RecordedBatch, SnapshotCache } from './snapshot-cache.ts';
import { lockRows, rowsOf, verifyPart } from './verify.ts';

export type { RecordedBatch } from './snapshot-cache.ts';

/** Rows a batch can be decided on without reading them (optimistic concurrency). */
export type UsageSnapshot = {
  readonly rows: UsageRows;
  /** Where the test clock stood. */
  readonly simulatedTime: Date | null;
  /** Locks the rows. */
  readonly lock: (sql: Query) => Promise<void>;
  /** The statement, behind the lock and before the write, that raises `staleSnapshot` where a row has changed. */
  readonly verification: WritePart;
};

/** The hold of one batch on the snapshots of its customers. */
export type SnapshotHold = {
  /** Null where the rows have to be read. */
  readonly snapshot: UsageSnapshot | null;
  /** Ends the hold: what was recorded becomes the next snapshot; with null the customers are forgotten. */
  readonly put: (recorded: RecordedBatch | null) => void;
};

/** The snapshots of a process: rows as its batches left them. */
export type UsageSnapshots = {
  /** Takes the snapshot of what requests name; with `isUsable` false it is only held, and the rows are read. */
  readonly take: (
    environmentId: string,
    needs: UsageNeeds,
    requests: readonly UsageRequest[],
    isUsable: boolean,
  ) => SnapshotHold;
};

function openSnapshots(): UsageSnapshots {
  const cache = new SnapshotCache();
  return {
    take: (...named) => {
      const { rows, end } = cache.checkOut(...named);
      const snapshot: UsageSnapshot | null =
        rows === null
          ? null
          : {
              rows: rowsOf(rows),
              simulatedTime: rows.environment.simulatedTime,
              lock: (sql) => lockRows(sql, rows),
              verification: verifyPart(rows),
            };
      return { snapshot, put: end };
    },
  };
}

const opened = new WeakMap<App, UsageSnapshots>();

/** The snapshots of the process. */
export const usageSnapshots = (app: App): UsageSnapshots => opened.getOrInsertComputed(app, openSnapshots);
