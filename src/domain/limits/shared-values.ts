// Current values of limits of the organization and of plans.
import { zero } from '../rates/exact.ts';
import type { Tried } from './admission.ts';
import { BookLimits } from './book-limits.ts';
import type { Convert } from './currencies.ts';
import { isShared, type LimitRow, type RaiseRow } from './limit.ts';
import { type SharedGaugeRow, sharedLevel, sharedNodes } from './shared.ts';

/** Stored rows of limits that belong to no customer. */
export type SharedRows = {
  readonly limits: readonly LimitRow[];
  readonly raises: readonly RaiseRow[];
  readonly gauges: ReadonlyMap<string, SharedGaugeRow>;
  readonly convert: Convert | null;
};

const unbounded = { start: 0, end: null };

/** Returns limits of the organization and of plans with their current values. Limits with amounts per currency appear once per currency. */
export function sharedValues(
  { limits, raises, gauges, convert }: SharedRows,
  currencies: readonly string[],
  now: Date,
): Tried[] {
  const details = {
    limits,
    budgets: [],
    states: new Map(),
    raises,
    convert,
    timeZones: new Map(),
    shared: gauges,
  };
  const book = new BookLimits(details, now, () => '');
  const shared = limits.filter(isShared);
  return shared.flatMap((limit) => {
    const planId = limit.planId ?? '';
    const nodes = sharedNodes(shared, '', planId).filter((node) => node.level === sharedLevel(limit));
    const own = limit.amounts.length === 0 ? [''] : currencies;
    return own.flatMap((currency) =>
      book.tryOn(
        {
          customerId: '',
          planId,
          currency,
          windows: { usageWindow: unbounded, billingPeriod: unbounded },
        },
        nodes,
        ({ id }) => (id === limit.id ? { delta: zero, used: null, rounded: null } : null),
      ),
    );
  });
}
