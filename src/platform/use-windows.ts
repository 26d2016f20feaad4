import type { Database } from './db/pool.ts';
import { hashSecret } from './secrets.ts';

// Use limits that are counted in the database, so that they apply across processes and restarts.

/** Maximum number of uses within a window. The first use starts the window. */
export type UseLimit = {
  /** Name of the counter. Hashed before it is stored, because it can contain an email address or a secret. */
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
};

/** Name of a reached limit, and the end time of its window. */
export type UsedUp = { readonly name: string; readonly endsAt: Date };

type Window = { readonly id: string; uses: number; readonly endsAt: Date };

type Named = UseLimit & { readonly id: string };

/** Returns the reached limit whose window ends last. `null` if no limit is reached. */
function reachedIn(limits: readonly Named[], windows: ReadonlyMap<string, Window>): UsedUp | null {
  const reached = limits
    .filter(({ id, most }) => (windows.get(id)?.uses ?? 0) >= most)
    .map(({ id, name }) => ({ name, endsAt: windows.get(id)?.endsAt ?? new Date(0) }))
    .toSorted((a, b) => b.endsAt.getTime() - a.endsAt.getTime());
  return reached[0] ?? null;
}

/**
 * Counts several uses in order, each against its limits. For each use, returns the reached limit, or `null` if the use
 * was counted. Concurrent calls wait for each other. Executes two SQL statements; must not be called inside a
 * transaction.
 */
export async function takeEach(
  database: Pick<Database, 'transaction'>,
  uses: readonly (readonly UseLimit[])[],
  now: Date,
): Promise<(UsedUp | null)[]> {
  const named = uses.map((limits) =>
    limits.map((limit): Named => ({ ...limit, id: hashSecret(limit.name) })),
  );
  const lengths = new Map(named.flat().map(({ id, windowMs }) => [id, windowMs]));
  if (lengths.size === 0) return uses.map(() => null);
  // Sorts the rows, because locking rows always in the same order prevents deadlocks.
  const ids = [...lengths.keys()].toSorted();
  const ends = ids.map((id) => new Date(now.getTime() + (lengths.get(id) ?? 0)));
  return database.transaction(async ({ query }) => {
    const rows = await query<Window>(
      `INSERT INTO "UseWindow" AS w (id, uses, "endsAt") SELECT id, 0, "endsAt" FROM unnest($1::text[], $2::timestamptz[]) AS t(id, "endsAt")
       ON CONFLICT (id) DO UPDATE SET uses = CASE WHEN w."endsAt" <= $3 THEN 0 ELSE w.uses END,
         "endsAt" = CASE WHEN w."endsAt" <= $3 THEN EXCLUDED."endsAt" ELSE w."endsAt" END
       RETURNING id, uses, "endsAt"`,
      [ids, ends, now],
    );
    const windows = new Map(rows.map((row) => [row.id, row]));
    const results = named.map((limits) => {
      const usedUp = reachedIn(limits, windows);
      if (usedUp === null)
        for (const { id } of limits) {
          const window = windows.get(id);
          if (window !== undefined) window.uses += 1;
        }
      return usedUp;
    });
    await query(
      `UPDATE "UseWindow" w SET uses = t.uses FROM unnest($1::text[], $2::int[]) AS t(id, uses) WHERE w.id = t.id`,
      [ids, ids.map((id) => windows.get(id)?.uses ?? 0)],
    );
    return results;
  });
}

/** Counts one use against each limit and returns `null`. If a limit is reached, returns the limit without counting the use. See `takeEach`. */
export async function takeUses(
  database: Pick<Database, 'transaction'>,
  limits: readonly UseLimit[],
  now: Date,
): Promise<UsedUp | null> {
  const [usedUp = null] = await takeEach(database, [limits], now);
  return usedUp;
}
