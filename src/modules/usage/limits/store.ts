import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { excessOf } from '../../../domain/limits/crossings.ts';
import { shownAmount } from '../../../domain/limits/entry.ts';
import { isShared, type LimitedCaller, limitedCaller } from '../../../domain/limits/limit.ts';
import { signedDecimal } from '../../../domain/rates/decimal.ts';
import { batchedByColumns, loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import { textArray } from '../../../platform/db/column-arrays.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type StoredLimit = Row<'Limit'>;
export type LimitRaiseRow = Row<'LimitRaise'>;

const setBy: StoredLimit['setBy'] = 'merchant';
const action: StoredLimit['action'] = 'notify';

/** Limits of customers and budgets, and templates. Deleted limits remain in the history of crossings. */
export const limitRows = resource('Limit', {
  prefix: 'lim',
  object: 'limit',
  notFound: (param) => specificError('not_found', 'limit', { param }),
  defaults: { setBy, action },
});

/** Maximum number of limits that the organization sets for a node, and of limits that belong to no customer in an environment. */
const mostPerNode = 8;
const mostTemplates = 1_000;
/** Maximum number of limits that a customer sets for all usage, and for each budget. */
const mostByCustomer = 5;
const mostByCustomerPerBudget = 1;

/** Returns the maximum number of limits like a limit, and the message of the error if there are more. */
function mostLike({ customerId, budgetKey, apiKeyId, memberId, setBy: by }: StoredLimit): {
  most: number;
  message: string;
} {
  if (by === 'customer') {
    const most = budgetKey === null ? mostByCustomer : mostByCustomerPerBudget;
    const message =
      budgetKey === null
        ? `You can set up to ${most} limits on all your usage. Remove a limit first.`
        : 'You can set one limit for each budget. Remove the limit first.';
    return { most, message };
  }
  return {
    most: mostPerNode,
    message:
      customerId === null
        ? apiKeyId !== null || memberId !== null
          ? `An API key or a member can have up to ${mostPerNode} limits. Delete a limit first.`
          : `The organization and each plan can have up to ${mostPerNode} limits. Delete a limit first.`
        : `A customer or a budget can have up to ${mostPerNode} limits. Delete a limit first.`,
  };
}

/**
 * Throws `validation_error` if a node has too many limits, or the environment too many templates. Limits that have ended don't count. Must
 * run after the limit was written. `field` is the input that makes the limit count.
 */
export async function requireRoom(tx: Context, limit: StoredLimit, field: string): Promise<void> {
  const { customerId, budgetKey, each, planId, apiKeyId, memberId, setBy: by } = limit;
  const counted = { deletedAt: null, OR: [{ validUntil: null }, { validUntil: { gt: tx.clock.now() } }] };
  if (customerId === null) {
    const all = await tx.db.limit.count({ where: { customerId, ...counted } });
    if (all > mostTemplates)
      throw validationError([
        {
          field,
          message: `An environment can have up to ${mostTemplates.toLocaleString('en')} templates and limits of the organization and of plans. Delete one first.`,
        },
      ]);
    if (each !== null) return;
  }
  const filter = isShared(limit) ? { planId } : { setBy: by };
  const count = await tx.db.limit.count({
    where: { customerId, budgetKey, each, apiKeyId, memberId, ...filter, ...counted },
  });
  const { most, message } = mostLike(limit);
  if (count > most) throw validationError([{ field, message }]);
}

/**
 * Throws `duplicate` if another limit of the node replaces the same template at the same time. Must run after the limit was written.
 * `param` is the input that determines the conflict.
 */
export async function requireOnlyReplacement(tx: Context, limit: StoredLimit, param: string): Promise<void> {
  const { id, customerId, budgetKey, apiKeyId, memberId, replaces, validFrom, validUntil } = limit;
  if (replaces === null) return;
  const all = await tx.db.limit.findMany({
    where: { customerId, budgetKey, apiKeyId, memberId, replaces, deletedAt: null },
  });
  const isReplaced = all.some(
    (other) =>
      other.id !== id &&
      (other.validUntil === null || other.validUntil > validFrom) &&
      (validUntil === null || other.validFrom < validUntil),
  );
  if (isReplaced) throw specificError('duplicate', 'replacement', { param });
}

/** Returns the number of which each amount is a share, by the ID of the limit. Contains only amounts that are shares. */
export async function findShares(tx: TransactionContext): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.sql<{ id: string; of: string }>(
    `SELECT id, share->>'of' AS of FROM "Limit" WHERE "environmentId" = $1 AND share IS NOT NULL AND "deletedAt" IS NULL`,
  );
  return new Map(rows.map(({ id, of }) => [id, of]));
}

/**
 * Removes the watches of a limit, so that no event is sent when remaining amounts are above its thresholds again. Locks accounts in
 * the order in which usage locks them.
 */
export async function removeWatches(tx: TransactionContext, { id }: StoredLimit): Promise<void> {
  await tx.sql(
    `WITH watched AS MATERIALIZED (
       SELECT a.id FROM (SELECT DISTINCT "customerId" FROM "LimitCrossing" WHERE "environmentId" = $1 AND "limitId" = $2) c
       CROSS JOIN LATERAL (SELECT id FROM "Subscription" WHERE "environmentId" = $1 AND "customerId" = c."customerId" OFFSET 0) s
       CROSS JOIN LATERAL (SELECT id FROM "ConsumptionAccount" WHERE "environmentId" = $1 AND id = s.id
         AND pools::text LIKE '%' || $2 || '%' ORDER BY seq FOR UPDATE) a)
     UPDATE "ConsumptionAccount" t SET pools = (SELECT jsonb_object_agg(p.key, CASE WHEN p.value->'fall' IS NULL THEN p.value
         ELSE jsonb_set(p.value, '{fall,watches}', (SELECT coalesce(jsonb_agg(w), '[]')
           FROM jsonb_array_elements(p.value->'fall'->'watches') w WHERE w->>'limitId' <> $2)) END) FROM jsonb_each(t.pools) p)
       FROM watched WHERE t."environmentId" = $1 AND t.id = watched.id`,
    [id],
  );
}

/** Returns a raise of a limit. Throws `not_found` if it doesn't exist. */
export async function requireRaise(ctx: Context, limitId: string, id: string): Promise<LimitRaiseRow> {
  const raise = await ctx.db.limitRaise.findFirst({ where: { id, limitId } });
  if (raise === null) throw specificError('not_found', 'limit_raise', { param: 'raiseId' });
  return raise;
}

/** Returns an amount of a crossing in the unit of its limit. Batched. */
export async function loadShownAmount(
  ctx: Context,
  { limitId, currency }: { readonly limitId: string; readonly currency: string | null },
  amount: string,
): Promise<string> {
  const limit = await loadExistingRow(ctx, 'Limit', limitId, new Set(['currency']));
  return shownAmount({ currency: currency ?? limit.currency }, signedDecimal(amount));
}

/** Returns the amount by which the value of a crossing exceeds the amount, in the unit of its limit. Batched. */
export async function loadShownExcess(
  ctx: Context,
  {
    limitId,
    currency,
    threshold,
    value,
  }: Pick<Row<'LimitCrossing'>, 'limitId' | 'currency' | 'threshold' | 'value'>,
): Promise<string> {
  const limit = await loadExistingRow(ctx, 'Limit', limitId, new Set(['currency', 'measure']));
  const excess = excessOf(limit, signedDecimal(value), signedDecimal(threshold));
  return shownAmount({ currency: currency ?? limit.currency }, excess);
}

/** Limit that a crossing concerns, and the ID of the node. */
export type CrossedLimit = { readonly limitId: string; readonly nodeId: string };

/** Returns the type of the callers whose operations a limit counts. `null` if the limit counts no operations of callers. Batched. */
export const loadCaller = async (ctx: Context, { limitId }: CrossedLimit): Promise<LimitedCaller | null> =>
  limitedCaller(
    await loadExistingRow(ctx, 'Limit', limitId, new Set(['each', 'apiKeyId', 'memberId', 'filter'])),
  );

/** Returns the features with the given codes. Deleted features are excluded. */
export const findFeatures = (ctx: Context, codes: readonly string[]): Promise<Row<'Feature'>[]> =>
  ctx.db.feature.findMany({ where: { code: { in: [...codes] }, deletedAt: null } });

/** Returns a limit, which can be deleted. Throws if it doesn't exist, which indicates a bug. Batched. */
export const loadLimit = (ctx: Context, id: string): Promise<StoredLimit> =>
  loadExistingRow(ctx, 'Limit', id);

/** Returns the current raises of a limit of a customer or budget, in order of creation. Batched. */
export async function loadRaises(ctx: Context, limitId: string, nodeId: string): Promise<LimitRaiseRow[]> {
  const now = ctx.clock.now();
  const raises = await loadRowsBy(ctx, 'LimitRaise', 'nodeId', nodeId, 'seq');
  return raises.filter((raise) => raise.limitId === limitId && raise.until > now);
}

/** Numbers of customers and budgets whose usage is close to the amount of a limit, or reached it, in their current windows. */
export type NodeCounts = { readonly near: number; readonly reached: number };

/** Number of latest crossings that are counted. */
export const mostCountedCrossings = 1_000;

/** Returns the numbers of customers and budgets that are close to the amount of a limit. Batched. */
export function loadNodeCounts(ctx: Context, limitId: string): Promise<NodeCounts> {
  const load = ctx.once('nodes near limits', () =>
    batchedByColumns<NodeCounts>(async (ids) => {
      const rows = await ctx.sql<NodeCounts & { readonly id: string }>(
        `SELECT named.id, count(DISTINCT c."nodeId")::int AS near,
           (count(DISTINCT c."nodeId") FILTER (WHERE c.kind = 'reached'))::int AS reached
         FROM unnest($2::text[]) AS named(id)
         CROSS JOIN LATERAL (SELECT * FROM "Limit" WHERE "environmentId" = $1 AND id = named.id OFFSET 0) l
         CROSS JOIN LATERAL (SELECT * FROM "LimitCrossing" WHERE "environmentId" = $1 AND "limitId" = named.id
           ORDER BY seq DESC LIMIT ${mostCountedCrossings}) c
         WHERE (c.kind = 'reached' OR c.value::numeric * 10 >= l.amount * 8)
           AND (c."windowEnd" > $3::timestamptz OR (c."windowEnd" IS NULL AND (l.window->>'minutes' IS NULL
             OR c."createdAt" > $3::timestamptz - (l.window->>'minutes')::int * interval '1 minute')))
         GROUP BY named.id`,
        [[...ids], ctx.clock.now()],
      );
      const counts = new Map(rows.map(({ id, near, reached }) => [id, { near, reached }]));
      return (id) => counts.get(id) ?? { near: 0, reached: 0 };
    }),
  );
  return load(limitId, 'all');
}

/** Returns the limits that a customer set for all usage, or for a budget, oldest first. */
export const findOwnLimits = (
  ctx: Context,
  customerId: string,
  budgetKey: string | null,
): Promise<StoredLimit[]> =>
  ctx.db.limit.findMany({
    where: { customerId, budgetKey, setBy: 'customer', deletedAt: null },
    orderBy: { seq: 'asc' },
  });

type Template = Pick<StoredLimit, 'each' | 'planId' | 'customerId'>;

/** Customer, or budget of a customer. `budget` is `null` if the node is the customer. */
type FoundNode = { readonly customerId: string; readonly budget: string | null };

/** Returns the newest customers to which a template is restricted, or the newest subscribers of its plan. */
async function findCustomers(
  ctx: Context,
  { planId, customerId }: Template,
  most: number,
): Promise<string[]> {
  if (customerId !== null) return [customerId];
  const rows = await (planId === null
    ? ctx.sql<{ id: string }>(
        `SELECT id FROM "Customer" WHERE "environmentId" = $1 AND "deletedAt" IS NULL ORDER BY "createdAt" DESC, seq DESC LIMIT $2`,
        [most],
      )
    : ctx.sql<{ id: string }>(
        `SELECT DISTINCT s."customerId" AS id FROM (SELECT "customerId" FROM "Subscription" WHERE "environmentId" = $1 AND "planId" = $3
           ORDER BY "createdAt" DESC, seq DESC LIMIT $2) s`,
        [most, planId],
      ));
  return rows.map(({ id }) => id);
}

/**
 * Returns at most `most` customers or budgets to which a template applies, of the newest customers. Archived budgets are excluded. `isCut` is
 * true if the template applies to more.
 */
export async function findNodes(
  ctx: Context,
  template: Template,
  most: number,
): Promise<{ readonly nodes: readonly FoundNode[]; readonly isCut: boolean }> {
  const found = await findCustomers(ctx, template, most + 1);
  const customerIds = found.slice(0, most);
  const isCut = found.length > most;
  if (template.each === 'customer')
    return { nodes: customerIds.map((customerId) => ({ customerId, budget: null })), isCut };
  const budgets = await ctx.sql<FoundNode>(
    `SELECT b."customerId", b.key AS budget FROM unnest($2::text[]) AS named(id) CROSS JOIN LATERAL (
       SELECT "customerId", key FROM "Budget" WHERE "environmentId" = $1 AND "customerId" = named.id AND "archivedAt" IS NULL
         AND starts_with(key, $3) OFFSET 0) b LIMIT $4`,
    [textArray(customerIds), `${template.each ?? ''}:`, most + 1],
  );
  return { nodes: budgets.slice(0, most), isCut: isCut || budgets.length > most };
}
