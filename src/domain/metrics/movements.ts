// Movements of a customer's revenue on one day in each currency, and transfers between groups (MET-10 to
// MET-14).
import { minOf } from '../money/money.ts';
import type { MrrReason, MrrState } from '../rows/recurring-rows.ts';
import type { Day, SumSpan } from './range.ts';
import { componentNames, type MrrComponents, mrrOf } from './recurring.ts';

const mrrKinds = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;
export type MrrKind = (typeof mrrKinds)[number];

/** Types of revenue movements, including transfers between groups. */
export const movementKinds = [...mrrKinds, 'transfer_in', 'transfer_out'] as const;
export type MrrMovementKind = (typeof movementKinds)[number];

/** Grouping dimensions of revenue, in the order of the group key. */
export const dimensions = ['plan', 'interval', 'country', 'provider'] as const;
export type Dimension = (typeof dimensions)[number];

/**
 * Scopes of the stored sums. `currency` contains all revenue in a currency. The other scopes split this revenue by
 * plan, interval, country, provider, or all four dimensions (`group`).
 */
export const mrrScopes = ['currency', ...dimensions, 'group'] as const;
export type MrrScope = (typeof mrrScopes)[number];

/** MRR by subscription ID. Excludes subscriptions without MRR. */
export type MrrStates = { readonly [subscriptionId: string]: MrrState };

/** Reason for the latest MRR change, by currency. */
export type MrrReasons = { readonly [currency: string]: MrrReason };

/** Returns the type of a revenue change in one currency. `null` if the revenue didn't change (MET-10). */
export function kindOf(before: bigint, after: bigint, hasPaidBefore: boolean): MrrKind | null {
  if (before === after) return null;
  if (before === 0n) return hasPaidBefore ? 'reactivation' : 'new';
  if (after === 0n) return 'churn';
  return after > before ? 'expansion' : 'contraction';
}

/** Returns the group key of a state: plan, interval, country, and provider. */
export const groupOf = ({ planId, interval, country, provider }: MrrState): string =>
  [planId, interval ?? '', country ?? '', provider ?? ''].join('|');

/** Returns the value of one dimension of a group key. */
export const partOf = (group: string, dimension: Dimension): string =>
  group.split('|')[dimensions.indexOf(dimension)] ?? '';

/** Functions that return the group key of a state, by scope. */
export const scopeKeys: { readonly [S in MrrScope]: (state: MrrState) => string } = {
  currency: () => '',
  plan: ({ planId }) => planId,
  interval: ({ interval }) => interval ?? '',
  country: ({ country }) => country ?? '',
  provider: ({ provider }) => provider ?? '',
  group: groupOf,
};

/** Revenue that moved from one group to another. */
export type Transfer = { readonly from: string; readonly to: string; readonly amount: bigint };

/**
 * Matches groups that lost revenue with groups that gained revenue, both sorted by name. The remaining amounts all have
 * the same sign (MET-14).
 */
export function distribute(changes: ReadonlyMap<string, bigint>): {
  readonly transfers: readonly Transfer[];
  readonly rest: ReadonlyMap<string, bigint>;
} {
  const groups = [...changes.keys()].sort();
  const rest = new Map(changes);
  const transfers: Transfer[] = [];
  for (const from of groups) {
    for (const to of groups) {
      const [fell, rose] = [-(rest.get(from) ?? 0n), rest.get(to) ?? 0n];
      if (fell <= 0n || rose <= 0n) continue;
      const amount = minOf(fell, rose);
      transfers.push({ from, to, amount });
      rest.set(from, amount - fell);
      rest.set(to, rose - amount);
    }
  }
  return { transfers, rest };
}

/**
 * Sums in ten-thousandths of the currency unit (10,000 = 1.00). `customers` and `paying` are numbers of
 * customers.
 */
export type MrrSums = MrrComponents & {
  readonly amount: bigint;
  readonly customers: bigint;
  readonly atRisk: bigint;
  readonly paying: bigint;
};

/**
 * Identifies a row of sums. Rows of type `level` contain changes in the revenue level, and all other rows contain the
 * amounts of revenue movements.
 */
export type MrrRollupKey = {
  readonly scope: MrrScope;
  readonly span: SumSpan;
  /** UTC day of the sums, or first day of their month. */
  readonly day: Day;
  readonly currency: string;
  readonly kind: MrrMovementKind | 'level';
  readonly reason: string;
  readonly groupKey: string;
  /** Other group of a transfer. Empty if the movement isn't a transfer. */
  readonly otherKey: string;
};

/** Amounts that one day contributes to a row of sums. */
export type Contribution = { readonly key: MrrRollupKey; readonly sums: MrrSums };

export const noSums: MrrSums = {
  amount: 0n,
  customers: 0n,
  base: 0n,
  discount: 0n,
  seats: 0n,
  quota: 0n,
  addons: 0n,
  atRisk: 0n,
  paying: 0n,
};

export const sumNames = Object.keys(noSums) as readonly (keyof MrrSums)[];

/** Returns `a + times × b` for each amount. */
export const plus = (a: MrrSums, b: MrrSums, times = 1n): MrrSums =>
  // A loop would be too slow, because a daily series adds up tens of thousands of rows.
  ({
    amount: a.amount + times * b.amount,
    customers: a.customers + times * b.customers,
    base: a.base + times * b.base,
    discount: a.discount + times * b.discount,
    seats: a.seats + times * b.seats,
    quota: a.quota + times * b.quota,
    addons: a.addons + times * b.addons,
    atRisk: a.atRisk + times * b.atRisk,
    paying: a.paying + times * b.paying,
  });

export const isNothing = (sums: MrrSums): boolean => sumNames.every((name) => sums[name] === 0n);

/** Movement of a customer's revenue in one currency on one day. */
export type Movement = {
  readonly currency: string;
  readonly kind: MrrMovementKind;
  readonly before: bigint;
  readonly after: bigint;
};

/**
 * Revenue of a customer at the start of a day and now. `paidBefore` is the first earlier day that ended with revenue
 * from the customer, or `null` if there is no such day.
 */
export type CustomerDay = {
  readonly day: Day;
  readonly opening: MrrStates;
  readonly current: MrrStates;
  readonly reasons: MrrReasons;
  readonly paidBefore: Day | null;
};

const levelOf = (states: readonly MrrState[]): MrrSums => {
  let level = noSums;
  for (const state of states) {
    const components = Object.fromEntries(componentNames.map((name) => [name, BigInt(state[name])]));
    const atRisk = state.isPastDue ? mrrOf(state) : 0n;
    level = plus(level, { ...noSums, ...components, amount: mrrOf(state), atRisk });
  }
  return { ...level, paying: level.amount > 0n ? 1n : 0n };
};

const inCurrency = (states: MrrStates, currency: string): MrrState[] =>
  Object.values(states).filter((state) => state.currency === currency);

/** Returns the difference between two MRR levels. */
const change = (before: readonly MrrState[], after: readonly MrrState[]): MrrSums =>
  plus(levelOf(after), levelOf(before), -1n);

const currenciesOf = ({ opening, current }: CustomerDay): string[] =>
  [...new Set([...Object.values(opening), ...Object.values(current)].map(({ currency }) => currency))].sort();

/**
 * Returns a customer's movements on one day, one for each currency with a revenue change. If revenue only moved between
 * groups, the movement is a transfer.
 */
export function movementsOf(day: CustomerDay): Movement[] {
  return currenciesOf(day).flatMap((currency): Movement[] => {
    const [opening, current] = [inCurrency(day.opening, currency), inCurrency(day.current, currency)];
    const [before, after] = [levelOf(opening).amount, levelOf(current).amount];
    const kind = kindOf(before, after, day.paidBefore !== null);
    if (kind !== null) return [{ currency, kind, before, after }];
    const hasTransfers = distribute(changesByKey(groupOf, opening, current)).transfers.length > 0;
    return hasTransfers ? [{ currency, kind: 'transfer_in', before, after }] : [];
  });
}

type KeyOf = (state: MrrState) => string;

function changesByKey(
  keyOf: KeyOf,
  opening: readonly MrrState[],
  current: readonly MrrState[],
): Map<string, bigint> {
  const changes = new Map<string, bigint>();
  const add = (state: MrrState, times: bigint): void => {
    const key = keyOf(state);
    changes.set(key, (changes.get(key) ?? 0n) + times * mrrOf(state));
  };
  for (const state of opening) add(state, -1n);
  for (const state of current) add(state, 1n);
  return changes;
}

/** A customer's revenue on one day in one currency. */
type CurrencyDay = {
  readonly day: Day;
  readonly currency: string;
  readonly opening: readonly MrrState[];
  readonly current: readonly MrrState[];
  readonly kind: MrrKind | null;
  readonly reason: string;
  readonly changed: MrrSums;
};

function inScope(
  scope: MrrScope,
  { opening, current, kind, reason, changed, ...of }: CurrencyDay,
): Contribution[] {
  const keyOf = scopeKeys[scope];
  const key = { ...of, scope, span: 'day', otherKey: '' } as const;
  const moved = (amount: bigint): MrrSums => ({ ...noSums, amount, customers: 1n });
  const keys = [...new Set([...opening, ...current].map(keyOf))];
  const levels = keys.map((groupKey): Contribution => {
    const own = (states: readonly MrrState[]) => states.filter((state) => keyOf(state) === groupKey);
    const sums = keys.length === 1 ? changed : change(own(opening), own(current));
    return { key: { ...key, kind: 'level', reason: '', groupKey }, sums };
  });
  const { transfers, rest } = distribute(changesByKey(keyOf, opening, current));
  const transferred = transfers.flatMap(({ from, to, amount }): Contribution[] => [
    {
      key: { ...key, kind: 'transfer_out', reason, groupKey: from, otherKey: to },
      sums: moved(-amount),
    },
    { key: { ...key, kind: 'transfer_in', reason, groupKey: to, otherKey: from }, sums: moved(amount) },
  ]);
  if (kind === null) return [...levels, ...transferred];
  const remaining = [...rest].filter(([, amount]) => amount !== 0n);
  return [
    ...levels,
    ...transferred,
    ...remaining.map(
      ([groupKey, amount]): Contribution => ({
        key: { ...key, kind, reason, groupKey },
        sums: moved(amount),
      }),
    ),
  ];
}

function inOneCurrency(day: CustomerDay, currency: string): Contribution[] {
  const [opening, current] = [inCurrency(day.opening, currency), inCurrency(day.current, currency)];
  const [before, after] = [levelOf(opening).amount, levelOf(current).amount];
  const kind = kindOf(before, after, day.paidBefore !== null);
  const own = {
    day: day.day,
    currency,
    opening,
    current,
    kind,
    reason: day.reasons[currency] ?? '',
    changed: change(opening, current),
  };
  return mrrScopes.flatMap((scope) => inScope(scope, own));
}

/**
 * Returns the amounts that a customer's revenue on a day adds to that day's sums. Empty if nothing changed.
 */
export const contributionsOf = (day: CustomerDay): Contribution[] =>
  currenciesOf(day)
    .flatMap((currency) => inOneCurrency(day, currency))
    .filter(({ sums }) => !isNothing(sums));
