import type { Context } from '../context.ts';
import type {
  CatalogRows,
  FeatureRow,
  PlanFeatureVersionRow,
  PlanPriceRow,
  PlanPriceVersionRow,
  PlanRow,
} from '../domain/pricing/catalog.ts';
import { columnList } from '../infra/bulk.ts';

/** Plans to read, by id, by the code of one that is not deleted, or by one of their prices; and features named by code, in those plans or not. */
export type CatalogNeeds = {
  readonly planIds: readonly string[];
  readonly planCodes: readonly string[];
  readonly priceIds: readonly string[];
  readonly featureCodes: readonly string[];
};

/** Reads the plans, their prices and features, and all versions of both, in five statements. */
export async function loadCatalogRows(ctx: Context, needs: CatalogNeeds): Promise<CatalogRows> {
  const plans = await ctx.sql<PlanRow>(
    `SELECT ${columnList('Plan', 't')} FROM "Plan" t WHERE t."environmentId" = $1 AND (t.id = ANY($2)
       OR (t.code = ANY($3) AND t."deletedAt" IS NULL)
       OR t.id IN (SELECT "planId" FROM "PlanPrice" WHERE "environmentId" = $1 AND id = ANY($4)))`,
    [needs.planIds, needs.planCodes, needs.priceIds],
  );
  const planIds = plans.map(({ id }) => id);
  const prices = await ctx.sql<PlanPriceRow>(
    `SELECT ${columnList('PlanPrice', 't')} FROM "PlanPrice" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );
  const priceVersions = await ctx.sql<PlanPriceVersionRow>(
    `SELECT ${columnList('PlanPriceVersion', 't')} FROM "PlanPriceVersion" t WHERE t."environmentId" = $1 AND t."priceId" = ANY($2)`,
    [prices.map(({ id }) => id)],
  );
  const planFeatureVersions = await ctx.sql<PlanFeatureVersionRow>(
    `SELECT ${columnList('PlanFeatureVersion', 't')} FROM "PlanFeatureVersion" t WHERE t."environmentId" = $1 AND t."planId" = ANY($2)`,
    [planIds],
  );
  const features = await ctx.sql<FeatureRow>(
    `SELECT ${columnList('Feature', 't')} FROM "Feature" t WHERE t."environmentId" = $1 AND (t.id = ANY($2) OR (t.code = ANY($3) AND t."deletedAt" IS NULL))`,
    [[...new Set(planFeatureVersions.map(({ featureId }) => featureId))], needs.featureCodes],
  );
  return { plans, features, prices, priceVersions, planFeatureVersions };
}
