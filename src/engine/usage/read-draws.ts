// Amounts that usage drew from lots, for corrections in ended usage windows (PRM-129).
import { poolOfStored, type StoredPool } from '../../domain/pricing/pools.ts';
import type { LotRow } from '../../domain/rows/usage-rows.ts';
import type { CorrectedEvent } from '../../domain/usage/correction-request.ts';
import type { EndedWindow } from '../../domain/usage/ended-settlement.ts';
import type { UsageEventRow } from '../../domain/usage/record.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';

/** Number that exceeds the size of a batch of usage. Rows of a batch have consecutive numbers. */
const maxNumbers = 100_000n;

/** Amounts that usage drew from lots, last drawn lot first. */
type StoredDraws = readonly (LotRow & { readonly drawn: bigint })[];

/**
 * Reads the amounts that an event and the events that it replaced drew from lots, last drawn lot first. An entry has a
 * number after its event or correction, which was recorded in the same batch.
 */
const readOwnDraws = (
  sql: Query,
  { id, seq, subscriptionId }: CorrectedEvent['event'],
): Promise<StoredDraws> =>
  sql<LotRow & { readonly drawn: bigint }>(
    `WITH RECURSIVE chain AS (
       SELECT $2::text AS id, $3::bigint AS seq, ARRAY[$3::bigint] AS numbers
       UNION ALL
       SELECT e.id, e.seq, chain.numbers || e.seq || c.seq FROM chain
       JOIN "UsageCorrection" c ON c."environmentId" = $1 AND c."replacementId" = chain.id
       JOIN "UsageEvent" e ON e."environmentId" = $1 AND e.id = c."usageEventId"),
     numbers AS (SELECT DISTINCT unnest(numbers) AS first FROM chain),
     entries AS (
       SELECT DISTINCT t.id, t."lotId", t.amount, t.seq FROM numbers
       JOIN "ConsumptionEntry" t ON t."environmentId" = $1 AND t."subscriptionId" = $4 AND t.seq > numbers.first AND t.seq < numbers.first + $5
       WHERE t.type IN ('consumption', 'return') AND t."sourceId" IN (SELECT chain.id FROM chain)),
     draws AS (SELECT "lotId", -sum(amount)::bigint AS drawn, max(seq) AS last FROM entries GROUP BY "lotId" HAVING sum(amount) < 0)
     SELECT ${columnList('Lot', 'l')}, draws.drawn FROM draws
     JOIN "Lot" l ON l."environmentId" = $1 AND l.id = draws."lotId" ORDER BY draws.last DESC`,
    [id, seq, subscriptionId, maxNumbers],
  );

/** Events that an event replaced, and the event itself, as a common table expression. */
const chainSql = `chain AS (
    SELECT e.id, e.seq, e."consumptionModel" FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e.id = $2
    UNION ALL
    SELECT e.id, e.seq, e."consumptionModel" FROM chain
    JOIN "UsageCorrection" c ON c."environmentId" = $1 AND c."replacementId" = chain.id
    JOIN "UsageEvent" e ON e."environmentId" = $1 AND e.id = c."usageEventId")`;

/** Returns true if an event or an event that it replaced was recorded under a plan that invoiced it. */
async function wasInvoiced(sql: Query, { id }: Pick<UsageEventRow, 'id'>): Promise<boolean> {
  const [row] = await sql<{ readonly was: boolean }>(
    `WITH RECURSIVE ${chainSql} SELECT bool_or("consumptionModel" = 'metered') AS was FROM chain`,
    [id],
  );
  return row?.was === true;
}

/**
 * Reads the amounts that the carried usage of a feature drew from lots in its usage window, last drawn lot first. A plan change draws
 * them as a whole, with entries without a source (SUB-45). Corrections of carried usage change them.
 */
const readCarriedDraws = (
  sql: Query,
  { id, subscriptionId, featureId, windowStart }: CorrectedEvent['event'],
): Promise<StoredDraws> =>
  sql<StoredDraws[number]>(
    `WITH RECURSIVE ${chainSql},
     draws AS (SELECT t."lotId", -sum(t.amount)::bigint AS drawn, max(t.seq) AS last FROM "ConsumptionEntry" t
       WHERE t."environmentId" = $1 AND t."subscriptionId" = $3 AND t.seq > (SELECT min(chain.seq) FROM chain) AND t."featureId" = $4 AND t.type IN ('consumption', 'return')
         AND ((t."sourceId" IS NULL AND t."windowStart" = $5) OR t."sourceId" IN (SELECT chain.id FROM chain) OR EXISTS (
           SELECT FROM "UsageEvent" e WHERE e."environmentId" = $1 AND e.id = t."sourceId" AND e."subscriptionId" = $3 AND e."featureId" = $4
             AND e."windowStart" = $5 AND e."consumptionModel" = 'metered'))
       GROUP BY t."lotId" HAVING sum(t.amount) < 0)
     SELECT ${columnList('Lot', 'l')}, draws.drawn FROM draws
     JOIN "Lot" l ON l."environmentId" = $1 AND l.id = draws."lotId" ORDER BY draws.last DESC`,
    [id, subscriptionId, featureId, windowStart],
  );

/**
 * Reads the amounts that usage drew from lots. `own` is the pool of the event's ended usage window. `null` if the window wasn't
 * charged.
 */
export async function readDraws(
  sql: Query,
  { event, isReplacement }: CorrectedEvent,
  own: StoredPool | null,
): Promise<Pick<EndedWindow, 'draws' | 'isCarried'>> {
  const isDrawn = poolOfStored(own ?? event) !== null;
  const isOfPool = poolOfStored(event) !== null;
  const isCarried = isDrawn && (!isOfPool || (isReplacement && (await wasInvoiced(sql, event))));
  if (!isDrawn) return { draws: [], isCarried };
  const stored = await (isCarried ? readCarriedDraws(sql, event) : readOwnDraws(sql, event));
  return { draws: stored.map(({ drawn, ...lot }) => ({ lot, amount: drawn })), isCarried };
}
