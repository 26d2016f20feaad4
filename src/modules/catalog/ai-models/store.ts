import DataLoader from 'dataloader';
import { specificError } from '../../../domain/errors/errors.ts';
import { type ListedModel, modelChanges, type PriceList } from '../../../domain/usage/model-prices.ts';
import { readPrices, storedPrices } from '../../../domain/usage/tokens.ts';
import { type OwnPrice, type OwnPriceRow, ownPricesAt } from '../../../engine/usage/models.ts';
import { storageViolation } from '../../../graphql/declare/scalars.ts';
import { Page, type PageRequest, type PageSource, pageRows } from '../../../graphql/reading/connections.ts';
import { cursorFrom, readCursor } from '../../../graphql/reading/cursors.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import { type PageArguments, pageRequest } from '../../../graphql/reading/pages.ts';
import { columnList } from '../../../platform/db/bulk.ts';
import type { Database, Query } from '../../../platform/db/pool.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { type AiModelRow, isMatch, type ModelFilter, withOwnPrices } from './rules.ts';

// All environments share one catalog of AI models (CON-32). An environment can set its own prices (PRM-118).

export type { AiModelRow } from './rules.ts';
export type AiModelPriceRow = Row<'AiModelPrice'>;

/**
 * Import result: the number of models in the list, of models with new prices, of models that became inactive, of invalid entries, and of
 * different prices that the service doesn't know.
 */
export type SavedPrices = {
  readonly listed: number;
  readonly repriced: number;
  readonly gone: number;
  readonly invalid: number;
  readonly unknownPrices: number;
};

const readKnown = async (query: Query) =>
  (await query<Row<'AiModel'>>('SELECT * FROM "AiModel"')).map((model) => ({
    ...model,
    prices: readPrices(model.prices),
  }));

const writeModels = (query: Query, models: readonly ListedModel[], now: Date) =>
  query(
    `INSERT INTO "AiModel" (id, provider, name, prices, "isActive", "createdAt", "updatedAt")
     SELECT r.id, r.provider, r.name, r.prices, true, $2, $2
     FROM json_to_recordset($1::json) AS r(id text, provider text, name text, prices jsonb)
     ON CONFLICT (id) DO UPDATE SET prices = EXCLUDED.prices, "isActive" = true, "updatedAt" = EXCLUDED."updatedAt"`,
    [JSON.stringify(models.map((model) => ({ ...model, prices: storedPrices(model.prices) }))), now],
  );

const writeHistory = (query: Query, models: readonly ListedModel[], now: Date) =>
  query(
    `INSERT INTO "AiModelPrice" (id, "modelId", "validFrom", prices)
     SELECT r.id, r."modelId", $2, r.prices FROM json_to_recordset($1::json) AS r(id text, "modelId" text, prices jsonb)`,
    [
      JSON.stringify(
        models.map(({ id, prices }) => ({ id: newId('amp'), modelId: id, prices: storedPrices(prices) })),
      ),
      now,
    ],
  );

const deactivate = (query: Query, ids: readonly string[], now: Date) =>
  query('UPDATE "AiModel" SET "isActive" = false, "updatedAt" = $2 WHERE id = ANY($1)', [ids, now]);

/**
 * Replaces the catalog with the models from a source, in one transaction with at most five statements (CON-32a). Concurrent imports run one
 * after the other. Readers see the catalog in its state either before or after an import.
 */
export const saveModelPrices = (database: Database, list: PriceList, now: Date): Promise<SavedPrices> =>
  database.transaction(async ({ query }) => {
    await query('LOCK TABLE "AiModel" IN SHARE ROW EXCLUSIVE MODE');
    const { written, repriced, goneIds } = modelChanges(await readKnown(query), list);
    if (written.length > 0) await writeModels(query, written, now);
    if (repriced.length > 0) await writeHistory(query, repriced, now);
    if (goneIds.length > 0) await deactivate(query, goneIds, now);
    return {
      listed: list.models.length,
      repriced: repriced.length,
      gone: goneIds.length,
      invalid: list.invalidIds.length,
      unknownPrices: list.unknownPrices,
    };
  });

const matches = `($1::text IS NULL OR provider = $1) AND ($2::text IS NULL OR name = $2)
       AND ($3::boolean IS NULL OR "isActive" = $3) AND ($4::text IS NULL OR id > $4) AND ($5::text IS NULL OR id < $5)`;

/** Reads the environment's own prices of the models with these IDs or names, or of all models if `names` is `null`. Latest first. */
const readOwn = (ctx: Context, names: readonly string[] | null): Promise<OwnPriceRow[]> =>
  ctx.sql<OwnPriceRow>(
    `SELECT ${columnList('OwnModelPrice', 't')} FROM "OwnModelPrice" t
     WHERE t."environmentId" = $1 AND ($2::text[] IS NULL OR t."modelId" = ANY($2) OR t.name = ANY($2)) ORDER BY t."validFrom" DESC, t.seq DESC`,
    [names],
  );

/** Returns the environment's active own prices by model ID. */
export const findOwnPrices = async (
  ctx: Context,
  names: readonly string[] | null,
): Promise<ReadonlyMap<string, OwnPrice>> => ownPricesAt(await readOwn(ctx, names), ctx.clock.now());

type Window = Omit<PageRequest<string>, 'size'> & { readonly limit: number };

/**
 * Returns up to `limit` matching models between two IDs, sorted by ID, starting from the lower or the upper ID. Runs two statements. The
 * number of own prices is limited, so all of them are read.
 */
async function readModels(ctx: Context, filter: ModelFilter, window: Window): Promise<AiModelRow[]> {
  const { after, before, isReversed, limit } = window;
  const own = await findOwnPrices(ctx, null);
  // Models with own prices are active, even if the shared catalog no longer lists them.
  const listed = await queryOf(ctx)<Row<'AiModel'>>(
    `SELECT * FROM "AiModel" WHERE ${matches} AND NOT (id = ANY($7)) ORDER BY id ${isReversed ? 'DESC' : 'ASC'} LIMIT $6`,
    [filter.provider, filter.name, filter.isActive, after, before, limit, [...own.keys()]],
  );
  const models = withOwnPrices(listed, own).filter(
    (model) =>
      isMatch(model, filter) &&
      (after === null || model.id > after) &&
      (before === null || model.id < before),
  );
  return (isReversed ? models.reverse() : models).slice(0, limit);
}

/** Returns the IDs of up to `limit` matching models, in order. */
const readModelIds = async (ctx: Context, filter: ModelFilter, limit: number): Promise<string[]> =>
  (await readModels(ctx, filter, { after: null, before: null, isReversed: false, limit })).map(
    ({ id }) => id,
  );

/** Returns the model with this ID and the active models with this plain name. */
async function findModels(ctx: Context, name: string): Promise<AiModelRow[]> {
  const own = await findOwnPrices(ctx, [name]);
  const listed = await queryOf(ctx)<Row<'AiModel'>>(
    'SELECT * FROM "AiModel" WHERE id = $1 OR id = ANY($2) OR (name = $1 AND "isActive") ORDER BY id LIMIT 10',
    [name, [...own.keys()]],
  );
  return withOwnPrices(listed, own);
}

/** Returns up to `limit` past and current prices of each model, latest first. Runs one statement for all models. */
const readPriceHistory = (
  query: Query,
  modelIds: readonly string[],
  limit: number,
): Promise<AiModelPriceRow[]> =>
  query<AiModelPriceRow>(
    `SELECT page.* FROM unnest($1::text[]) AS model(id) CROSS JOIN LATERAL (
       SELECT * FROM "AiModelPrice" p WHERE p."modelId" = model.id ORDER BY p."validFrom" DESC, p.id DESC LIMIT $2) AS page`,
    [modelIds, limit],
  );

const queryOf = ({ app, transaction }: Context): Query => transaction?.query ?? app.database.query;

const cursorOf = ({ id }: Pick<AiModelRow, 'id'>): string => cursorFrom(`model.${id}`);

const idFrom = (text: string): string | undefined =>
  text.startsWith('model.') && storageViolation(text) === null ? text.slice('model.'.length) : undefined;

/** Returns a page of the matching models, sorted by ID. Runs one statement. */
export async function listModels(
  ctx: Context,
  filter: ModelFilter,
  args: PageArguments,
): Promise<Page<AiModelRow>> {
  const request = pageRequest(args, (cursor, argument) => readCursor(cursor, argument, idFrom));
  const { size, ...window } = request;
  const read = await readModels(ctx, filter, { ...window, limit: size + 1 });
  const rows = pageRows(read, request, async (id, side) => {
    const [last] = (await readModelIds(ctx, filter, 10_000)).slice(side === 'after' ? -1 : 0);
    return last !== undefined && (side === 'after' ? last >= id : last <= id);
  });
  const source: PageSource = {
    count: async (limit) => (await readModelIds(ctx, filter, limit)).length,
    marks: async (every, limit) => {
      const ids = await readModelIds(ctx, filter, limit);
      const marked = ids.slice(0, -1).filter((_id, index) => (index + 1) % every === 0);
      return { cursors: marked.map((id) => cursorOf({ id })), count: ids.length };
    },
  };
  return new Page(rows, () => source, cursorOf);
}

/**
 * Returns the model with this ID, active or not, or the only active model with this plain name. Throws `model_not_found` if no model
 * matches or if several providers have an active model with the name (CON-32).
 */
export async function requireModel(ctx: Context, name: string): Promise<AiModelRow> {
  const models = await findModels(ctx, name);
  const [model, another] = models.some(({ id }) => id === name)
    ? models.filter(({ id }) => id === name)
    : models;
  if (model === undefined || another !== undefined) {
    throw specificError('model_not_found', 'ambiguous', { values: { name }, param: 'id' });
  }
  return model;
}

/** Returns the model with this ID, active or inactive. `null` if it doesn't exist. Batched. */
export function loadModel(ctx: Context, id: string): Promise<AiModelRow | null> {
  const load = ctx.once('ai-model', () =>
    batchedByColumns(async (ids) => {
      const listed = await queryOf(ctx)<Row<'AiModel'>>('SELECT * FROM "AiModel" WHERE id = ANY($1)', [ids]);
      const models = withOwnPrices(listed, await findOwnPrices(ctx, ids));
      const known = new Map(models.map((model) => [model.id, model]));
      return (key: string) => known.get(key) ?? null;
    }),
  );
  return load(id, 'all');
}

/** Returns the price version with this ID. `null` if it doesn't exist. Batched. */
export function loadPrice(ctx: Context, id: string): Promise<AiModelPriceRow | null> {
  const load = ctx.once('ai-model:price', () =>
    batchedByColumns(async (ids) => {
      const text = 'SELECT * FROM "AiModelPrice" WHERE id = ANY($1)';
      const known = new Map((await queryOf(ctx)<AiModelPriceRow>(text, [ids])).map((row) => [row.id, row]));
      return (key: string) => known.get(key) ?? null;
    }),
  );
  return load(id, 'all');
}

/** Maximum number of price versions returned with a model. */
export const maxHistory = 100;

/** Returns the latest price versions of a model, newest first. Batched. */
export function loadPriceHistory(ctx: Context, modelId: string): Promise<AiModelPriceRow[]> {
  const loader = ctx.once('ai-model:history', () => {
    return new DataLoader<string, AiModelPriceRow[]>(async (ids) => {
      const rows = Map.groupBy(await readPriceHistory(queryOf(ctx), ids, maxHistory), (row) => row.modelId);
      return ids.map((id) => rows.get(id) ?? []);
    });
  });
  return loader.load(modelId);
}
