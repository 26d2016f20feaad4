// Gauges that several customers share: limits of the organization and of plans (LIM-91). A batch usually doesn't know their values. It
// collects changes, and the database adds the changes if they fit.
import { signedDecimal } from '../rates/decimal.ts';
import { compare, type Exact, exactText, isZero, larger, minus, plus, whole, zero } from '../rates/exact.ts';
import { type LimitNode, mostOf, type SharedLevel, type Tried, takenOf } from './admission.ts';
import { inCurrency } from './currencies.ts';
import { gaugeKey } from './gauge.ts';
import { type HeldGauges, isShared, type LimitRow, type StoredGauge, type StoredGauges } from './limit.ts';
import { thresholdAmount, thresholdsOf } from './thresholds.ts';

/** Shared gauge in the database. Times are in milliseconds, and amounts are decimals. */
export type SharedGaugeRow = {
  readonly nodeId: string;
  readonly key: string;
  readonly start: number;
  readonly end: number | null;
  readonly used: string;
  readonly held: string;
  /** True until past usage is summed. The limits of the gauge don't block until then (LIM-38). */
  readonly isCounting: boolean;
  /** Limits that rejected usage in the window. */
  readonly rejected: readonly string[];
};

/** Node and key of a shared gauge. */
export type SharedGaugeName = Pick<SharedGaugeRow, 'nodeId' | 'key'>;

/** Change of a shared gauge by a batch. */
export type SharedChange = SharedGaugeName & {
  /** Window of the movements. `start` is `null` if only held amounts are freed, which belong to no window. */
  readonly start: number | null;
  readonly end: number | null;
  readonly used: Exact;
  readonly held: Exact;
  /** Highest sum of the changes after a movement that adds to the gauge. `null` if no movement adds to it. */
  readonly rise: Exact | null;
  /** Lowest amount of the limits that block. `null` if no limit blocks. */
  readonly most: bigint | null;
  /** Values of the used amount that must be reported. */
  readonly usedLevels: readonly Exact[];
  /** Values of the used and held amount that must be reported. */
  readonly takenLevels: readonly Exact[];
  /** Limits that rejected usage. */
  readonly rejected: readonly string[];
};

/** ID of the node for the whole organization. */
export const organizationNode = 'organization';

/** Returns the level of a limit of the organization or a plan. */
export const sharedLevel = ({ planId }: Pick<LimitRow, 'planId'>): SharedLevel =>
  planId === null ? 'organization' : 'plan';

/** Returns the name of a shared gauge as a key of maps. */
export const nameOfGauge = ({ nodeId, key }: SharedGaugeName): string => `${nodeId} ${key}`;

/** Returns the plan and the organization as nodes of a customer's movement, if they have limits. `shared` contains no other limits. */
export function sharedNodes(
  shared: readonly LimitRow[],
  customerId: string,
  planId: string,
): readonly LimitNode[] {
  if (shared.length === 0) return [];
  const node = (level: SharedLevel, id: string): LimitNode[] =>
    shared.some((limit) => limit.planId === (level === 'plan' ? id : null))
      ? [{ id, customerId, key: null, path: [], level }]
      : [];
  return [...node('plan', planId), ...node('organization', organizationNode)];
}

/** Returns the shared gauges of limits for movements of customers with some plans and currencies. */
export function sharedGauges(
  limits: readonly LimitRow[],
  planIds: readonly string[],
  currencies: readonly string[],
): SharedGaugeName[] {
  const names = limits.flatMap((limit) => {
    const { planId, window, amounts } = limit;
    if (!isShared(limit) || window.kind === 'event') return [];
    if (planId !== null && !planIds.includes(planId)) return [];
    const nodeId = planId ?? organizationNode;
    const own = amounts.length === 0 ? [limit] : currencies.map((currency) => inCurrency(limit, currency));
    return own.map((one) => ({ nodeId, key: gaugeKey(one) }));
  });
  return [...new Map(names.map((name) => [nameOfGauge(name), name])).values()];
}

/** Returns the plan that a hold was opened with. `null` if no shared gauge of a plan reserves amounts for it. */
export const planOfHold = (gauges: HeldGauges): string | null =>
  Object.keys(gauges).find((id) => id.startsWith('pln_')) ?? null;

/** Returns true if an ID belongs to a node whose gauges are shared. */
export const isSharedNode = (id: string): boolean => id === organizationNode || id.startsWith('pln_');

/** Values of a limit at which an event is sent. */
function levelsOf(tried: Tried): Exact[] {
  const { limit } = tried;
  const most = mostOf(tried);
  const thresholds = thresholdsOf(limit).flatMap((threshold) => thresholdAmount(threshold, most) ?? []);
  return most === null ? thresholds : [...thresholds, whole(most)];
}

const nameOf = ({ limit, node }: Pick<Tried, 'limit' | 'node'>): SharedGaugeName => ({
  nodeId: node.id,
  key: gaugeKey(limit),
});

const distinct = (values: readonly Exact[]): Exact[] => [
  ...new Map(values.map((value) => [exactText(value), value])).values(),
];

function replaceAll<K, V>(map: Map<K, V>, entries: ReadonlyMap<K, V>): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

/** Gauges of a batch that several customers share. */
export class SharedGauges {
  /** Locked rows by name. `null` if the rows aren't known, so that all movements are assumed to fit. */
  readonly #rows: ReadonlyMap<string, SharedGaugeRow> | null;
  /** Changes by name. */
  readonly changes = new Map<string, SharedChange>();
  /** Sums of the amounts of all movements, by name. Includes rejected movements. */
  readonly #demanded = new Map<string, Exact>();

  constructor(rows: ReadonlyMap<string, SharedGaugeRow> | null) {
    this.#rows = rows;
  }

  /** Returns true if a limit is assumed to accept all movements, because its gauge isn't known or isn't complete. */
  isAssumed({ limit, node }: Pick<Tried, 'limit' | 'node'>): boolean {
    if (node.level === undefined || limit.window.kind === 'event') return false;
    return this.#rows?.get(nameOfGauge(nameOf({ limit, node })))?.isCounting ?? this.#rows === null;
  }

  /** Returns the known gauges of a node after the changes. */
  gaugesOf(nodeId: string, at: number): StoredGauges {
    const own = [...(this.#rows?.values() ?? [])].filter((row) => row.nodeId === nodeId);
    return Object.fromEntries(own.map((row) => [row.key, this.#after(row, at)]));
  }

  #after(row: SharedGaugeRow, at: number): StoredGauge {
    const change = this.changes.get(nameOfGauge(row));
    const isNewer = change !== undefined && change.start !== null && change.start > row.start;
    const { start, end } = isNewer ? { start: change.start ?? row.start, end: change.end } : row;
    const before = isNewer ? zero : signedDecimal(row.used);
    const used = exactText(plus(before, change?.used ?? zero));
    const held = larger(zero, plus(signedDecimal(row.held), change?.held ?? zero));
    return {
      at,
      start,
      end,
      used,
      ...(isZero(held) ? {} : { held: exactText(held) }),
      peak: used,
      parts: [],
    };
  }

  #add(name: SharedGaugeName, by: Partial<SharedChange>): void {
    const id = nameOfGauge(name);
    const before = this.changes.get(id);
    const used = plus(before?.used ?? zero, by.used ?? zero);
    const held = plus(before?.held ?? zero, by.held ?? zero);
    const isRise = compare(plus(by.used ?? zero, by.held ?? zero), zero) > 0;
    const sum = plus(used, held);
    const last = before?.rise ?? null;
    this.changes.set(id, {
      nodeId: name.nodeId,
      key: name.key,
      start: by.start ?? before?.start ?? null,
      end: by.start == null ? (before?.end ?? null) : (by.end ?? null),
      used,
      held,
      rise: isRise ? (last === null ? sum : larger(last, sum)) : last,
      most: by.most ?? before?.most ?? null,
      usedLevels: by.usedLevels ?? before?.usedLevels ?? [],
      takenLevels: by.takenLevels ?? before?.takenLevels ?? [],
      rejected: [...new Set([...(before?.rejected ?? []), ...(by.rejected ?? [])])],
    });
  }

  #ask(name: SharedGaugeName, { delta }: Tried): void {
    const id = nameOfGauge(name);
    this.#demanded.set(id, plus(this.#demanded.get(id) ?? zero, larger(zero, delta)));
  }

  /** Returns a function that undoes all later changes. */
  savepoint(): () => void {
    const [changes, demanded] = [new Map(this.changes), new Map(this.#demanded)];
    return () => {
      replaceAll(this.changes, changes);
      replaceAll(this.#demanded, demanded);
    };
  }

  /** Adds an accepted movement. Limits with the same gauge count it once. */
  accept(tried: readonly Tried[]): void {
    for (const [name, [first, ...others]] of this.#byGauge(tried)) {
      if (first === undefined) continue;
      const { gauge, delta, heldDelta } = first;
      if (isZero(delta) && isZero(heldDelta)) continue;
      const all = [first, ...others];
      const amounts = all.flatMap((one) => (one.limit.action === 'block' ? (mostOf(one) ?? []) : []));
      const levels = (isBlocking: boolean): Exact[] =>
        distinct(all.filter(({ limit }) => (limit.action === 'block') === isBlocking).flatMap(levelsOf));
      this.#add(name, {
        start: gauge.span?.start ?? 0,
        end: gauge.span?.end ?? null,
        used: minus(delta, heldDelta),
        held: heldDelta,
        most: amounts.length === 0 ? null : amounts.reduce((a, b) => (a < b ? a : b)),
        usedLevels: levels(false),
        takenLevels: levels(true),
      });
      this.#ask(name, first);
    }
  }

  #byGauge(tried: readonly Tried[]): [SharedGaugeName, Tried[]][] {
    const shared = tried.filter(
      ({ node, limit }) => node.level !== undefined && limit.window.kind !== 'event',
    );
    const groups = Map.groupBy(shared, (one) => nameOfGauge(nameOf(one)));
    return [...groups.values()].flatMap((group) =>
      group[0] === undefined ? [] : [[nameOf(group[0]), group]],
    );
  }

  /** Notes that a limit rejected a movement, once per window. */
  reject(first: Tried, tried: readonly Tried[]): void {
    for (const [name, [one]] of this.#byGauge(tried)) if (one !== undefined) this.#ask(name, one);
    const { limit, gauge, node } = first;
    if (node.level === undefined || limit.window.kind === 'event') return;
    const name = nameOf(first);
    const row = this.#rows?.get(nameOfGauge(name));
    const isKnown = row?.start === gauge.span?.start && row?.rejected.includes(limit.id) === true;
    if (!isKnown)
      this.#add(name, {
        start: gauge.span?.start ?? 0,
        end: gauge.span?.end ?? null,
        rejected: [limit.id],
      });
  }

  /** Changes gauges by the correction of a movement that was counted at an earlier time. */
  correct(tried: readonly Tried[], countedAt: Date): void {
    for (const [name, [first]] of this.#byGauge(tried)) {
      if (first === undefined || countedAt < first.limit.validFrom) continue;
      const { span } = first.gauge;
      if (span === null || countedAt.getTime() < span.start) continue;
      this.#add(name, { start: span.start, end: span.end, used: first.delta });
    }
  }

  /** Frees held amounts of a node. */
  free(nodeId: string, amounts: HeldGauges[string]): void {
    for (const [key, amount] of Object.entries(amounts))
      this.#add({ nodeId, key }, { held: minus(zero, signedDecimal(amount)) });
  }

  /**
   * Returns true if the room of a known gauge is smaller than a multiple of the amounts of the batch, so that the next batch
   * might not fit.
   */
  isTight(multiple: bigint, at: number): boolean {
    for (const { nodeId, key, most } of this.changes.values()) {
      const gauge = most === null ? undefined : this.gaugesOf(nodeId, at)[key];
      if (most === null || gauge === undefined) continue;
      const taken = takenOf({ used: signedDecimal(gauge.used), held: signedDecimal(gauge.held ?? '0') });
      const { numerator, denominator } = this.#demanded.get(nameOfGauge({ nodeId, key })) ?? zero;
      const needed = { numerator: numerator * multiple, denominator };
      if (compare(minus(whole(most), taken), needed) < 0) return true;
    }
    return false;
  }
}
