import { type Action, actionsIn, joiningIn } from './arrange-year.ts';
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
  | { readonly kind: 'actions'; readonly actions: readonly Action[] }
  | { readonly kind: 'usage'; readonly usage: readonly ExampleUsage[] }
  | { readonly kind: 'clock'; readonly advanceDays: number };

/** Number of weeks by size. The test clock is advanced by one week at a time. */
const weeks: Readonly<Record<ExampleSize, number>> = { small: 13, full: 52 };

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

/** Returns the steps that record usage before the clock is advanced. */
function usageSteps(shop: Shop, move: number): Step[] {
  const usage = usageBefore(shop, move);
  return Array.from(
    { length: Math.ceil(usage.length / usageBatch) },
    (_batch, index): Step => ({
      kind: 'usage',
      usage: usage.slice(index * usageBatch, (index + 1) * usageBatch),
    }),
  );
}

const entering = (customers: readonly ShopCustomer[]): Step[] =>
  customers.map((customer): Step => ({ kind: 'customer', customer }));

const aWeek: Step = { kind: 'clock', advanceDays: 7 };

/** Returns the steps of three months: all customers join first, and use the product in every week. */
const quarterOf = (shop: Shop): Step[] => [
  ...entering(shop.customers),
  ...Array.from({ length: weeks.small }, (_none, week): Step[] => [...usageSteps(shop, week), aWeek]).flat(),
];

/** Returns the steps of a year: customers join, act, and leave in every week, and use the product in every second week. */
function yearOf(shop: Shop): Step[] {
  const joined: ShopCustomer[] = [];
  return Array.from({ length: weeks.full }, (_none, week): Step[] => {
    const joining = joiningIn(shop.customers, week);
    joined.push(...joining);
    const actions = actionsIn(shop.customers, week);
    const usage = week % 2 === 1 ? usageSteps({ ...shop, customers: [...joined] }, (week - 1) / 2) : [];
    return [
      ...entering(joining),
      ...(actions.length === 0 ? [] : [{ kind: 'actions', actions } as const]),
      ...usage,
      aWeek,
    ];
  }).flat();
}

/** Returns all steps of a run in order: the catalog, and the weeks with sign-ups, actions, usage, and clock advances. */
export function arrangeSteps(shop: Shop, size: ExampleSize): Step[] {
  return [{ kind: 'catalog', shop }, ...(size === 'small' ? quarterOf(smallShop(shop)) : yearOf(shop))];
}
