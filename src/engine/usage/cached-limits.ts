import type { BudgetRow, LimitRow, LimitStateRow } from '../../domain/limits/limit.ts';
import type { UsageBook } from '../../domain/usage/book.ts';
import type { UsageRequest } from '../../domain/usage/record.ts';
import type { WritePart } from '../../platform/db/bulk.ts';
import { textArray } from '../../platform/db/column-arrays.ts';
import { orRaise } from '../../platform/db/raised-errors.ts';
import type { LimitRows } from './limit-rows.ts';

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

const noRows: LimitRows = { customers: [], limits: [], budgets: [], states: [], raises: [], counters: [] };

/** Returns the budget with a key and its parents. `null` if the budget isn't known. */
function pathOf(budgets: readonly BudgetRow[], key: string): readonly string[] | null {
  let budget = budgets.find((row) => row.key === key);
  if (budget === undefined) return null;
  const path: string[] = [];
  for (; budget !== undefined; budget = budgets.find(({ id }) => id === budget?.parentId))
    path.push(budget.id);
  return path;
}

/** Returns the nodes of a customer's requests. `null` if the gauges of a node aren't known. */
function nodesOf(
  { rows, nodes }: CachedLimits,
  customerId: string,
  requests: readonly Pick<UsageRequest, 'budget'>[],
): readonly string[] | null {
  const found = new Set([customerId]);
  for (const { budget } of requests) {
    if (typeof budget !== 'string') continue;
    const path = pathOf(rows.budgets, budget);
    if (path === null) return null;
    for (const id of path) found.add(id);
  }
  return [...found].every((id) => nodes.has(id)) ? [...found] : null;
}

/** Customer of a batch, with the requests for it. */
type Limited = {
  readonly limits: CachedLimits | null;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly requests: readonly Pick<UsageRequest, 'budget'>[];
};

/** Returns the rows of limits that the requests need. `null` if a row isn't cached. */
export function selectedLimits(customers: readonly Limited[]): SelectedLimits | null {
  const selected = { rows: noRows, nodes: [] as string[], subscriptionIds: [] as string[] };
  for (const { limits, customerId, subscriptionId, requests } of customers) {
    const nodes = limits === null ? null : nodesOf(limits, customerId, requests);
    if (limits === null || nodes === null) return null;
    selected.nodes.push(...nodes);
    if (limits.hasCounters) selected.subscriptionIds.push(subscriptionId);
    selected.rows = joined(selected.rows, limits.rows);
  }
  return selected;
}

const joined = (a: LimitRows, b: LimitRows): LimitRows => ({
  customers: [...a.customers, ...b.customers],
  limits: [...a.limits, ...b.limits],
  budgets: [...a.budgets, ...b.budgets],
  states: [...a.states, ...b.states],
  raises: [...a.raises, ...b.raises],
  counters: [...a.counters, ...b.counters],
});

/** Returns the rows by ID. Later rows replace earlier rows. */
const replaced = <T extends { readonly id: string }>(...rows: readonly T[]): T[] => [
  ...new Map(rows.map((row) => [row.id, row])).values(),
];

/** Returns the rows that a batch has read for a customer, with the nodes that are already known. */
export function limitsRead(
  { rows: read, templates }: { readonly rows: LimitRows; readonly templates: readonly LimitRow[] },
  { id, subscriptionId, known }: { id: string; subscriptionId: string; known: CachedLimits | null },
): CachedLimits {
  const isOfCustomer = ({ customerId }: { readonly customerId: string | null }): boolean => customerId === id;
  const budgets = read.budgets.filter(isOfCustomer);
  const nodes = new Set([id, ...budgets.map((budget) => budget.id)]);
  const remembered = known !== null && known.nodes.size + nodes.size <= mostNodes ? known : null;
  const isRemembered = ({ nodeId }: { readonly nodeId: string }): boolean => !nodes.has(nodeId);
  return {
    rows: {
      customers: read.customers.filter((row) => row.id === id),
      limits: read.limits.filter(isOfCustomer),
      budgets: replaced(...(remembered?.rows.budgets ?? []), ...budgets),
      states: [
        ...(remembered?.rows.states ?? []).filter((row) => !nodes.has(row.id)),
        ...read.states.filter(isOfCustomer),
      ],
      raises: [...(remembered?.rows.raises ?? []).filter(isRemembered), ...read.raises.filter(isOfCustomer)],
      counters: read.counters.filter((row) => row.subscriptionId === subscriptionId),
    },
    nodes: new Set([...(remembered?.nodes ?? []), ...nodes]),
    hasCounters: [...templates, ...read.limits].some(({ measure }) => measure === 'spend'),
  };
}

/**
 * Returns the rows after a batch that is written by the transaction with the ID `stamp`. `null` if rows must be read again, because
 * the database assigns the `seq` of a new counter.
 */
export function limitsAfter(
  limits: CachedLimits | null,
  { id, subscriptionId }: { readonly id: string; readonly subscriptionId: string },
  book: UsageBook,
  stamp: string,
): CachedLimits | null {
  if (limits === null) return null;
  const counters = [...book.counters.values()].filter((row) => row.subscriptionId === subscriptionId);
  if (limits.hasCounters && counters.some(({ seq }) => seq === null)) return null;
  const changed = counters.flatMap((row) => (row.seq === null ? [] : [{ ...row, seq: row.seq, stamp }]));
  const isOfCustomer = ({ customerId }: Pick<LimitStateRow, 'customerId'>): boolean => customerId === id;
  const states = [...(book.limits?.rows.states.values() ?? [])].filter(isOfCustomer);
  const created = (book.limits?.rows.created ?? []).filter(isOfCustomer);
  const { rows, nodes, hasCounters } = limits;
  return {
    rows: {
      ...rows,
      budgets: replaced(...rows.budgets, ...created),
      states: replaced(...rows.states, ...states.map((row) => ({ ...row, stamp }))),
      counters: hasCounters ? replaced(...rows.counters, ...changed) : rows.counters,
    },
    nodes: created.length === 0 ? nodes : new Set([...nodes, ...created.map((budget) => budget.id)]),
    hasCounters,
  };
}

/** Returns the versions of all counters of a subscription, in the form of the statement. */
const countersStamp = (counters: LimitRows['counters'], id: string): string =>
  counters
    .filter(({ subscriptionId }) => subscriptionId === id)
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
  return {
    text: verification,
    params: [
      textArray(nodes),
      textArray(nodes.map((id) => stamps.get(id) ?? '')),
      nodes.length,
      textArray(subscriptionIds),
      textArray(subscriptionIds.map((id) => countersStamp(rows.counters, id))),
      subscriptionIds.length,
    ],
  };
}
