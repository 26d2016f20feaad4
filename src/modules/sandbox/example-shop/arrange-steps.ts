import { type Shop, type ShopCustomer, type ShopPlan, smallShop } from './read-shop.ts';

export type ExampleSize = 'small' | 'full';

/** Usage of a feature to record for a customer before the test clock is advanced. */
type ExampleUsage = {
  readonly externalId: string;
  readonly featureCode: string;
  readonly value: number;
};

/** Step of an example run. Executing a step repeatedly has the same effect as executing it once. */
export type Step =
  | { readonly kind: 'catalog'; readonly shop: Pick<Shop, 'features' | 'plans'> }
  | { readonly kind: 'customer'; readonly customer: ShopCustomer }
  | { readonly kind: 'usage'; readonly usage: readonly ExampleUsage[] }
  | { readonly kind: 'clock'; readonly advanceDays: number };

/**
 * Number of times that the test clock is advanced, and number of days per advance. The options are 3 months in steps of
 * 1 week, and 1 year in steps of 2 weeks.
 */
const moves: Readonly<Record<ExampleSize, { readonly count: number; readonly days: number }>> = {
  small: { count: 13, days: 7 },
  full: { count: 26, days: 14 },
};

/** Maximum number of usage events that one step records. */
const usageBatch = 100;

/** Included amount to assume for a feature with unlimited usage, in units. */
const unlimitedUnits = 300_000;

/**
 * Returns the percentage of the included amount that a customer uses before the clock is advanced. The percentage is
 * from 5 to 40, derived from the indexes of the customer and the advance.
 */
const share = (customer: number, move: number): number => 5 + ((customer * 37 + move * 11) % 36);

/**
 * Returns the usage that is recorded before the clock is advanced, for all customers whose plan has a usage feature. Usage stays below the
 * included amount.
 */
function usageBefore(shop: Shop, move: number): ExampleUsage[] {
  const metered = new Set(shop.features.filter(({ type }) => type === 'usage').map(({ code }) => code));
  const termsOf = new Map(
    shop.plans.map(({ plan, features }): [string, ShopPlan['features'][number] | undefined] => [
      plan.code,
      features.find(({ feature }) => metered.has(feature)),
    ]),
  );
  return shop.customers.flatMap(({ externalId, plan, card }, index) => {
    const terms = termsOf.get(plan);
    // Customers whose card is declined have no access to features.
    if (terms === undefined || card === 'declined') return [];
    const included = terms.includedAmount ?? unlimitedUnits;
    const value = Math.max(1, Math.floor((included * share(index, move)) / 100));
    return [{ externalId, featureCode: terms.feature, value }];
  });
}

/** Returns all steps of a run in order: the catalog, the customers, and the clock advances, each preceded by usage. */
export function arrangeSteps(whole: Shop, size: ExampleSize): Step[] {
  const shop = size === 'small' ? smallShop(whole) : whole;
  const { count, days } = moves[size];
  const time = Array.from({ length: count }, (_none, move): Step[] => {
    const usage = usageBefore(shop, move);
    const batches = Array.from(
      { length: Math.ceil(usage.length / usageBatch) },
      (_batch, index): Step => ({
        kind: 'usage',
        usage: usage.slice(index * usageBatch, (index + 1) * usageBatch),
      }),
    );
    return [...batches, { kind: 'clock', advanceDays: days }];
  });
  return [
    { kind: 'catalog', shop },
    ...shop.customers.map((customer): Step => ({ kind: 'customer', customer })),
    ...time.flat(),
  ];
}
