// Whether something may be consumed, and what it moves (CON-10, CON-11). An event is accepted or rejected
// whole.
import { type Rejection, specificRejection } from '../errors.ts';
import { maxOf } from '../money.ts';
import { balanceAlert, type ConsumptionAlert, creditsAlert, usageAlert, usageAlertLevel } from './alerts.ts';
import { creditsOf, drawBalance, drawCredits, type EntryDraft } from './pools.ts';
import type { ConsumptionAccountRow, UsageCounterRow } from './rows.ts';
import type { UsageTerms } from './terms.ts';

/**
 * What a draw meets: the account of the subscription and the counter of the feature, both of the open window.
 */
export type Meter = { readonly account: ConsumptionAccountRow; readonly counter: UsageCounterRow };

/**
 * What is to be consumed: units, and what they cost in credits or in money at rate scale; null where the plan
 * counts units only.
 */
export type Draw = { readonly units: bigint; readonly cost: bigint | null };

/** An accepted draw: the meter after it, its ledger entries, and its alert. */
export type Accepted = {
  readonly meter: Meter;
  readonly entries: readonly EntryDraft[];
  readonly alerts: readonly ConsumptionAlert[];
};

/**
 * A rejected draw. The first rejection of a window at a hard limit emits an alert, which changes the counter
 * (CON-57).
 */
export type Rejected = {
  readonly rejection: Rejection;
  readonly meter: Meter;
  readonly alerts: readonly ConsumptionAlert[];
};

const counted = ({ counter }: Meter, units: bigint, cost = 0n): UsageCounterRow => ({
  ...counter,
  total: counter.total + units,
  consumed: counter.consumed + cost,
});

/** Whether the limit of a metered feature leaves room for a total. */
const fitsLimit = (terms: UsageTerms, total: bigint): boolean =>
  terms.unlimited || terms.allowsOverage || total <= terms.includedAmount;

function rejectUnits(terms: UsageTerms, meter: Meter): Rejected {
  const { total, alertLevel } = meter.counter;
  const details = {
    current: Number(total),
    included: Number(terms.includedAmount),
    remaining: Number(maxOf(0n, terms.includedAmount - total)),
  };
  const rejection: Rejection = specificRejection('included_limit_reached', 'not_covered', { details });
  if (alertLevel === 2) return { rejection, meter, alerts: [] };
  return {
    rejection,
    meter: { ...meter, counter: { ...meter.counter, alertLevel: 2 } },
    alerts: ['quota.exceeded'],
  };
}

function admitUnits(terms: UsageTerms, meter: Meter, units: bigint): Accepted | Rejected {
  const before = meter.counter;
  const counter = counted(meter, units);
  if (!fitsLimit(terms, counter.total)) return rejectUnits(terms, meter);
  const alertLevel = usageAlertLevel(terms, before.total, counter.total, before.alertLevel);
  const alert = usageAlert(before.alertLevel, alertLevel);
  return {
    meter: { ...meter, counter: { ...counter, alertLevel } },
    entries: [],
    alerts: alert === null ? [] : [alert],
  };
}

function admitCredits(meter: Meter, { units, cost }: { units: bigint; cost: bigint }): Accepted | Rejected {
  const { account } = meter;
  if (cost > creditsOf(account)) {
    const message = `This costs ${cost} credits; ${creditsOf(account)} are left.`;
    return { rejection: { code: 'insufficient_credits', message }, meter, alerts: [] };
  }
  const drawn = drawCredits(account, cost);
  const alert = creditsAlert(account, drawn.account);
  const after = alert === 'credits.low' ? { ...drawn.account, isLowSent: true } : drawn.account;
  return {
    meter: { account: after, counter: counted(meter, units, cost) },
    entries: drawn.entries,
    alerts: alert === null ? [] : [alert],
  };
}

function admitBalance(
  terms: UsageTerms,
  meter: Meter,
  { units, cost }: { units: bigint; cost: bigint },
): Accepted | Rejected {
  const { account } = meter;
  if (terms.isBlocking && cost > account.balanceRate) {
    return {
      rejection: specificRejection('insufficient_balance', 'not_covered'),
      meter,
      alerts: [],
    };
  }
  const drawn = drawBalance(account, cost);
  const alert = balanceAlert(account, drawn.account);
  return {
    meter: { account: drawn.account, counter: counted(meter, units, cost) },
    entries: drawn.entries,
    alerts: alert === null ? [] : [alert],
  };
}

/**
 * Consumes as a whole or rejects with the code of the model (CON-11). Units and cost are not negative. Pure:
 * the meter given stays as it is.
 */
export function admit(terms: UsageTerms, meter: Meter, draw: Draw): Accepted | Rejected {
  if (terms.model === 'metered') return admitUnits(terms, meter, draw.units);
  if (draw.cost === null) throw new Error(`A draw on a ${terms.model} plan has a cost.`);
  const priced = { units: draw.units, cost: draw.cost };
  return terms.model === 'credits' ? admitCredits(meter, priced) : admitBalance(terms, meter, priced);
}

/**
 * Sets the total of a metered feature in the open window (CON-14), 0 and more; an equal total moves nothing.
 * A total above a hard limit is rejected as an event would be, unless it lowers the present one.
 */
export function setTotal(terms: UsageTerms, meter: Meter, total: bigint): Accepted | Rejected {
  const difference = total - meter.counter.total;
  if (difference > 0n) return admitUnits(terms, meter, difference);
  return { meter: { ...meter, counter: counted(meter, difference) }, entries: [], alerts: [] };
}

/**
 * Whether the pool of a credits or balance plan no longer covers one more unit: what answers show as
 * `blocked` (CON-12).
 */
export function isBlocked(terms: UsageTerms, account: ConsumptionAccountRow): boolean {
  if (terms.model === 'credits') return creditsOf(account) < (terms.creditsPerUnit ?? 0n);
  if (terms.model === 'metered' || !terms.isBlocking) return false;
  return terms.pricingMode === 'ai_model'
    ? account.balanceRate <= 0n
    : account.balanceRate < (terms.unitPriceRate ?? 0n);
}
