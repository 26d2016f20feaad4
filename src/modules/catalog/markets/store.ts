import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import type { Row } from '../../../platform/db/rows.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { resource } from '../../../request/resource.ts';

export type MarketRow = Row<'Market'>;

/** Parameters for a market. Missing metadata is stored as an empty object. */
export type MarketInput = {
  readonly name: string;
  readonly countryCodes: readonly string[];
  readonly metadata?: Record<string, unknown> | null | undefined;
};

const countryTaken = (): QuittanceError =>
  specificError('duplicate', 'market_country', { param: 'countryCodes' });

/**
 * Markets. Setting a price for a market requires a shared lock on the market, which prevents prices for deleted markets. A country belongs to
 * at most one market (CAT-29).
 */
export const marketRows = resource('Market', {
  prefix: 'pmg',
  object: 'market',
  notFound: (param) => new QuittanceError('market_not_found', { param }),
  conflict: countryTaken,
  defaults: { metadata: {} },
});

/** Throws `validation_error` if a country is repeated. */
export function rejectRepeated(codes: readonly string[]): void {
  const problems = codes.flatMap((code, index) =>
    codes.indexOf(code) === index
      ? []
      : [
          {
            field: `countryCodes.${index}`,
            message: `${code} is listed more than once. List each country only once.`,
          },
        ],
  );
  if (problems.length > 0) throw validationError(problems);
}

/** Replaces the countries of a market. Throws `duplicate` if another market has one of the countries (CAT-29). */
export async function setCountries(ctx: Context, marketId: string, codes: readonly string[]): Promise<void> {
  await ctx.db.marketCountry.deleteMany({ where: { marketId } });
  const taken = await ctx.db.marketCountry.findFirst({ where: { countryCode: { in: [...codes] } } });
  if (taken !== null) throw countryTaken();
  await ctx.db.marketCountry.createMany({
    data: codes.map((countryCode, position) => ({ id: newId('mkc'), marketId, countryCode, position })),
  });
}

/** Throws `market_in_use` if a selectable price, a rate of a feature, add-on, or rate card, or a subscription that isn't canceled uses the market (CAT-30). */
async function rejectUsed(ctx: Context, marketId: string): Promise<void> {
  const price = await ctx.db.planPriceOverride.findFirst({
    where: { marketId, validTo: null, price: { archivedAt: null } },
  });
  if (price !== null) throw specificError('market_in_use', 'price', { param: 'id' });
  const overridden = await ctx.sql<{ readonly id: string }>(
    `SELECT id FROM "PlanFeature" WHERE "environmentId" = $1 AND overrides @> $2::jsonb
     UNION ALL SELECT id FROM "Addon" WHERE "environmentId" = $1 AND overrides @> $2::jsonb AND "deletedAt" IS NULL
     UNION ALL SELECT id FROM "RateCard" WHERE "environmentId" = $1 AND overrides @> $2::jsonb AND "deletedAt" IS NULL LIMIT 1`,
    [JSON.stringify([{ marketId }])],
  );
  if (overridden.length > 0) throw specificError('market_in_use', 'rate', { param: 'id' });
  const subscription = await ctx.db.subscription.findFirst({
    where: { marketId, status: { not: 'canceled' } },
  });
  if (subscription !== null) throw specificError('market_in_use', 'subscription', { param: 'id' });
}

/** Makes the countries of a deleted market available for other markets. Throws `market_in_use` (CAT-30). */
export async function releaseCountries(ctx: Context, marketId: string): Promise<void> {
  await rejectUsed(ctx, marketId);
  await ctx.db.marketCountry.deleteMany({ where: { marketId } });
}

export const countriesOf = (ctx: Context, marketId: string) =>
  ctx.db.marketCountry.findMany({ where: { marketId }, orderBy: { position: 'asc' } });
