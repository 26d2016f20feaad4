// Admission of a movement: it's accepted only if every blocking limit on its path accepts it.
import type { Fall } from '../lots/falls.ts';
import { compare, type Exact, larger, minus, plus, whole, zero } from '../rates/exact.ts';
import { fits } from './bound.ts';
import { fitsAt, type Gauge, gaugeKey } from './gauge.ts';
import {
  type BudgetRow,
  countsOperations,
  isFalling,
  isShared,
  type LimitedCaller,
  type LimitRow,
  type RaiseRow,
} from './limit.ts';
import type { Freed } from './open-holds.ts';

/**
 * Customer, budget of a customer, plan, or organization, or caller of operations. `key` is `null` unless the node is a budget or a caller.
 * `path` contains the keys from the top.
 */
export type LimitNode = {
  readonly id: string;
  readonly customerId: string;
  readonly key: string | null;
  readonly path: readonly string[];
  /** Level above the customer. Absent if the node is a customer or a budget. */
  readonly level?: SharedLevel;
  /** Type of the caller. Absent unless the node is an API key or a member. */
  readonly caller?: LimitedCaller;
};

/** Levels above customers. Their nodes have gauges that all customers share. */
export type SharedLevel = 'plan' | 'organization';

/** Kind of the customer node, and of a budget: the part of its key before the colon. */
export const kindOf = (key: string | null): string =>
  key === null ? 'customer' : key.slice(0, key.indexOf(':'));

const customerNode = (customerId: string): LimitNode => ({
  id: customerId,
  customerId,
  key: null,
  path: [],
});

/** Returns the path of a budget: the budget first, then its parents, and the customer last. */
export function pathOf(
  customerId: string,
  budget: BudgetRow | null,
  byId: ReadonlyMap<string, BudgetRow>,
): LimitNode[] {
  const chain: BudgetRow[] = [];
  for (let row = budget; row !== null; row = row.parentId === null ? null : (byId.get(row.parentId) ?? null))
    chain.push(row);
  return nodesOfChain(customerId, chain);
}

/** Returns the nodes of a chain of budgets, the deepest first, and the customer last. */
export function nodesOfChain(customerId: string, chain: readonly BudgetRow[]): LimitNode[] {
  const nodes = chain.map(({ id, key }, index) => ({
    id,
    customerId,
    key,
    path: chain
      .slice(index)
      .map((row) => row.key)
      .reverse(),
  }));
  return [...nodes, customerNode(customerId)];
}

/**
 * Returns true if a limit on usage applies to a node of a customer with a plan, before replacements. Limits on operations have their own
 * gauges.
 */
function concerns(limit: LimitRow, node: LimitNode, planId: string): boolean {
  if (countsOperations(limit)) return false;
  if (node.level !== undefined)
    return isShared(limit) && limit.planId === (node.level === 'plan' ? node.id : null);
  if (isShared(limit) || (limit.customerId !== null && limit.customerId !== node.customerId)) return false;
  if (limit.each === null) return limit.budgetKey === node.key;
  return limit.each === kindOf(node.key) && (limit.planId === null || limit.planId === planId);
}

/** Returns true if a limit applies at a time. */
export const isValid = (
  { validFrom, validUntil }: Pick<LimitRow, 'validFrom' | 'validUntil'>,
  now: Date,
): boolean => validFrom <= now && (validUntil === null || now < validUntil);

/** Returns the limits of a node, with the templates that its own limits replace. */
export const limitsOf = (
  limits: readonly LimitRow[],
  node: LimitNode,
  planId: string,
  now: Date,
): LimitRow[] => limits.filter((limit) => concerns(limit, node, planId) && isValid(limit, now));

/** Returns the limits of a node that apply: without the templates that its own limits replace. */
export function applying(own: readonly LimitRow[]): readonly LimitRow[] {
  const replaced = new Set(own.flatMap(({ replaces }) => (replaces === null ? [] : [replaces])));
  return replaced.size === 0 ? own : own.filter(({ id }) => !replaced.has(id));
}

/**
 * Limit of a node at a movement. `delta` is the change of the used and the held amount by the movement, and `raise` the sum of the
 * current raises.
 */
export type Tried = {
  readonly limit: LimitRow;
  readonly node: LimitNode;
  readonly gauge: Gauge;
  readonly raise: bigint;
  readonly delta: Exact;
  /** Part of `delta` that changes the held amount. */
  readonly heldDelta: Exact;
  /** Time of the movement in milliseconds. */
  readonly at: number;
  /**
   * Value after the movement if each line is rounded as on an invoice. `null` unless the limit bounds an invoice.
   */
  readonly rounded: bigint | null;
  /** Returns the value after the same movement in a window without usage. `null` if it's `delta`. */
  readonly fresh: (() => Exact) | null;
  /** Amounts that open holds free at their ends. Empty if the open holds aren't loaded. */
  readonly freed: readonly Freed[];
  /** Fall of the remaining amount that the limit bounds. `null` if the limit has another measure. */
  readonly fall: Fall | null;
  /** True if the gauge isn't known, and the movement is assumed to fit. The write of the gauge decides. */
  readonly isAssumed?: boolean;
};

/**
 * Movement of a node as a limit measures it. `used` and `held` replace the gauge's values if they're calculated from other rows.
 * `heldDelta` is the part of `delta` that changes the held amount.
 */
export type Measured = {
  readonly delta: Exact;
  readonly heldDelta?: Exact;
  readonly used: Exact | null;
  readonly held?: Exact;
  readonly rounded: bigint | null;
  readonly fresh?: () => Exact;
  readonly freed?: readonly Freed[];
  /** Fall of the remaining amount. Absent if the limit has another measure. */
  readonly fall?: Fall;
};

/** Returns the amount of a limit with its raises. `null` if the limit has no amount. */
export const mostOf = ({ limit: { amount }, raise }: Pick<Tried, 'limit' | 'raise'>): bigint | null =>
  amount === null ? null : amount + raise;

/** Returns the amount that is used or held. */
export const takenOf = ({ used, held }: Pick<Gauge, 'used' | 'held'>): Exact => plus(used, held);

/** Returns the value of a limit after a movement: the used and held amount, or the remaining amount. */
export const valueAfter = ({ limit, gauge, delta }: Pick<Tried, 'limit' | 'gauge' | 'delta'>): Exact =>
  isFalling(limit) ? minus(gauge.used, delta) : plus(takenOf(gauge), delta);

/** Returns true if a limit rejects movements that exceed its amount. */
export const isBlocking = ({ action }: Pick<LimitRow, 'action'>): boolean =>
  action === 'block' || action === 'approve';

/** Returns true if a movement stays within the amount. A limit accepts every delta of 0 or less. */
export function isWithin(tried: Tried): boolean {
  const most = mostOf(tried);
  const { limit, delta, rounded, isAssumed } = tried;
  const isMore = isAssumed !== true && delta.numerator > 0n;
  return (
    most === null ||
    (fits(isFalling(limit), isMore, compare(valueAfter(tried), whole(most))) &&
      (rounded === null || fits(false, isMore, rounded > most ? 1 : 0)))
  );
}

export const isAccepting = (tried: Tried): boolean => !isBlocking(tried.limit) || isWithin(tried);

const sharedDepths: { readonly [level in SharedLevel]: number } = { plan: -1, organization: -2 };

/**
 * Returns the limits that reject a movement: from the deepest node to the organization, then by ID. The first determines the
 * error.
 */
export function rejecting(tried: readonly Tried[]): Tried[] {
  const depth = ({ node: { path, level } }: Tried): number =>
    level === undefined ? path.length : sharedDepths[level];
  return tried
    .filter((one) => !isAccepting(one))
    .toSorted((a, b) => depth(b) - depth(a) || (a.limit.id < b.limit.id ? -1 : 1));
}

/** Returns the remaining amount. `null` if the limit has no amount. */
export function roomOf(tried: Pick<Tried, 'limit' | 'raise' | 'gauge'>): Exact | null {
  const most = mostOf(tried);
  if (most === null) return null;
  const { gauge } = tried;
  return larger(
    zero,
    isFalling(tried.limit) ? minus(gauge.used, whole(most)) : minus(whole(most), takenOf(gauge)),
  );
}

/**
 * Returns the first time at which a movement that doesn't fit now fits without other movements, in milliseconds. A limit that ends accepts it.
 * `null` if it never fits.
 */
export function fitsFrom({ limit, gauge, raise, delta, rounded, fresh, freed }: Tried): number | null {
  const most = mostOf({ limit, raise });
  const until = limit.validUntil?.getTime() ?? null;
  // Only a refill raises the remaining amount.
  if (most === null || isFalling(limit)) return until;
  // The exact value can fit while the rounded lines of the invoice don't.
  const needed = rounded === null ? delta : larger(delta, minus(whole(rounded), takenOf(gauge)));
  const at = fitsAt(limit, gauge, { delta: needed, fresh: fresh?.() ?? delta, most: whole(most), freed });
  return at === null || (until !== null && until < at) ? until : at;
}

/** Returns the sum of the current raises of a limit for a node. */
export const raiseOf = (limit: LimitRow, node: LimitNode, raises: readonly RaiseRow[], now: Date): bigint =>
  raises.reduce(
    (sum, { limitId, nodeId, until, amount }) =>
      limitId === limit.id && nodeId === node.id && now < until ? sum + amount : sum,
    0n,
  );

/** Returns the time from which the limits of a node count, by gauge. A limit continues the value of the template that it replaces. */
export function beginnings(limits: readonly LimitRow[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const limit of limits) {
    const key = gaugeKey(limit);
    first.set(key, Math.min(first.get(key) ?? Number.POSITIVE_INFINITY, limit.validFrom.getTime()));
  }
  return first;
}

/** Returns the keys of the gauges that keep the amounts of earlier days. */
export const dailyGauges = (limits: readonly LimitRow[]): ReadonlySet<string> =>
  new Set(limits.filter(({ anomaly }) => anomaly !== null).map(gaugeKey));
