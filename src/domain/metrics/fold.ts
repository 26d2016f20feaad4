// Adding entries up: from the changes of subscriptions to customers' days and the sums of days (MET-71a). Pure: the projector stores what this
// works out, and a read adds what is not stored yet.
import type { MrrEntryRow, MrrReason } from '../subscription/state/recurring-rows.ts';
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

/** A customer as far as entries are added up. */
export type CustomerState = CustomerDay & {
  readonly customerId: string;
  /** The first day at whose end the customer paid, the day itself included. */
  readonly firstPaidDay: Day | null;
};

/** What is read of an entry to add it up. */
export type FoldedEntry = Pick<
  MrrEntryRow,
  'customerId' | 'subscriptionId' | 'reason' | 'before' | 'after' | 'occurredAt' | 'countedOn'
> & { readonly seq: bigint };

/** An entry that counts on a later day than it occurred on. */
export type LateEntry = { readonly seq: bigint; readonly countedOn: Day };

/** A movement of a customer, with the seq of the last entry of its day. */
export type CustomerMovement = Movement & {
  readonly customerId: string;
  readonly day: Day;
  readonly seq: bigint;
  readonly reason: MrrReason;
  readonly planIds: readonly string[];
};

/** A customer's day that was worked out again: its movements take the place of those it had. */
export type RewrittenDay = {
  readonly customerId: string;
  readonly day: Day;
  readonly movements: readonly CustomerMovement[];
};

/** One row of sums to add to. */
export type RollupChange = MrrRollupKey & MrrSums & { readonly id: string };

/** What entries lead to. */
export type Folded = {
  readonly customers: ReadonlyMap<string, CustomerState>;
  readonly rollups: readonly RollupChange[];
  readonly days: readonly RewrittenDay[];
};

/** All a row of sums is grouped by, as text. */
export const rollupId = ({
  scope,
  span,
  day,
  currency,
  kind,
  reason,
  groupKey,
  otherKey,
}: MrrRollupKey): string => [scope, span, day, currency, kind, reason, groupKey, otherKey].join('/');

/**
 * The day an entry is added to: its own, or the one that was reached, if that is later. Where it was late once, it stays on that day: adding up again
 * comes to the same, although the clock closes no months then.
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

/** The reasons of a day after an entry: what moves nothing gives one only where there is none. */
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

/** A customer on a day, after an entry of that day. */
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

/** A row of sums that is being added to. */
type OpenRow = MrrRollupKey & { -readonly [N in keyof MrrSums]: MrrSums[N] } & { readonly id: string };

/** Sums by row, added up as they come. */
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

  /** The rows of days, and of the months they are in. */
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
 * Adds entries to customers as they stand, in order of seq. `reached` is the day that entries have come to: no entry counts on an earlier one. An
 * entry of a day that was added up before has that day worked out again.
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
    // What the day added before, if it was added up before.
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
