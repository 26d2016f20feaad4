import type { CatalogPlansQueryVariables } from './page.graphql';

type Filter = NonNullable<CatalogPlansQueryVariables['filter']>;

/** Selected plan filters. An empty string means no filter. */
export type PlanChoice = Readonly<Record<'model' | 'sale' | 'visibility' | 'market', string>>;

export const everyPlan: PlanChoice = { model: '', sale: '', visibility: '', market: '' };

export const models = ['metered', 'credits', 'balance'] as const;

/** Converts the selected filters to API input. `null` if no filter is selected. */
export function filterOf({ model, sale, visibility, market }: PlanChoice): Filter | null {
  const chosen = models.find((each) => each === model);
  const filter: Filter = {
    ...(chosen !== undefined && { consumptionModels: [chosen] }),
    ...(sale !== '' && { isOnSale: sale === 'yes' }),
    ...(visibility !== '' && { isPublic: visibility === 'public' }),
    ...(market !== '' && { marketIds: [market] }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}
