import type { OwnPrice } from '../../../engine/usage/models.ts';
import type { Row } from '../../../platform/db/rows.ts';

/** AI model with the prices that apply in an environment. */
export type AiModelRow = Row<'AiModel'> & {
  /** True if the environment set the prices itself (PRM-118). */
  readonly hasOwnPrices: boolean;
};

/** Filter for a list of models. `null` matches every model. */
export type ModelFilter = {
  readonly provider: string | null;
  readonly name: string | null;
  readonly isActive: boolean | null;
};

/** Returns the provider and the name of a model ID. `null` if the ID isn't in the format `provider/name`. */
export function partsOfId(id: string): { readonly provider: string; readonly name: string } | null {
  const slash = id.indexOf('/');
  return slash < 1 || slash === id.length - 1
    ? null
    : { provider: id.slice(0, slash), name: id.slice(slash + 1) };
}

/** Returns a model that isn't in the shared catalog. */
const ownModel = ({ modelId, name, prices, validFrom, createdAt }: OwnPrice): AiModelRow => ({
  id: modelId,
  provider: partsOfId(modelId)?.provider ?? '',
  name,
  prices,
  isActive: true,
  createdAt,
  updatedAt: validFrom,
  hasOwnPrices: true,
});

const byId = (a: { readonly id: string }, b: { readonly id: string }): number => (a.id < b.id ? -1 : 1);

/** Returns models of the shared catalog together with the environment's own models and prices, sorted by ID. */
export function withOwnPrices(
  listed: readonly Row<'AiModel'>[],
  own: ReadonlyMap<string, OwnPrice>,
): AiModelRow[] {
  const known = new Set(listed.map(({ id }) => id));
  const others = [...own.values()].filter(({ modelId }) => !known.has(modelId)).map(ownModel);
  const models = listed.map((model): AiModelRow => {
    const price = own.get(model.id);
    return price === undefined
      ? { ...model, hasOwnPrices: false }
      : { ...model, prices: price.prices, isActive: true, updatedAt: price.validFrom, hasOwnPrices: true };
  });
  return [...models, ...others].sort(byId);
}

/** Returns true if a model passes the filter. */
export const isMatch = ({ provider, name, isActive }: AiModelRow, filter: ModelFilter): boolean =>
  (filter.provider ?? provider) === provider &&
  (filter.name ?? name) === name &&
  (filter.isActive ?? isActive) === isActive;
