import { pathOf } from '../../domain/limits/admission.ts';
import type { LimitRow } from '../../domain/limits/limit.ts';
import type { UsageCounterRow } from '../../domain/rows/usage-rows.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import { orRaise } from '../../platform/db/raised-errors.ts';
import type { LimitRows } from './limit-rows.ts';
import { requestedBudgets } from './load-limits.ts';

// Limits, budgets, gauges, and raises of a customer that batches keep between them. Each change to limits, budgets, and raises changes
// the environment's `limitVersion`, which is verified with the catalog. Gauges and counters have separate versions.

/** Rows of limits of one customer. Immutable. */
export type CachedLimits = {
  readonly rows: LimitRows;
  /** Customer and budgets whose gauges and raises are known. */
  readonly nodes: ReadonlySet<string>;
  /** Whether `rows` contain all counters of the subscription, because a limit is calculated from them. */
  readonly hasCounters: boolean;
};

/** Rows of limits that the requests of a batch need, and their versions. */
export type SelectedLimits = {
  readonly rows: LimitRows;
  readonly nodes: readonly string[];
  /** Subscriptions all of whose counters the rows contain. */
  readonly subscriptionIds: readonly string[];
};

/** Maximum number of remembered nodes of a customer. */
const mostNodes = 200;

/** Returns the nodes of a customer's requests. `null` if the gauges of a node aren't known. */
function nodesOf(
  { rows, nodes }: CachedLimits,
  customerId: string,
  requests: readonly Pick<UsageRequest, 'budget' | 'heldPath'>[],
): readonly string[] | null {
  const byId = new Map(rows.budgets.map((row) => [row.id, row]));
  const found = new Set([customerId]);
  for (const name of requests.flatMap(requestedBudgets)) {
    const budget = rows.budgets.find(({ key }) => key === name);
    if (budget === undefined) return null;
    for (const { id } of pathOf(customerId, budget, byId)) found.add(id);
  }
  return [...found].every((id) => nodes.has(id)) ? [...found] : null;
}

/** Customer of a batch, with the requests for it. */
type Limited = {
  readonly limits: CachedLimits | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly requests: readonly Pick<UsageRequest, 'budget' | 'heldPath'>[];
};

/** Returns the rows of limits that the requests need. `null` if a row isn't cached. */
export function selectedLimits(customers: readonly Limited[]): SelectedLimits | null {
  const all: LimitRows[] = [];
  const selected: string[] = [];
  const subscriptionIds: string[] = [];
  for (const { limits, customerId, subscriptionId, requests } of customers) {
    const nodes = limits === null ? null : nodesOf(limits, customerId, requests);
    if (limits === null || nodes === null) return null;
    all.push(limits.rows);
    selected.push(...nodes);
    if (limits.hasCounters) subscriptionIds.push(subscriptionId);
  }
  const rows = {
    customers: all.flatMap((one) => one.customers),
    limits: all.flatMap((one) => one.limits),
    budgets: all.flatMap((one) => one.budgets),
    states: all.flatMap((one) => one.states),
    raises: all.flatMap((one) => one.raises),
    counters: all.flatMap((one) => one.counters),
  };
  return { rows, nodes: selected, subscriptionIds };
}

/** Returns the rows by ID. Later rows replace earlier rows. */
const replaced = <T extends { readonly id: string }>(...rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** Returns a function that returns the rows with a key. */
function grouped<T, K>(rows: Iterable<T>, keyOf: (row: T) => K): (key: K) => readonly T[] {
  const groups = Map.groupBy(rows, keyOf);
  return (key) => groups.get(key) ?? [];
}

const customerOf = ({ customerId }: { readonly customerId: string | null }): string | null => customerId;

/** Customer whose rows are cached. */
type Cached = { readonly id: string; readonly subscriptionId: string; readonly limits: CachedLimits | null };

/** Returns a function that returns the rows that a batch has read for a customer, with the nodes that are already known. */
export function limitsRead(
  read: LimitRows,
  templates: readonly LimitRow[],
): (customer: Cached) => CachedLimits {
  const [limitsOf, budgetsOf, statesOf, raisesOf] = [
    grouped(read.limits, customerOf),
    grouped(read.budgets, customerOf),
    grouped(read.states, customerOf),
    grouped(read.raises, customerOf),
  ];
  const customersOf = grouped(read.customers, (row) => row.id);
  const countersOf = grouped(read.counters, (row) => row.subscriptionId);
  const hasCounters = [...templates, ...read.limits].some(({ measure }) => measure === 'spend');
  return ({ id, subscriptionId, limits: known }) => {
    const budgets = budgetsOf(id);
    const nodes = new Set([id, ...budgets.map((budget) => budget.id)]);
    const remembered = known !== null && known.nodes.size + nodes.size <= mostNodes ? known : null;
    const { budgets: others, states, raises } = remembered?.rows ?? { budgets: [], states: [], raises: [] };
    return {
      rows: {
        customers: customersOf(id),
        limits: limitsOf(id),
        budgets: replaced(...others, ...budgets),
        states: [...states.filter((row) => !nodes.has(row.id)), ...statesOf(id)],
        raises: [...raises.filter(({ nodeId }) => !nodes.has(nodeId)), ...raisesOf(id)],
        counters: countersOf(subscriptionId),
      },
      nodes: new Set([...(remembered?.nodes ?? []), ...nodes]),
      hasCounters,
    };
  };
}

/**
 * Returns a function that returns the rows of a customer after a batch that is written by the transaction with the ID `stamp`. `null`
 * if rows must be read again, because the database assigns the `seq` of a new counter. `counters` are the customer's changed counters.
 */
export function limitsAfter(
  { limits: changes }: UsageBook,
  stamp: string,
): (customer: Cached, counters: readonly UsageCounterRow[]) => CachedLimits | null {
  const statesOf = grouped(changes?.rows.states.values() ?? [], customerOf);
  const createdOf = grouped(changes?.rows.newBudgets.created ?? [], customerOf);
  return ({ id, limits }, counters) => {
    if (limits === null) return null;
    const { rows, nodes, hasCounters } = limits;
    const stored = counters.flatMap((row) => (row.seq === null ? [] : [{ ...row, seq: row.seq, stamp }]));
    if (hasCounters && stored.length < counters.length) return null;
    const created = createdOf(id);
    return {
      rows: {
        ...rows,
        budgets: replaced(...rows.budgets, ...created),
        states: replaced(...rows.states, ...statesOf(id).map((row) => ({ ...row, stamp }))),
        counters: hasCounters ? replaced(...rows.counters, ...stored) : rows.counters,
      },
      nodes: created.length === 0 ? nodes : new Set([...nodes, ...created.map((budget) => budget.id)]),
      hasCounters,
    };
  };
}

/** Returns the versions of all counters of a subscription, in the form of the statement. */
const stampOf = (counters: LimitRows['counters']): string =>
  counters
    .map((row) => `${row.id} ${row.stamp}`)
    .sort()
    .join();

const holds = `(SELECT count(*) FROM unnest($2::text[], $3::text[]) AS k(id, stamp)
      LEFT JOIN LATERAL (SELECT xmin AS stamp FROM "LimitState" WHERE "environmentId" = $1 AND id = k.id OFFSET 0) t ON TRUE
      WHERE coalesce(t.stamp::text, '') = k.stamp) = $4
    AND (SELECT count(*) FROM unnest($5::text[], $6::text[]) AS k(id, stamp) CROSS JOIN LATERAL (
        SELECT coalesce(string_agg(id || ' ' || xmin::text, ',' ORDER BY id COLLATE "C"), '') AS stamp FROM "UsageCounter"
        WHERE "environmentId" = $1 AND "subscriptionId" = k.id OFFSET 0) t WHERE t.stamp = k.stamp) = $7`;
const verification = `SELECT ${orRaise(holds, 'staleSnapshot')} AS holds`;

/** Returns the statement that raises `staleSnapshot` if a gauge or a counter has changed. */
export function limitsPart({ rows, nodes, subscriptionIds }: SelectedLimits): WritePart {
  const stamps = new Map(rows.states.map(({ id, stamp }) => [id, stamp]));
  const countersOf = grouped(rows.counters, ({ subscriptionId }) => subscriptionId);
  return {
    text: verification,
    params: [
      textArray(nodes),
      textArray(nodes.map((id) => stamps.get(id) ?? '')),
      nodes.length,
      textArray(subscriptionIds),
      textArray(subscriptionIds.map((id) => stampOf(countersOf(id)))),
      subscriptionIds.length,
    ],
  };
}
