import { type ListedModel, modelChanges } from '../domain/consumption/model-prices.ts';
import type { Database, Query } from './db.ts';
import { newId } from './ids.ts';
import type { Row } from './rows.ts';

// The catalogue of AI models is one for all environments (CON-32), so these statements name none.

export type AiModelRow = Row<'AiModel'>;
export type AiModelPriceRow = Row<'AiModelPrice'>;

/** How a list changed the catalogue, in numbers of models. */
export type SavedPrices = { readonly listed: number; readonly repriced: number; readonly gone: number };

const rateColumns = ({ prices }: ListedModel) => ({
  inputRate: String(prices.input),
  outputRate: String(prices.output),
  cacheReadRate: prices.cacheRead === null ? null : String(prices.cacheRead),
  cacheWriteRate: prices.cacheWrite === null ? null : String(prices.cacheWrite),
});

const readKnown = async (query: Query) =>
  (await query<AiModelRow>('SELECT * FROM "AiModel"')).map(({ inputRate, outputRate, cacheReadRate, cacheWriteRate, ...model }) => ({
    ...model,
    prices: { input: inputRate, output: outputRate, cacheRead: cacheReadRate, cacheWrite: cacheWriteRate },
  }));

const writeModels = (query: Query, models: readonly ListedModel[], now: Date) =>
  query(
    `INSERT INTO "AiModel" (id, provider, name, "inputRate", "outputRate", "cacheReadRate", "cacheWriteRate", "isActive", "createdAt", "updatedAt")
     SELECT r.id, r.provider, r.name, r."inputRate", r."outputRate", r."cacheReadRate", r."cacheWriteRate", true, $2, $2
     FROM json_to_recordset($1::json) AS r(id text, provider text, name text, "inputRate" bigint, "outputRate" bigint, "cacheReadRate" bigint, "cacheWriteRate" bigint)
     ON CONFLICT (id) DO UPDATE SET "inputRate" = EXCLUDED."inputRate", "outputRate" = EXCLUDED."outputRate", "cacheReadRate" = EXCLUDED."cacheReadRate",
       "cacheWriteRate" = EXCLUDED."cacheWriteRate", "isActive" = true, "updatedAt" = EXCLUDED."updatedAt"`,
    [JSON.stringify(models.map((model) => ({ id: model.id, provider: model.provider, name: model.name, ...rateColumns(model) }))), now],
  );

const writeHistory = (query: Query, models: readonly ListedModel[], now: Date) =>
  query(
    `INSERT INTO "AiModelPrice" (id, "modelId", "validFrom", "inputRate", "outputRate", "cacheReadRate", "cacheWriteRate")
     SELECT r.id, r."modelId", $2, r."inputRate", r."outputRate", r."cacheReadRate", r."cacheWriteRate"
     FROM json_to_recordset($1::json) AS r(id text, "modelId" text, "inputRate" bigint, "outputRate" bigint, "cacheReadRate" bigint, "cacheWriteRate" bigint)`,
    [JSON.stringify(models.map((model) => ({ id: newId('amp'), modelId: model.id, ...rateColumns(model) }))), now],
  );

const deactivate = (query: Query, ids: readonly string[], now: Date) =>
  query('UPDATE "AiModel" SET "isActive" = false, "updatedAt" = $2 WHERE id = ANY($1)', [ids, now]);

/**
 * Makes the catalogue what a source lists, in one transaction and at most five statements whatever the length of the list (CON-32a). Two at
 * once follow one another; readers see the catalogue before or after.
 */
export const saveModelPrices = (database: Database, listed: readonly ListedModel[], now: Date): Promise<SavedPrices> =>
  database.transaction(async ({ query }) => {
    await query('LOCK TABLE "AiModel" IN SHARE ROW EXCLUSIVE MODE');
    const { written, repriced, goneIds } = modelChanges(await readKnown(query), listed);
    if (written.length > 0) await writeModels(query, written, now);
    if (repriced.length > 0) await writeHistory(query, repriced, now);
    if (goneIds.length > 0) await deactivate(query, goneIds, now);
    return { listed: listed.length, repriced: repriced.length, gone: goneIds.length };
  });

/** Which models a list shows; null for any. */
export type ModelFilter = { readonly provider: string | null; readonly name: string | null; readonly isActive: boolean | null };

/** Up to `limit` models that match, by id, after the one with the id `after` when given. One statement. */
export const readModels = (query: Query, filter: ModelFilter, after: string | null, limit: number): Promise<AiModelRow[]> =>
  query<AiModelRow>(
    `SELECT * FROM "AiModel" WHERE ($1::text IS NULL OR provider = $1) AND ($2::text IS NULL OR name = $2)
       AND ($3::boolean IS NULL OR "isActive" = $3) AND ($4::text IS NULL OR id > $4) ORDER BY id LIMIT $5`,
    [filter.provider, filter.name, filter.isActive, after, limit],
  );

/** The models that go by a name: the one with this id, and the active ones with this bare name. One statement. */
export const findModels = (query: Query, name: string): Promise<AiModelRow[]> =>
  query<AiModelRow>('SELECT * FROM "AiModel" WHERE id = $1 OR (name = $1 AND "isActive") ORDER BY id LIMIT 3', [name]);

/** Up to `limit` states the prices of each model have had, the latest first. One statement for all models. */
export const readPriceHistory = (query: Query, modelIds: readonly string[], limit: number): Promise<AiModelPriceRow[]> =>
  query<AiModelPriceRow>(
    `SELECT page.* FROM unnest($1::text[]) AS model(id) CROSS JOIN LATERAL (
       SELECT * FROM "AiModelPrice" p WHERE p."modelId" = model.id ORDER BY p."validFrom" DESC, p.id DESC LIMIT $2) AS page`,
    [modelIds, limit],
  );
