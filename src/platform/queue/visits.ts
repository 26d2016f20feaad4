/** Counts of a loop's visits to leased rows in this process. */
type VisitCounts = { readonly done: number; readonly failed: number; readonly seconds: number };

/** Visits of all loops in this process. */
export type Visits = {
  /** Records a visit. */
  readonly note: (loop: string, seconds: number, hasFailed: boolean) => void;
  /** Counts by loop. */
  readonly counts: ReadonlyMap<string, VisitCounts>;
  /** Functions of the running loops that count the rows that wait for a visit, by loop. */
  readonly backlogs: Map<string, () => Promise<number>>;
};

/** Creates counts without visits. */
export function openVisits(): Visits {
  const counts = new Map<string, VisitCounts>();
  return {
    counts,
    backlogs: new Map(),
    note: (loop, seconds, hasFailed) => {
      const known = counts.get(loop) ?? { done: 0, failed: 0, seconds: 0 };
      counts.set(loop, {
        done: known.done + (hasFailed ? 0 : 1),
        failed: known.failed + (hasFailed ? 1 : 0),
        seconds: known.seconds + seconds,
      });
    },
  };
}
