import type { ModelDetails } from '../../domain/usage/record.ts';
import { readPrices } from '../../domain/usage/tokens.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import type { Row } from '../../platform/db/rows.ts';

// AI models with their prices: the list that all environments share, and an environment's own prices, which take
// precedence (CON-32, PRM-118).

type ListedModel = Row<'AiModel'> & { readonly version: string };

export type OwnPriceRow = Row<'OwnModelPrice'>;

/** Models that requests name: active models of the list, and the environment's own prices, latest first. */
export type NamedModels = { readonly listed: readonly ListedModel[]; readonly own: readonly OwnPriceRow[] };

export const noModels: NamedModels = { listed: [], own: [] };

/**
 * Reads the models with the given IDs or names. `sql` runs statements in the environment, and `query` runs statements
 * outside an environment.
 */
export async function readModels(sql: Query, query: Query, names: readonly string[]): Promise<NamedModels> {
  if (names.length === 0) return noModels;
  const [listed, own] = await Promise.all([
    query<ListedModel>(
      `SELECT m.*, (SELECT p.id FROM "AiModelPrice" p WHERE p."modelId" = m.id ORDER BY p."validFrom" DESC, p.id DESC LIMIT 1) AS version
       FROM "AiModel" m WHERE m."isActive" AND (m.id = ANY($1) OR m.name = ANY($1)) ORDER BY m.id`,
      [names],
    ),
    sql<OwnPriceRow>(
      `SELECT ${columnList('OwnModelPrice', 't')} FROM "OwnModelPrice" t
       WHERE t."environmentId" = $1 AND (t."modelId" = ANY($2) OR t.name = ANY($2)) ORDER BY t."validFrom" DESC, t.seq DESC`,
      [names],
    ),
  ]);
  return { listed, own };
}

/** Active own price, with its prices. */
export type OwnPrice = Omit<OwnPriceRow, 'prices'> & { readonly prices: Stored.ModelPrices };

/**
 * Returns the active own prices by model ID. A price without amounts ends the model's own prices. The rows
 * must be sorted from the latest to the earliest.
 */
export function ownPricesAt(rows: readonly OwnPriceRow[], now: Date): ReadonlyMap<string, OwnPrice> {
  const current = new Map<string, OwnPriceRow>();
  for (const row of rows)
    if (row.validFrom <= now && !current.has(row.modelId)) current.set(row.modelId, row);
  return new Map(
    [...current].flatMap(([id, { prices, ...row }]) => (prices === null ? [] : [[id, { ...row, prices }]])),
  );
}

/**
 * Returns models by requested name: models with the exact ID `provider/name`, otherwise models with the name
 * (CON-32).
 */
export function modelsByName(
  names: readonly string[],
  { listed, own }: NamedModels,
  now: Date,
): Map<string, ModelDetails[]> {
  const known = new Map(
    listed.map(({ id, name, prices, version }) => [id, { id, name, prices, version }] as const),
  );
  for (const { id, modelId, name, prices } of ownPricesAt(own, now).values())
    known.set(modelId, { id: modelId, name, prices, version: id });
  const found = (isRequested: (model: { readonly id: string; readonly name: string }) => boolean) =>
    [...known.values()]
      .filter(isRequested)
      .map(({ id, prices, version }): ModelDetails => ({ id, prices: readPrices(prices), version }));
  return new Map(
    names.map((name) => {
      const exact = found(({ id }) => id === name);
      return [name, exact.length > 0 ? exact : found((model) => model.name === name)];
    }),
  );
}
