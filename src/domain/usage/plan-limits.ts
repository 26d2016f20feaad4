// Limits from the terms of plans and add-ons, with their current values (LIM-6).
import type { LimitAction, LimitMeasure, LimitWindowKind, Rearm } from '../limits/limit.ts';
import type { SystemEvent, SystemLimit } from '../limits/system.ts';
import { type Account, amountOf, amountsIn } from '../lots/account.ts';
import { maxOf } from '../money/money.ts';
import { assetOf, isCustom } from '../pricing/pools.ts';
import { type Exact, exactText, ratio, whole } from '../rates/exact.ts';
import type { AccessDetails } from './access.ts';
import { heldUnits } from './held-usage.ts';
import { unitScale } from './metered-terms.ts';
import { levelLimit, poolLimit, tenthOf, unitLimit } from './system-limits.ts';
import type { PoolTerms } from './terms.ts';

/** Value at which a limit from the terms of a plan sends an event. */
export type PlanThreshold = { readonly event: SystemEvent; readonly amount: string; readonly rearm: Rearm };

/**
 * Limit from the terms of a plan in API format. Amounts are decimals in the unit of the measure, as in other limits: balances are in
 * ten-thousandths of the currency unit.
 */
export type PlanLimit = {
  /** Code of the feature whose units are bounded. `null` if the limit bounds a pool. */
  readonly feature: string | null;
  readonly measure: LimitMeasure;
  readonly action: LimitAction;
  readonly window: {
    readonly kind: LimitWindowKind;
    readonly start: string | null;
    readonly end: string | null;
  };
  readonly unit: string;
  readonly amount: string;
  readonly used: string;
  readonly held?: string;
  readonly remaining: string;
  readonly resetsAt: string | null;
  readonly thresholds: readonly PlanThreshold[];
};

const lifetime = { kind: 'lifetime', start: null, end: null } as const;

/** Returns the thresholds of a limit with amounts. `tenth` is a tenth of the last grant or refill. */
const thresholdsOf = (
  { thresholds }: SystemLimit,
  shown: (amount: bigint) => string,
  tenth = 0n,
): PlanThreshold[] =>
  thresholds.map(({ event, amount, rearm }) => ({ event, amount: shown(amount ?? tenth), rearm }));

/** Returns the limit on the units, the seats, or the quota units of a feature. `null` if the feature isn't limited. */
function featureLimit({ feature, terms, meter, count, window }: AccessDetails): PlanLimit | null {
  if (!terms.enabled || feature.type === 'boolean') return null;
  const isUsage = feature.type === 'usage';
  if (isUsage && terms.pool !== null) return null;
  const limit = isUsage ? unitLimit(terms) : levelLimit(terms);
  if (limit === null) return null;
  const inUnits = (units: bigint): Exact => (isUsage ? ratio(units, unitScale(terms)) : whole(units));
  const shown = (units: bigint): string => exactText(inUnits(units));
  const used = isUsage ? meter.counter.total : count.count;
  const held = isUsage ? heldUnits(meter.counter) : 0n;
  const [start, end] = [window.start.toISOString(), window.end.toISOString()];
  return {
    feature: feature.code,
    measure: limit.measure,
    action: limit.action,
    window: isUsage ? { kind: 'usage_window', start, end } : lifetime,
    unit: 'units',
    amount: shown(limit.amount),
    used: shown(used),
    ...(held === 0n ? {} : { held: shown(held) }),
    remaining: shown(maxOf(0n, limit.amount - used - held)),
    resetsAt: isUsage ? end : null,
    // Changes of a quota send no event about the included units (CON-57).
    thresholds: feature.type === 'quota' ? [] : thresholdsOf(limit, shown),
  };
}

/** Returns the limit on the available amount of a pool. */
function limitOfPool(terms: PoolTerms, account: Account): PlanLimit {
  const { pool } = terms;
  const limit = poolLimit(pool, terms);
  const { granted, lastRefill } = amountsIn(account, pool);
  const available = amountOf(account, pool);
  return {
    feature: null,
    measure: limit.measure,
    action: limit.action,
    window: lifetime,
    unit: assetOf(pool, account.context.currency),
    amount: String(limit.amount),
    used: String(available),
    remaining: String(maxOf(0n, available - limit.amount)),
    resetsAt: null,
    thresholds: thresholdsOf(limit, String, tenthOf(isCustom(pool) ? granted : lastRefill)),
  };
}

/**
 * Returns the limits from the terms of a subscription's plan and add-ons, in the order of the features: limits on units, seats, and quota
 * units, then limits on pools that features draw on. Unlimited features have no limit.
 */
export function planLimits(details: readonly AccessDetails[]): PlanLimit[] {
  const pools = new Map<string, PlanLimit>();
  for (const { feature, terms, meter } of details)
    if (feature.type === 'usage' && terms.enabled && terms.pool !== null && !pools.has(terms.pool.pool))
      pools.set(terms.pool.pool, limitOfPool(terms.pool, meter.account));
  return [...details.flatMap((access) => featureLimit(access) ?? []), ...pools.values()];
}
