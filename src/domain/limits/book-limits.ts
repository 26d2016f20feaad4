// Limits of the customers in a batch. Movements change gauges in memory, so that each movement is checked against the effects of all earlier movements.
import { signedDecimal } from '../rates/decimal.ts';
import { isZero, zero } from '../rates/exact.ts';
import {
  isAccepting,
  type LimitNode,
  type Measured,
  nodesOfChain,
  pathOf,
  raiseOf,
  rejecting,
  type Tried,
  takenOf,
} from './admission.ts';
import {
  type Crossing,
  crossingRow,
  crossingsOf,
  gaugeAfter,
  overrunCrossing,
  reachedAfter,
  reachedCrossing,
} from './crossings.ts';
import { type Convert, converted } from './currencies.ts';
import { correctedGauge, freedGauge, gaugeAt, gaugeKey, storedGauge } from './gauge.ts';
import type {
  BudgetRow,
  HeldGauges,
  LimitCrossingRow,
  LimitRow,
  LimitStateRow,
  RaiseRow,
  StoredGauges,
} from './limit.ts';
import { isCovered, NewBudgets } from './new-budgets.ts';
import { NodeLimits } from './node-limits.ts';
import { freedIn, type OpenHold } from './open-holds.ts';
import { isSharedNode, type SharedGaugeRow, SharedGauges, sharedNodes } from './shared.ts';
import type { FindBase } from './shares.ts';
import { askFor, type UsageApproval } from './usage-approval.ts';
import { shownStart, type WindowDetails } from './windows.ts';

/** Stored rows of the customers in a batch. */
export type LimitDetails = {
  /** Templates, and limits of the customers. */
  readonly limits: readonly LimitRow[];
  /** Budgets that the requests name, and their parents. */
  readonly budgets: readonly BudgetRow[];
  /** Numbers of stored budgets by the ID of each customer for which a request can create a budget. Absent if no request can. */
  readonly budgetCounts?: ReadonlyMap<string, number>;
  readonly states: ReadonlyMap<string, LimitStateRow>;
  readonly raises: readonly RaiseRow[];
  /** Conversion between currencies. `null` if no amount has to be converted. */
  readonly convert: Convert | null;
  /** Time zones by customer ID. */
  readonly timeZones: ReadonlyMap<string, string>;
  /** Open holds that end later. Absent if they aren't loaded, because no hold makes a limit reject usage. */
  readonly openHolds?: readonly OpenHold[];
  /** Gauges of the organization and of plans by name. `null` if they aren't known, so that movements are assumed to fit. */
  readonly shared: ReadonlyMap<string, SharedGaugeRow> | null;
};

/** Customer with the terms that determine its limits. */
export type LimitedCustomer = {
  readonly customerId: string;
  readonly planId: string;
  readonly currency: string;
  readonly windows: Omit<WindowDetails, 'timeZone'>;
};

/** Reason for which a budget can't be used. */
export type BudgetProblem = 'unknown_budget' | 'budget_archived' | 'too_many_budgets';

/** Gauge of a node at a movement, and the movement as its limits measure it. */
type Reading = Pick<Tried, 'gauge' | 'delta' | 'heldDelta' | 'rounded' | 'fresh' | 'freed' | 'fall'>;

const emptyState = (node: LimitNode): LimitStateRow => ({
  id: node.id,
  customerId: node.customerId,
  gauges: {},
  reached: {},
});

/** Limits and gauges of a batch. `states`, `newBudgets`, and `crossings` contain the rows to write. */
export class BookLimits {
  readonly #details: LimitDetails;
  readonly #now: Date;
  readonly #newId: (prefix: string) => string;
  readonly #budgets: Map<string, BudgetRow>;
  readonly #byKey = new Map<string, BudgetRow>();
  readonly #limits: NodeLimits;
  /** Changed states by node ID. */
  readonly states = new Map<string, LimitStateRow>();
  readonly newBudgets: NewBudgets;
  readonly crossings: LimitCrossingRow[] = [];
  /** Approvals of rejected movements. */
  readonly approvals: UsageApproval[] = [];
  readonly shared: SharedGauges;

  constructor(details: LimitDetails, now: Date, newId: (prefix: string) => string) {
    this.#details = details;
    this.shared = new SharedGauges(details.shared);
    this.#now = now;
    this.#limits = new NodeLimits(details.limits, now);
    this.#newId = newId;
    this.newBudgets = new NewBudgets(details.budgetCounts ?? new Map());
    this.#budgets = new Map(details.budgets.map((row) => [row.id, row]));
    for (const row of details.budgets) this.#byKey.set(`${row.customerId} ${row.key}`, row);
  }

  /**
   * Returns the nodes of a movement, the deepest first. A budget that doesn't exist is created below the customer if a valid template
   * covers its kind. Returns the problem if the budget can't be used.
   */
  nodesOf({ customerId, planId }: LimitedCustomer, key: string | null): readonly LimitNode[] | BudgetProblem {
    const above = sharedNodes(this.#limits.shared, customerId, planId);
    if (key === null) return [...pathOf(customerId, null, this.#budgets), ...above];
    const budget = this.#byKey.get(`${customerId} ${key}`) ?? this.#covered(customerId, planId, key);
    if (budget === null) return 'unknown_budget';
    if (!this.newBudgets.hasRoom(budget)) return 'too_many_budgets';
    const path = pathOf(customerId, budget, this.#budgets);
    return this.hasArchived(path) ? 'budget_archived' : [...path, ...above];
  }

  /** Returns true if a budget of a path is archived, and rejects new movements. */
  hasArchived(nodes: readonly LimitNode[]): boolean {
    return nodes.some(({ id }) => (this.#budgets.get(id)?.archivedAt ?? null) !== null);
  }

  /** Returns the nodes that counted an earlier movement, the deepest first. Budgets can have been archived since. */
  countedNodes(customerId: string, budgetId: string | null, planId: string): readonly LimitNode[] {
    const budget = budgetId === null ? null : (this.#budgets.get(budgetId) ?? null);
    const above = sharedNodes(this.#limits.shared, customerId, planId);
    return [...pathOf(customerId, budget, this.#budgets), ...above];
  }

  /** Returns the nodes of a path of budget keys from the top, the deepest first. Budgets can have moved since. */
  nodesAlong(customerId: string, path: readonly string[], planId: string): readonly LimitNode[] {
    const chain = path.toReversed().flatMap((key) => this.#byKey.get(`${customerId} ${key}`) ?? []);
    return [...nodesOfChain(customerId, chain), ...sharedNodes(this.#limits.shared, customerId, planId)];
  }

  /** Returns a new budget if a valid template covers its kind. It's stored with the first accepted movement. */
  #covered(customerId: string, planId: string, key: string): BudgetRow | null {
    if (!isCovered(this.#details.limits, { customerId, planId }, key, this.#now)) return null;
    const row = { id: this.#newId('bud'), customerId, key, parentId: null, archivedAt: null };
    this.#budgets.set(row.id, row);
    this.newBudgets.add(row);
    this.#byKey.set(`${customerId} ${key}`, row);
    return row;
  }

  /**
   * Returns the limits of nodes at a movement. `measure` returns `null` if a limit doesn't count the movement. Limits that share a gauge are
   * measured once, so the result must depend only on the terms of the gauge.
   */
  tryOn(
    customer: LimitedCustomer,
    nodes: readonly LimitNode[],
    measure: (limit: LimitRow, node: LimitNode) => Measured | null,
    baseOf: FindBase = () => null,
  ): Tried[] {
    const { raises, timeZones, openHolds = [] } = this.#details;
    const timeZone = timeZones.get(customer.customerId) ?? 'UTC';
    const windows = { ...customer.windows, timeZone };
    const at = this.#now.getTime();
    const tried: Tried[] = [];
    for (const node of nodes) {
      const own = this.#limits.of(node, customer.planId, customer.currency, baseOf);
      const of = node.level === undefined ? windows : { ...windows, timeZone: 'UTC' };
      const readings = new Map<string, Reading | null>();
      const read = (limit: LimitRow, key: string): Reading | null => {
        const measured = measure(limit, node);
        if (measured === null) return null;
        const { delta, heldDelta = zero, used, held = zero, rounded, fresh = null, fall = null } = measured;
        const time = { at, since: own.beginnings.get(key) ?? 0, keepsDays: own.daily.has(key) };
        const stored = gaugeAt(limit, this.#stateOf(node).gauges[key] ?? null, of, time);
        const gauge = used === null ? stored : { ...stored, used, held };
        const freed = measured.freed ?? freedIn(openHolds, node.id, key);
        return { gauge, delta, heldDelta, rounded, fresh, freed, fall };
      };
      for (const limit of own.limits) {
        const key = gaugeKey(limit);
        const reading = readings.getOrInsertComputed(key, () => read(limit, key));
        if (reading === null) continue;
        const priced = converted(limit, shownStart(reading.gauge.span) ?? at, this.#details.convert);
        if (priced === null) continue;
        const raise = raiseOf(limit, node, raises, this.#now);
        const isAssumed = this.shared.isAssumed({ limit, node });
        tried.push({ ...reading, limit: priced, node, raise, at, isAssumed });
      }
    }
    return tried;
  }

  #stateOf(node: LimitNode): LimitStateRow {
    if (node.level !== undefined)
      return { ...emptyState(node), gauges: this.shared.gaugesOf(node.id, this.#now.getTime()) };
    return this.states.get(node.id) ?? this.#details.states.get(node.id) ?? emptyState(node);
  }

  /** Counts an accepted movement, and returns its crossings. `isCalculated` is true for limits whose value other rows contain. */
  accept(tried: readonly Tried[], isCalculated: (tried: Tried) => boolean): Crossing[] {
    const moved = new Map<string, { readonly node: LimitNode; gauges: StoredGauges }>();
    this.shared.accept(tried);
    const crossings: Crossing[] = [];
    for (const one of tried) {
      const { limit, node, at } = one;
      if (node.level !== undefined) continue;
      const found = this.#crossingsOf(one);
      crossings.push(...found);
      if (limit.window.kind === 'event' || one.fall !== null) continue;
      if (isCalculated(one) && found.length === 0) continue;
      const entry = moved.get(node.id) ?? { node, gauges: {} };
      entry.gauges = {
        ...entry.gauges,
        [gaugeKey(limit)]: storedGauge(gaugeAfter(one), at),
      };
      moved.set(node.id, entry);
    }
    for (const { node, gauges } of moved.values()) this.#storeGauges(node, gauges);
    return this.#record(crossings);
  }

  /** Changes the gauges of limits by the correction of a movement that was counted at an earlier time. */
  correct(tried: readonly Tried[], countedAt: Date): void {
    this.shared.correct(tried, countedAt);
    for (const { limit, node, gauge, delta, at } of tried) {
      if (node.level !== undefined || countedAt < limit.validFrom || isZero(delta)) continue;
      const corrected = correctedGauge(limit, gauge, delta, countedAt.getTime());
      if (corrected !== gauge) this.#storeGauges(node, { [gaugeKey(limit)]: storedGauge(corrected, at) });
    }
  }

  /**
   * Frees held amounts, which can't exceed the stored amounts. The gauges must be loaded. Gauges of limits that were deleted since the
   * amounts were reserved can be missing.
   */
  free(customerId: string, amounts: HeldGauges): void {
    for (const [id, freed] of Object.entries(amounts)) {
      if (isSharedNode(id)) this.shared.free(id, freed);
      const state = this.states.get(id) ?? this.#details.states.get(id);
      if (state === undefined) continue;
      const gauges = Object.fromEntries(
        Object.entries(freed).flatMap(([key, amount]) => {
          const gauge = state.gauges[key];
          return gauge === undefined ? [] : [[key, freedGauge(gauge, signedDecimal(amount))]];
        }),
      );
      this.#storeGauges({ id, customerId, key: null, path: [] }, gauges);
    }
  }

  #storeGauges(node: LimitNode, gauges: StoredGauges): void {
    const state = this.#stateOf(node);
    this.states.set(node.id, { ...state, gauges: { ...state.gauges, ...gauges } });
  }

  /** Returns the crossing of a rejected movement: `limit.reached` of the first limit that rejects it, once per window. */
  reject(tried: readonly Tried[]): Crossing[] {
    const [first] = rejecting(tried);
    if (first === undefined) return [];
    this.#askFor(first);
    this.shared.reject(first, tried);
    return first.node.level === undefined
      ? this.#record(
          reachedCrossing(first, takenOf(first.gauge), 'rejected', this.#stateOf(first.node).reached),
        )
      : [];
  }

  /** Requests the approval of a rejected movement, once for equal movements in a window. */
  #askFor(tried: Tried): void {
    const { node } = tried;
    const request = askFor(tried, this.#stateOf(node));
    if (request === null) return;
    this.approvals.push(request.approval);
    this.states.set(node.id, request.state);
  }

  /** Records and returns the limits that a settlement exceeds (LIM-63). */
  exceed(tried: readonly Tried[]): Crossing[] {
    return this.#record(tried.filter((one) => !isAccepting(one)).map(overrunCrossing));
  }

  #crossingsOf(tried: Tried): Crossing[] {
    return crossingsOf(tried, this.#stateOf(tried.node).reached);
  }

  /** Stores the rows of crossings. */
  #record(crossings: readonly Crossing[]): Crossing[] {
    for (const crossing of crossings) {
      const { node } = crossing.tried;
      this.crossings.push(crossingRow(crossing, this.#now, this.#newId));
      const state = this.#stateOf(node);
      const reached = reachedAfter(crossing, state.reached);
      if (reached !== state.reached) this.states.set(node.id, { ...state, reached });
    }
    return [...crossings];
  }
}
