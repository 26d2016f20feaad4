import { type CountedPart, countParts, type Recount } from '../../domain/usage/recount.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import type { Query } from '../../platform/db/pool.ts';

// Reads the stored events of open usage windows in rounds. Each round counts the rows that were committed after the previous round.

/** Number of events of a window that one statement counts. */
export const eventsPerPage = 10_000;

/** Time that exceeds the duration of a transaction that records usage. An event is at most this much older than the events recorded before it. */
const slackMs = 600_000;

/** Open window of a feature. `id` is the ID of its counter. */
export type OpenWindow = {
  readonly id: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly windowStart: Date;
};

/**
 * Window with its totals. `countedTo` is the number of the last counted row. Later rows were recorded at `since` or later. `isDivided` is
 * `true` if the window already has dimensions.
 */
export type Counting = {
  readonly window: OpenWindow;
  readonly recount: Recount;
  readonly empty: () => Recount | null;
  readonly countedTo: bigint;
  readonly since: Date;
  readonly isDivided: boolean;
};

/** Returns the IDs, customers, subscriptions, and starts of windows as parameters. */
export const columnsOf = (windows: readonly OpenWindow[]): string[] => [
  textArray(windows.map(({ id }) => id)),
  textArray(windows.map(({ customerId }) => customerId)),
  textArray(windows.map(({ subscriptionId }) => subscriptionId)),
  textArray(windows.map(({ windowStart }) => windowStart.toISOString())),
];

/** Reads the number of the last committed row, and the numbers of the last adjustments by counter ID. All rows of a locked account are committed. */
async function readMarks(sql: Query, featureId: string, counting: readonly Counting[]) {
  const [numbers, adjustments] = await Promise.all([
    sql<{ readonly seq: bigint }>('SELECT seq FROM "EnvironmentCounter" WHERE "environmentId" = $1', []),
    sql<{ readonly id: string; readonly seq: bigint }>(
      `SELECT k.id, max(a.seq) AS seq FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS k(id, customer, subscription, start)
       JOIN "UsageAdjustment" a ON a."environmentId" = $1 AND a."customerId" = k.customer AND a."subscriptionId" = k.subscription
         AND a."featureId" = $6 AND a."windowStart" = k.start GROUP BY k.id`,
      [...columnsOf(counting.map(({ window }) => window)), featureId],
    ),
  ]);
  return { seq: numbers[0]?.seq ?? 0n, sets: new Map(adjustments.map(({ id, seq }) => [id, seq])) };
}

/** Rows to read: a feature's events by the properties `names`, with numbers up to `to`. */
type Range = { readonly featureId: string; readonly names: readonly string[]; readonly to: bigint };

/** SQL: values of the properties $2 of an event `e`. */
const valuesSql = `to_jsonb(ARRAY(SELECT (SELECT p.one->>'value' FROM jsonb_array_elements(e.properties) WITH ORDINALITY AS p(one, place)
  WHERE p.one->>'property' = d.name ORDER BY p.place LIMIT 1) FROM unnest($2::text[]) WITH ORDINALITY AS d(name, place) ORDER BY d.place))`;

/** Position in the events of a window, in order of time. */
type Page = { readonly at: Date; readonly seq: bigint };

type PagePart = CountedPart & { readonly id: string; readonly events: bigint } & Page;

/** Reads a page of events of each window after `pages`, with numbers after `countedTo` and up to `to`, that weren't corrected by `to`. */
const readPage = (
  sql: Query,
  { featureId, names, to }: Range,
  pages: readonly { readonly counting: Counting; readonly page: Page }[],
): Promise<PagePart[]> =>
  sql<PagePart>(
    `SELECT t.id, t."values", sum(t.units)::bigint AS units, count(*) AS events, max(t."createdAt") AS at,
       (array_agg(t.seq ORDER BY t."createdAt" DESC, t.seq DESC))[1] AS seq
     FROM (
       SELECT k.id, e.seq, e."createdAt", CASE WHEN e."isCorrected" THEN 0 ELSE coalesce(e.units, e.value) END AS units, ${valuesSql} AS "values"
       FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bigint[], $8::timestamptz[], $9::bigint[])
         AS k(id, customer, subscription, start, counted, at, seq)
       CROSS JOIN LATERAL (
         SELECT e.seq, e."createdAt", e.units, e.value, e.properties, EXISTS (SELECT FROM "UsageCorrection" c
           WHERE c."environmentId" = $1 AND c."usageEventId" = e.id AND c.seq <= $11) AS "isCorrected"
         FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e."customerId" = k.customer AND (e."createdAt", e.seq) > (k.at, k.seq)
           AND e."subscriptionId" = k.subscription AND e."featureId" = $10 AND e."windowStart" = k.start
           AND e.seq > k.counted AND e.seq <= $11
         ORDER BY e."createdAt", e.seq LIMIT ${eventsPerPage}) e) t
     GROUP BY t.id, t."values" ORDER BY min(t.seq)`,
    [
      textArray(names),
      ...columnsOf(pages.map(({ counting }) => counting.window)),
      textArray(pages.map(({ counting }) => String(counting.countedTo))),
      textArray(pages.map(({ page }) => page.at.toISOString())),
      textArray(pages.map(({ page }) => String(page.seq))),
      featureId,
      String(to),
    ],
  );

/** Reads the counted events of windows that were corrected after `countedTo` and up to `to`, as negative units. */
const readCorrected = (
  sql: Query,
  { featureId, names, to }: Range,
  counting: readonly Counting[],
  sets: ReadonlyMap<string, bigint>,
): Promise<(CountedPart & { readonly id: string })[]> =>
  sql<CountedPart & { readonly id: string }>(
    `SELECT k.id, -coalesce(e.units, e.value) AS units, ${valuesSql} AS "values"
     FROM unnest($3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::bigint[], $8::bigint[]) AS k(id, customer, subscription, start, counted, floor)
     JOIN "UsageCorrection" c ON c."environmentId" = $1 AND c."subscriptionId" = k.subscription AND c."featureId" = $9
       AND c."windowStart" = k.start AND c.seq > k.counted AND c.seq <= $10
     JOIN "UsageEvent" e ON e."environmentId" = $1 AND e.id = c."usageEventId" AND e.seq > k.floor AND e.seq <= k.counted
     ORDER BY c.seq`,
    [
      textArray(names),
      ...columnsOf(counting.map(({ window }) => window)),
      textArray(counting.map(({ countedTo }) => String(countedTo))),
      textArray(counting.map(({ window }) => String(sets.get(window.id) ?? 0n))),
      featureId,
      String(to),
    ],
  );

/** Windows after a round, and the largest number of events that were counted in a window. */
type Round = { readonly counting: readonly Counting[]; readonly events: number };

/**
 * Starts again after an adjustment, because the total after it consists of the set total and the later events. `null` if the set total is
 * already divided by dimensions, which a plan change can cause.
 */
function afterSet(counting: Counting, set: bigint): Counting | null {
  if (set <= counting.countedTo) return counting;
  if (counting.isDivided) return null;
  const recount = counting.empty();
  return recount === null ? null : { ...counting, recount, countedTo: set };
}

/** Counts the rows that were committed after the previous round. */
export async function countRound(
  sql: Query,
  { featureId, names }: Omit<Range, 'to'>,
  earlier: readonly Counting[],
  now: Date,
): Promise<Round> {
  if (earlier.length === 0) return { counting: [], events: 0 };
  const { seq: to, sets } = await readMarks(sql, featureId, earlier);
  const counting = earlier.flatMap((one) => afterSet(one, sets.get(one.window.id) ?? 0n) ?? []);
  const recounts = new Map(counting.map(({ window, recount }) => [window.id, recount]));
  const add = (id: string, part: CountedPart): void => {
    const recount = recounts.get(id);
    if (recount !== undefined && part.units !== 0n) recounts.set(id, countParts(recount, [part]));
  };
  const range = { featureId, names, to };
  const events = new Map<string, number>();
  let pages = counting.map((one) => ({ counting: one, page: { at: one.since, seq: -1n } as Page }));
  while (pages.length > 0) {
    const parts = Map.groupBy(await readPage(sql, range, pages), ({ id }) => id);
    pages = pages.flatMap(({ counting: one }) => {
      const own = parts.get(one.window.id) ?? [];
      for (const part of own) add(part.id, part);
      const count = own.reduce((sum, part) => sum + Number(part.events), 0);
      events.set(one.window.id, (events.get(one.window.id) ?? 0) + count);
      const last = own.toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.seq > b.seq ? -1 : 1)).at(0);
      return last === undefined || count < eventsPerPage ? [] : [{ counting: one, page: last }];
    });
  }
  for (const part of await readCorrected(sql, range, counting, sets)) add(part.id, part);
  return {
    counting: counting.map((one) => ({
      ...one,
      recount: recounts.get(one.window.id) ?? one.recount,
      countedTo: to,
      since: new Date(Math.max(one.since.getTime(), now.getTime() - slackMs)),
    })),
    events: Math.max(0, ...events.values()),
  };
}
