import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { isFree, isWithin, leaseTable, within } from '../../../platform/queue/lease-table.ts';
import type { Context, TransactionContext } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type FeatureRow = Row<'Feature'>;

/** Error for a feature that doesn't exist or was deleted. `param` is the input that refers to the feature. */
export const featureNotFound = (param: string): QuittanceError =>
  new QuittanceError('feature_not_found', { param });

/** Error for a code or name that another feature already has (CAT-1). */
const featureExists = (param: 'code' | 'name'): QuittanceError =>
  specificError('feature_already_exists', 'taken', { values: { param }, param });

/** Features. Requests identify a feature by its code. */
export const featureRows = resource('Feature', {
  prefix: 'ftr',
  object: 'feature',
  notFound: featureNotFound,
  references: ['code'],
  unique: { code: () => featureExists('code'), name: () => featureExists('name') },
  defaults: { meters: [] },
  derive: ({ name, code }) => ({ searchText: searchTextOf(name, code) }),
});

/**
 * Returns the feature with this ID and takes a shared lock on it until the transaction ends, which prevents the feature's deletion. Throws
 * `feature_not_found` with `featureId` as the `param`.
 */
export const requireSharedFeature = (tx: Context, id: string): Promise<FeatureRow> =>
  featureRows.lockId(tx, id, 'featureId', 'SHARE');

/** Returns the feature with this ID without a lock. `null` if the feature doesn't exist or was deleted. */
export const findFeature = (ctx: Context, id: string): Promise<FeatureRow | null> =>
  ctx.db.feature.findFirst({ where: { id, deletedAt: null } });

export const loadFeatureCode = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['code']))).code;

/** Throws `feature_in_use` if a plan or add-on uses the feature (CAT-3). */
export async function rejectInUse(ctx: Context, featureId: string): Promise<void> {
  const attached = await ctx.db.planFeature.findFirst({ where: { featureId, plan: { deletedAt: null } } });
  if (attached !== null) throw specificError('feature_in_use', 'plan', { param: 'code' });
  const extended = await ctx.db.addon.findFirst({ where: { featureId, deletedAt: null } });
  if (extended !== null) throw specificError('feature_in_use', 'addon', { param: 'code' });
  const [counting] = await countingFeatures(ctx, featureId);
  if (counting !== undefined)
    throw specificError('feature_in_use', 'source', { values: { code: counting.code }, param: 'code' });
}

/** Returns the features whose latest meter counts the events of a feature, in the order in which they were created. */
export async function countingFeatures(ctx: Context, featureId: string): Promise<FeatureRow[]> {
  const features = await ctx.db.feature.findMany({
    where: { type: 'usage', deletedAt: null },
    orderBy: { seq: 'asc' },
  });
  return features.filter(({ meters }) => meters.at(-1)?.source === featureId);
}

export const loadFeatureName = async (ctx: Context, id: string): Promise<string> =>
  (await loadExistingRow(ctx, 'Feature', id, new Set(['name']))).name;

/** Lease key of a feature whose open usage windows are counted again. */
export type RecountKey = { readonly environmentId: string; readonly id: string };

export const recountLeases = leaseTable<RecountKey>('MeterRecount', ['environmentId', 'id']);

/** Prefix of the pub/sub topics that announce features to count again. The environment ID follows the prefix. */
export const recountTopicPrefix = 'recounts:';

/** Adds a feature to the features whose open usage windows the worker counts again (PRM-123). */
export async function requestRecount(tx: TransactionContext, featureId: string): Promise<void> {
  await tx.sql(
    `INSERT INTO "MeterRecount" ("environmentId", id, "requestedAt") VALUES ($1, $2, $3)
     ON CONFLICT ("environmentId", id) DO UPDATE SET "requestedAt" = excluded."requestedAt"`,
    [featureId, tx.wall.now()],
  );
  const { app, environment } = tx;
  tx.transaction.afterCommit(() => app.pubsub.hint(`${recountTopicPrefix}${environment.id}`));
}

/** Returns up to `limit` unleased features to count again, longest waiting first. Acquires no locks. */
export const findRecounts = (
  query: Query,
  now: Date,
  limit: number,
  environmentId: string | null,
): Promise<RecountKey[]> =>
  query<RecountKey>(
    `SELECT t."environmentId", t.id FROM "MeterRecount" t WHERE ${isFree('t', '$1')} ${isWithin('t', environmentId, '$3')}
     ORDER BY t."requestedAt" LIMIT $2`,
    [now, limit, ...within(environmentId)],
  );

/** Reads the time at which a recount was last requested. `null` if the recount has ended. */
export async function readRecount(sql: Query, id: string): Promise<Date | null> {
  const [row] = await sql<{ readonly requestedAt: Date }>(
    'SELECT "requestedAt" FROM "MeterRecount" WHERE "environmentId" = $1 AND id = $2',
    [id],
  );
  return row?.requestedAt ?? null;
}

/** Ends a recount. Does nothing if the recount was requested again after `requestedAt`. */
export const endRecount = (sql: Query, id: string, requestedAt: Date): Promise<unknown> =>
  sql('DELETE FROM "MeterRecount" WHERE "environmentId" = $1 AND id = $2 AND "requestedAt" = $3', [
    id,
    requestedAt,
  ]);
