import type { ModelDetails } from '../../domain/usage/record.ts';
import { type ModelPrices, readPrices, type StoredPrices } from '../../domain/usage/tokens.ts';
import { columnList, type WritePart } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import { orRaise } from '../../platform/db/raised-errors.ts';
import type { Row } from '../../platform/db/rows.ts';

// AI models with their prices: the list that all environments share, and an environment's own prices, which take
// precedence (CON-32, PRM-118).

type ListedModel = Row<'AiModel'> & { readonly version: string };

export type OwnPriceRow = Row<'OwnModelPrice'>;

/** Models that requests name: active models of the list, and the environment's own prices, latest first. */
export type NamedModels = { readonly listed: readonly ListedModel[]; readonly own: readonly OwnPriceRow[] };

const noModels: NamedModels = { listed: [], own: [] };

/** SQL: active models `m` of the list with the IDs or names in a parameter. */
const listedBy = (names: string): string =>
  `"AiModel" m WHERE m."isActive" AND (m.id = ANY(${names}) OR m.name = ANY(${names}))`;

/** SQL: the ID of the current price version of the model `m`. Every change of a model's prices adds a version. */
const currentVersion = `(SELECT p.id FROM "AiModelPrice" p WHERE p."modelId" = m.id ORDER BY p."validFrom" DESC, p.id DESC LIMIT 1)`;

/**
 * Reads the models with the given IDs or names. `sql` runs statements in the environment, and `query` runs statements
 * outside an environment.
 */
export async function readModels(sql: Query, query: Query, names: readonly string[]): Promise<NamedModels> {
  if (names.length === 0) return noModels;
  const [listed, own] = await Promise.all([
    query<ListedModel>(`SELECT m.*, ${currentVersion} AS version FROM ${listedBy('$1')} ORDER BY m.id`, [
      names,
    ]),
    sql<OwnPriceRow>(
      `SELECT ${columnList('OwnModelPrice', 't')} FROM "OwnModelPrice" t
       WHERE t."environmentId" = $1 AND (t."modelId" = ANY($2) OR t.name = ANY($2)) ORDER BY t."validFrom" DESC, t.seq DESC`,
      [names],
    ),
  ]);
  return { listed, own };
}

/** Returns the models that one requested name finds. */
export const modelsOf = (name: string, { listed, own }: NamedModels): NamedModels => ({
  listed: listed.filter((model) => model.id === name || model.name === name),
  own: own.filter((price) => price.modelId === name || price.name === name),
});

/** Combines the models that several names find. Each row appears once. */
export const combinedModels = (found: readonly NamedModels[]): NamedModels => ({
  listed: [...new Set(found.flatMap(({ listed }) => listed))],
  own: [...new Set(found.flatMap(({ own }) => own))],
});

const unchanged = `SELECT ${orRaise(
  `$1::text IS NOT NULL AND (SELECT string_agg(m.id || ' ' || ${currentVersion}, ' ' ORDER BY m.id COLLATE "C") FROM ${listedBy('$2')}) IS NOT DISTINCT FROM $3`,
  'staleSnapshot',
)} AS holds`;

/**
 * Returns the statement that raises `staleSnapshot` if the names find other models or prices in the list than the
 * cached ones. The environment's own prices have no condition, because they change with the catalog version.
 */
export function modelsPart(names: readonly string[], { listed }: NamedModels): WritePart {
  const versions = listed
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, version }) => `${id} ${version}`);
  return { text: unchanged, params: [names, versions.length === 0 ? null : versions.join(' ')] };
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

const readOnce = new WeakMap<StoredPrices, ModelPrices>();

/** Returns stored prices. Keeps the result, because batches share the rows of models. */
const pricesFrom = (stored: StoredPrices): ModelPrices => readOnce.getOrInsertComputed(stored, readPrices);

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
      .map(({ id, prices, version }): ModelDetails => ({ id, prices: pricesFrom(prices), version }));
  return new Map(
    names.map((name) => {
      const exact = found(({ id }) => id === name);
      return [name, exact.length > 0 ? exact : found((model) => model.name === name)];
    }),
  );
}
