import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { newestFirst } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import type { Condition } from '../../../platform/db/row-lists.ts';
import type { Filter, Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import type { RequestBodies } from '../../../request/log/shape-record.ts';
import { readBlocks } from '../../../request/log/store.ts';

type Stored = Pick<Row<'RequestRecord'>, 'blockId' | 'slot'>;

/** Returns the bodies of a record. `null` if the record counts requests. A block is read once per request. */
export async function loadBodies(ctx: Context, { blockId, slot }: Stored): Promise<RequestBodies | null> {
  if (blockId === null || slot === null) return null;
  const block = await ctx.once(`request block ${blockId}`, () => readBlocks(ctx.sql, [blockId]));
  return block.get(blockId)?.[slot] ?? null;
}

/** Filters of the request log. */
type RequestFilter = {
  readonly operation?: string | null | undefined;
  readonly route?: string | null | undefined;
  readonly status?: number | null | undefined;
  readonly code?: string | null | undefined;
  readonly callerId?: string | null | undefined;
  readonly customerId?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly transport?: Row<'RequestRecord'>['transport'] | null | undefined;
  readonly callerKind?: Row<'RequestRecord'>['callerKind'] | null | undefined;
  readonly failed?: boolean | null | undefined;
  /** Names of the mutations, and whether to include requests that call a mutation or other requests. */
  readonly changes?: { readonly mutations: readonly string[]; readonly isChange: boolean };
  readonly from?: Date | null | undefined;
  readonly to?: Date | null | undefined;
  readonly text?: string | null | undefined;
};

const dayMs = 86_400_000;

/** Maximum number of blocks to search in for a text, and number of blocks per statement. */
const maxBlocks = 2_000;
const blocksPerStatement = 100;

/** Maximum number of records that contain a text. */
const maxFound = 1_000;

/** Earliest time that the API accepts. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z');

const before = (time: Date, ms: number): Date => new Date(Math.max(time.getTime() - ms, earliestMs));

type Span = { readonly from: Date; readonly to: Date };

/** Returns the time span to search in. Throws `validation_error` if the span is longer than a day. */
function searchedSpan(ctx: Context, { from, to }: RequestFilter): Span {
  const end = to ?? ctx.wall.now();
  const start = from ?? before(end, dayMs);
  if (end.getTime() - start.getTime() > dayMs)
    throw validationError([{ field: 'from', message: 'must be at most 24 hours before to if text is set' }]);
  return { from: start, to: end };
}

/** Returns the blocks and slots of records whose bodies contain a text, newest first. */
async function readMatchingSlots(ctx: Context, { from, to }: Span, text: string): Promise<string[]> {
  const blocks = await ctx.sql<{ id: string }>(
    `SELECT t.id FROM "RequestBlock" t WHERE t."environmentId" = $1 AND t."createdAt" >= $2 AND t."createdAt" <= $3
     ORDER BY t."createdAt" DESC LIMIT ${maxBlocks}`,
    // The time of a block is the time of its first request, so an earlier block can contain requests of the span.
    [before(from, dayMs / 24), to],
  );
  const found: string[] = [];
  for (let start = 0; start < blocks.length && found.length < maxFound; start += blocksPerStatement) {
    const ids = blocks.slice(start, start + blocksPerStatement).map(({ id }) => id);
    for (const [id, bodies] of await readBlocks(ctx.sql, ids))
      for (const [slot, { address, request, response }] of bodies.entries())
        if ([address, request, response].some((body) => body?.includes(text))) found.push(`${id}:${slot}`);
  }
  return found.slice(0, maxFound);
}

/** Returns the list of requests that match a filter, newest first. */
export async function requestsMatching(
  ctx: Context,
  filter: RequestFilter,
): Promise<OrderedList<'RequestRecord'>> {
  const { failed, text, changes, from: givenFrom, to: givenTo, ...columns } = filter;
  const span = text == null ? null : searchedSpan(ctx, filter);
  const { from, to } = span ?? { from: givenFrom, to: givenTo };
  const conditions: Condition[] = [];
  if (failed != null) conditions.push(() => (failed ? 't.status >= 400' : 't.status < 400'));
  if (changes !== undefined)
    conditions.push(
      (bind) =>
        `(string_to_array(t.operation, ',') && ${bind(changes.mutations)}::text[]) = ${bind(changes.isChange)}::boolean`,
    );
  if (from != null) conditions.push((bind) => `t."createdAt" >= ${bind(from)}`);
  if (to != null) conditions.push((bind) => `t."createdAt" <= ${bind(to)}`);
  if (text != null && span !== null) {
    const slots = await readMatchingSlots(ctx, span, text);
    conditions.push((bind) => `t."blockId" || ':' || t.slot = ANY(${bind(slots)}::text[])`);
  }
  const given = Object.entries(columns).filter(([, value]) => value != null);
  return {
    model: 'RequestRecord',
    filter: Object.fromEntries(given) as Filter,
    conditions,
    order: newestFirst,
  };
}

/** Returns a record. Throws `not_found` if the record doesn't exist. */
export async function requireRequest(ctx: Context, id: string): Promise<Row<'RequestRecord'>> {
  const found = await ctx.db.requestRecord.findFirst({ where: { id } });
  if (found === null) throw specificError('not_found', 'request', { param: 'id' });
  return found;
}
