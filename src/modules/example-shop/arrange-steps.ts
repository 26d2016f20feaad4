import { type Shop, type ShopCustomer, type ShopPlan, smallShop } from './read-shop.ts';

/** How much of the shop is created. */
export type ExampleSize = 'small' | 'full';

/** What one customer used in the days before a move of the clock: an amount of the plan's usage feature. */
export type ExampleUsage = {
  readonly externalId: string;
  readonly featureCode: string;
  readonly value: number;
};

/** A step of a run. Taken again it changes nothing more. */
export type Step =
  | { readonly kind: 'catalog'; readonly shop: Pick<Shop, 'features' | 'plans'> }
  | { readonly kind: 'customer'; readonly customer: ShopCustomer }
  | { readonly kind: 'usage'; readonly usage: readonly ExampleUsage[] }
  | { readonly kind: 'clock'; readonly advanceDays: number };

/** How often the clock is moved, and by how many days: three months by the week, a year by two weeks. */
const moves: Readonly<Record<ExampleSize, { readonly count: number; readonly days: number }>> = {
  small: { count: 13, days: 7 },
  full: { count: 26, days: 14 },
};

/** Events of usage in one step at most. */
const usageBatch = 100;

/** Units of an unlimited feature from which amounts are taken. */
const unlimitedUnits = 300_000;

/** The part of what a month includes that a customer uses between two moves, in hundredths: 5 to 40, by its place and that of the move. */
const share = (customer: number, move: number): number => 5 + ((customer * 37 + move * 11) % 36);

/** What the customers of plans with a usage feature use before a move of the clock. Free plans stay within what they include. */
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
    // Who never paid has nothing to use.
    if (terms === undefined || card === 'declined') return [];
    const included = terms.includedAmount ?? unlimitedUnits;
    const value = Math.max(1, Math.floor((included * share(index, move)) / 100));
    return [{ externalId, featureCode: terms.feature, value }];
  });
}

/** All steps of a run, in order: the shop, its sales, and a stretch of time in which its customers use what they bought. */
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
