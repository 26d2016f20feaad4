import type { Context } from '../../context.ts';
import { currentOverrides } from './overrides.ts';

/**
 * The currencies plans can be paid in wherever the payer is: USD, and by code those every selectable base price has an amount in.
 * Plans without such prices – free ones, and those that are being set up – are left out: no currency is wrong for them. Two statements.
 */
export async function currenciesOf(context: Context, planIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const prices = await context.db.planPrice.findMany({
    where: { planId: { in: [...planIds] }, archivedAt: null, inheritsFromPriceId: null },
  });
  const overrides = await currentOverrides(
    context,
    prices.map(({ id }) => id),
  );
  const currencies = Map.groupBy(
    overrides.filter(({ marketId }) => marketId === null),
    ({ priceId }) => priceId,
  );
  const codesOf = (priceId: string): Set<string> => new Set((currencies.get(priceId) ?? []).map(({ currency }) => currency));
  return new Map(
    [...Map.groupBy(prices, ({ planId }) => planId)].map(([planId, own]) => {
      const shared = own.map(({ id }) => codesOf(id)).reduce((left, right) => left.intersection(right));
      return [planId, ['usd', ...[...shared].toSorted()]];
    }),
  );
}
