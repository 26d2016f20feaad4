// Aggregates the revenue entries of subscriptions into daily revenue per customer and daily sums (MET-71a). Writes
// nothing: the worker stores the results, and queries include entries that aren't aggregated yet.
import type { MrrEntryRow, MrrReason } from '../rows/recurring-rows.ts';
import {
  type Contribution,
  type CustomerDay,
  contributionsOf,
  groupOf,
  isNothing,
  type Movement,
  type MrrReasons,
  type MrrRollupKey,
  type MrrStates,
  type MrrSums,
  movementsOf,
  noSums,
  plus,
  sumNames,
} from './movements.ts';
import { type Day, dayOf, intervalStart } from './range.ts';
import { mrrOf } from './recurring.ts';

/** Progress of aggregating a customer's MRR entries. */
export type CustomerState = CustomerDay & {
  readonly customerId: string;
  /** First day that ended with revenue from the customer. Can be the current day. */
  readonly firstPaidDay: Day | null;
};

/** Fields of an MRR entry that the aggregation reads. */
export type FoldedEntry = Pick<
  MrrEntryRow,
  'customerId' | 'subscriptionId' | 'reason' | 'before' | 'after' | 'occurredAt' | 'countedOn'
> & { readonly seq: bigint };

/** Entry that counts toward a later day than the day it was recorded. */
export type LateEntry = { readonly seq: bigint; readonly countedOn: Day };

/** Movement of a customer's revenue on a day, with the `seq` of the day's last entry. */
type CustomerMovement = Movement & {
  readonly customerId: string;
  readonly day: Day;
  readonly seq: bigint;
  readonly reason: MrrReason;
  readonly planIds: readonly string[];
};

/** Recalculated day of a customer. Its movements replace the stored movements. */
export type RewrittenDay = {
  readonly customerId: string;
  readonly day: Day;
  readonly movements: readonly CustomerMovement[];
};

/** Amounts to add to one stored row of MRR sums. */
export type RollupChange = MrrRollupKey & MrrSums & { readonly id: string };

export type Folded = {
  readonly customers: ReadonlyMap<string, CustomerState>;
  readonly rollups: readonly RollupChange[];
  readonly days: readonly RewrittenDay[];
};

/** Returns the ID of the row of sums with the given key. */
const rollupId = ({ scope, span, day, currency, kind, reason, groupKey, otherKey }: MrrRollupKey): string =>
  [scope, span, day, currency, kind, reason, groupKey, otherKey].join('/');

/**
 * Returns the day that an entry counts toward: its own day, or the last aggregated day if that is later. The
 * day of a late entry is stored, so that repeating the aggregation returns the same result.
 */
export const dayReached = (
  reached: Day | null,
  { occurredAt, countedOn }: Pick<FoldedEntry, 'occurredAt' | 'countedOn'>,
): Day => {
  const own = countedOn ?? dayOf(occurredAt);
  return reached !== null && reached > own ? reached : own;
};

const without = (states: MrrStates, subscriptionId: string): MrrStates =>
  Object.fromEntries(Object.entries(states).filter(([id]) => id !== subscriptionId));

/**
 * Returns the reasons for a day's revenue changes, by currency, after applying an entry. An entry that
 * doesn't change the revenue sets the reason only if no reason is set yet.
 */
function reasonsAfter(state: CustomerState, { subscriptionId, after, reason }: FoldedEntry): MrrReasons {
  const before = state.current[subscriptionId] ?? null;
  const currencies = new Set([before?.currency, after?.currency].filter((code) => code !== undefined));
  const isMoved =
    mrrOf(before) !== mrrOf(after) ||
    (before !== null && after !== null && groupOf(before) !== groupOf(after)) ||
    currencies.size > 1;
  const changed = [...currencies].map((currency): [string, MrrReason] => [
    currency,
    isMoved ? reason : (state.reasons[currency] ?? reason),
  ]);
  return { ...state.reasons, ...Object.fromEntries(changed) };
}

const paysIn = (states: MrrStates): boolean => Object.values(states).some((state) => mrrOf(state) > 0n);

/** Returns the customer's state after applying a day's entry. */
function advance(state: CustomerState, day: Day, entry: FoldedEntry): CustomerState {
  const begun: CustomerState =
    day > state.day
      ? { ...state, day, opening: state.current, reasons: {}, paidBefore: state.firstPaidDay }
      : state;
  const { subscriptionId, after } = entry;
  const others = without(begun.current, subscriptionId);
  const current = after === null ? others : { ...others, [subscriptionId]: after };
  return {
    ...begun,
    current,
    reasons: reasonsAfter(begun, entry),
    firstPaidDay: begun.paidBefore ?? (paysIn(current) ? begun.day : null),
  };
}

const emptyState = (customerId: string, day: Day): CustomerState => ({
  customerId,
  day,
  opening: {},
  current: {},
  reasons: {},
  paidBefore: null,
  firstPaidDay: null,
});

function plansOf({ opening, current }: CustomerState, currency: string): string[] {
  const states = [...Object.entries(opening), ...Object.entries(current)];
  const changed = states.filter(([id, state]) => state.currency === currency && opening[id] !== current[id]);
  return [...new Set(changed.map(([, { planId }]) => planId))].sort();
}

/** Mutable row of MRR sums. */
type OpenRow = MrrRollupKey & { -readonly [N in keyof MrrSums]: MrrSums[N] } & { readonly id: string };

class Rollups {
  readonly #rows = new Map<string, OpenRow>();

  #add(key: MrrRollupKey, sums: MrrSums, times: bigint): void {
    const id = rollupId(key);
    const row = this.#rows.get(id);
    if (row === undefined) this.#rows.set(id, { ...key, ...plus(noSums, sums, times), id });
    else for (const name of sumNames) row[name] += times * sums[name];
  }

  add(contributions: readonly Contribution[], times: bigint): void {
    for (const { key, sums } of contributions) this.#add(key, sums, times);
  }

  /** Returns the rows for all days, and the rows for the months of these days. */
  get rows(): RollupChange[] {
    const months = new Rollups();
    for (const row of this.#rows.values()) {
      const { scope, currency, kind, reason, groupKey, otherKey } = row;
      const day = intervalStart(row.day, 'month');
      months.#add({ scope, span: 'month', day, currency, kind, reason, groupKey, otherKey }, row, 1n);
    }
    return [...this.#rows.values(), ...months.#rows.values()]
      .filter((row) => !isNothing(row))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/**
 * Applies entries to the states of customers in order of `seq`. `reached` is the last aggregated day; no entry counts
 * toward an earlier day. An entry for an already aggregated day recalculates that day.
 */
export function foldEntries(
  customers: ReadonlyMap<string, CustomerState>,
  entries: readonly FoldedEntry[],
  reached: Day | null,
): Folded & { readonly day: Day | null; readonly late: readonly LateEntry[] } {
  const states = new Map(customers);
  const rollups = new Rollups();
  const days = new Map<string, { state: CustomerState; seq: bigint }>();
  const late: LateEntry[] = [];
  let day = reached;
  for (const entry of entries) {
    day = dayReached(day, entry);
    const { customerId, seq } = entry;
    if (day !== (entry.countedOn ?? dayOf(entry.occurredAt))) late.push({ seq, countedOn: day });
    const state = states.get(customerId) ?? emptyState(customerId, day);
    const key = `${customerId}/${day}`;
    // The day was already aggregated, so subtract its previous contribution.
    if (!days.has(key) && state.day === day) rollups.add(contributionsOf(state), -1n);
    const next = advance(state, day, entry);
    states.set(customerId, next);
    days.set(key, { state: next, seq });
  }
  for (const { state } of days.values()) rollups.add(contributionsOf(state), 1n);
  return { customers: states, rollups: rollups.rows, days: [...days.values()].map(rewritten), day, late };
}

function rewritten({ state, seq }: { readonly state: CustomerState; readonly seq: bigint }): RewrittenDay {
  const { customerId, day, reasons } = state;
  const movements = movementsOf(state).map(
    (movement): CustomerMovement => ({
      ...movement,
      customerId,
      day,
      seq,
      reason: reasons[movement.currency] ?? 'plan_changed',
      planIds: plansOf(state, movement.currency),
    }),
  );
  return { customerId, day, movements };
}
