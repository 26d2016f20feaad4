import type { CatalogPlansQueryVariables } from './page.graphql';

type Filter = NonNullable<CatalogPlansQueryVariables['filter']>;

/** What is chosen above the plans; an empty text for everything. */
export type PlanChoice = Readonly<Record<'model' | 'sale' | 'visibility' | 'market', string>>;

export const everyPlan: PlanChoice = { model: '', sale: '', visibility: '', market: '' };

export const models = ['metered', 'credits', 'balance'] as const;

/** The choice as the service filters by it; null for everything. */
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
