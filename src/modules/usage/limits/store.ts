import { specificError, validationError } from '../../../domain/errors/errors.ts';
import { shownAmount } from '../../../domain/limits/entry.ts';
import { signedDecimal } from '../../../domain/rates/decimal.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
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

/** Maximum number of limits of a node, and of templates in an environment. */
const mostPerNode = 8;
const mostTemplates = 1_000;

/** Throws `validation_error` if a node has too many limits, or the environment too many templates. Counts a limit that was just created. */
export async function requireRoom(tx: Context, limit: StoredLimit): Promise<void> {
  const { customerId, budgetKey, each } = limit;
  const isTemplate = customerId === null;
  const filter = isTemplate ? { customerId: null } : { customerId, budgetKey, each };
  const count = await tx.db.limit.count({ where: { ...filter, deletedAt: null } });
  const most = isTemplate ? mostTemplates : mostPerNode;
  if (count > most)
    throw validationError([
      {
        field: 'scope',
        message: isTemplate
          ? `An environment can have up to ${mostTemplates.toLocaleString('en')} templates. Delete a template first.`
          : `A customer or a budget can have up to ${mostPerNode} limits. Delete a limit first.`,
      },
    ]);
}

/**
 * Throws `duplicate` if another limit of the node replaces the same template at the same time. Must run after the limit was written.
 * `param` is the input that determines the conflict.
 */
export async function requireOnlyReplacement(tx: Context, limit: StoredLimit, param: string): Promise<void> {
  const { id, customerId, budgetKey, replaces, validFrom, validUntil } = limit;
  if (replaces === null) return;
  const all = await tx.db.limit.findMany({ where: { customerId, budgetKey, replaces, deletedAt: null } });
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

/** Assigns a new version to the environment's limits, budgets, and raises, so that usage reads them again. */
export async function renewLimits(tx: TransactionContext): Promise<void> {
  await tx.sql('UPDATE "EnvironmentCounter" SET "limitVersion" = $2 WHERE "environmentId" = $1', [
    crypto.randomUUID(),
  ]);
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

/** Returns the features with the given codes. Deleted features are excluded. */
export const findFeatures = (ctx: Context, codes: readonly string[]): Promise<Row<'Feature'>[]> =>
  ctx.db.feature.findMany({ where: { code: { in: [...codes] }, deletedAt: null } });
