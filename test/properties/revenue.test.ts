import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conversion, fxScale } from '../../src/domain/metrics/conversion.ts';
import {
  type CustomerState,
  type FoldedEntry,
  foldEntries,
  type RollupChange,
} from '../../src/domain/metrics/fold.ts';
import { isNothing, mrrScopes, noSums, plus } from '../../src/domain/metrics/movements.ts';
import { mrrPoints } from '../../src/domain/metrics/mrr-series.ts';
import { bucketsOf, type Day, dayOf } from '../../src/domain/metrics/range.ts';
import { mrrOf, recurringState } from '../../src/domain/metrics/recurring.ts';
import { history, type Step, trials } from '../support/laws.ts';
import { Core } from './core.ts';

// Recurring revenue invariants for random histories of two customers (MET-13).

const horizon = 70;

function runSteps(steps: readonly Step[], core: Core): Core {
  let days = 0;
  for (const step of steps) {
    if (step.kind === 'wait') days += step.days;
    if (days <= horizon) core.do(step);
  }
  return core;
}

/** MRR entries of all customers in chronological order. */
const entriesOf = (cores: readonly Core[]): FoldedEntry[] =>
  cores
    .flatMap(({ mrr }) => mrr)
    .toSorted((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime())
    .map((entry, index) => ({ ...entry, seq: BigInt(index + 1) }));

/** Sums the changes in each row. Omits rows with a sum of 0. */
function sumByRow(changes: readonly RollupChange[]): Map<string, RollupChange> {
  const rows = new Map<string, RollupChange>();
  for (const row of changes) rows.set(row.id, { ...row, ...plus(rows.get(row.id) ?? noSums, row) });
  return new Map([...rows].filter(([, row]) => !isNothing(row)).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Adds entries in batches of the given size, like a worker that is stopped between batches. */
function foldInBatches(entries: readonly FoldedEntry[], size: number) {
  let customers: ReadonlyMap<string, CustomerState> = new Map();
  let day: Day | null = null;
  const rollups: RollupChange[] = [];
  for (let begin = 0; begin < entries.length; begin += size) {
    const folded = foldEntries(customers, entries.slice(begin, begin + size), day);
    customers = new Map([...customers, ...folded.customers]);
    day = folded.day;
    rollups.push(...folded.rollups);
    expect(folded.late).toEqual([]);
  }
  return { customers, rows: sumByRow(rollups) };
}

const total = (rows: readonly RollupChange[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n);

/** Returns the recurring revenue from a customer's current subscriptions. */
const currentMrr = ({ aggregate }: Core): bigint =>
  aggregate.subscriptions.reduce((sum, row) => {
    const use = {
      countOf: (id: string) => aggregate.counts.find(({ featureId }) => featureId === id)?.count ?? 0n,
      addons: aggregate.addons.filter(({ subscriptionId }) => subscriptionId === row.id),
    };
    return sum + mrrOf(recurringState(row, null, use));
  }, 0n);

test('MRR movements equal the changes in MRR in each group, regardless of the batch size (MET-13, MET-14)', () => {
  fc.assert(
    fc.property(history(20), history(20), fc.integer({ min: 1, max: 5 }), (first, second, size) => {
      const cores = [
        runSteps(first, new Core('whole', 'cus_1')),
        runSteps(second, new Core('whole', 'cus_2')),
      ];
      for (const { active, aggregate } of cores)
        expect(active).toBe(aggregate.subscriptions.filter(({ status }) => status === 'active').length);
      const entries = entriesOf(cores);
      const { rows, customers } = foldInBatches(entries, Math.max(1, entries.length));
      const steps = foldInBatches(entries, size);
      expect(steps.rows).toEqual(rows);
      expect(new Map([...steps.customers].toSorted())).toEqual(new Map([...customers].toSorted()));
      const all = [...rows.values()];
      // Checks that each group's movements equal the change in its revenue on that day.
      const groups = Map.groupBy(
        all,
        (row) => `${row.scope} ${row.span} ${row.day} ${row.currency} ${row.groupKey}`,
      );
      for (const [group, own] of groups) {
        const moved = own.filter(({ kind }) => kind !== 'level');
        expect([group, total(moved)]).toEqual([group, total(own) - total(moved)]);
      }
      // Checks the daily totals across all groups.
      const days = Map.groupBy(all, ({ span, day, currency }) => `${span} ${day} ${currency}`);
      for (const own of days.values()) {
        const levels = (scope: string) =>
          total(own.filter((row) => row.scope === scope && row.kind === 'level'));
        for (const scope of mrrScopes) expect(levels(scope)).toBe(levels('currency'));
        expect(total(own.filter(({ kind }) => kind.startsWith('transfer')))).toBe(0n);
      }
      const daily = all.filter(({ span }) => span === 'day');
      const levels = daily.filter(({ scope, kind }) => scope === 'currency' && kind === 'level');
      expect(total(levels)).toBe(cores.reduce((sum, core) => sum + currentMrr(core), 0n));
      const now = new Date(Math.max(...cores.map((core) => core.now.getTime())));
      const buckets = bucketsOf({ from: dayOf(cores[0]?.start ?? now), to: dayOf(now) }, 'week');
      const options = { now, conversion: null, excludeReasons: [] };
      const points = mrrPoints(
        daily.filter(({ scope }) => scope === 'currency'),
        { ...options, buckets },
      );
      for (const { opening, closing, movements, grossChurnBps } of points) {
        const moved = movements.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
        expect(closing).toBe((opening ?? 0n) + moved);
        expect(grossChurnBps === null || grossChurnBps >= 0n).toBe(true);
      }
      // Monthly points are the same in every scope, whether they're calculated from days or months.
      const months = bucketsOf({ from: dayOf(cores[0]?.start ?? now), to: dayOf(now) }, 'month');
      for (const own of Map.groupBy(all, ({ scope, groupKey }) => `${scope} ${groupKey}`).values()) {
        const [fromDays, fromMonths] = (['day', 'month'] as const).map((span) =>
          mrrPoints(
            own.filter((row) => row.span === span),
            { ...options, buckets: months },
          ),
        );
        expect(fromMonths?.slice(1)).toEqual(fromDays?.slice(1));
      }
    }),
    trials(100),
  );
});

/** Converts a customer's MRR entries to another currency. */
const inCurrency = (entries: readonly FoldedEntry[], customerId: string, currency: string): FoldedEntry[] =>
  entries.map((entry) => {
    const moved = (state: FoldedEntry['after']) => (state === null ? null : { ...state, currency });
    return entry.customerId === customerId
      ? { ...entry, before: moved(entry.before), after: moved(entry.after) }
      : entry;
  });

/** Returns an exchange rate from 0.5 to 1.5 units per US dollar, which differs each day. */
const rateOf = (currency: string, day: Day, salt: number): bigint => {
  if (currency === 'usd') return fxScale;
  const place = (Date.parse(day) / 86_400_000) * 7_919 + salt * 104_729;
  return fxScale / 2n + BigInt(place % 100_000_000);
};

test('MRR movements and exchange rate effects together equal the changes in MRR in each group, in a reporting currency (MET-33a)', () => {
  fc.assert(
    fc.property(history(20), history(20), fc.nat(1_000), (first, second, salt) => {
      const cores = [
        runSteps(first, new Core('whole', 'cus_1')),
        runSteps(second, new Core('whole', 'cus_2')),
      ];
      const { rows } = foldInBatches(inCurrency(entriesOf(cores), 'cus_2', 'eur'), 1_000_000);
      const daily = [...rows.values()].filter(({ span }) => span === 'day');
      const now = new Date(Math.max(...cores.map((core) => core.now.getTime())));
      const range = { from: dayOf(cores[0]?.start ?? now), to: dayOf(now) };
      const lookup = (currency: string, day: Day) =>
        ({ day, unitsPerUsd: rateOf(currency, day, salt), source: 'manual' }) as const;
      for (const own of Map.groupBy(daily, ({ scope, groupKey }) => `${scope} ${groupKey}`).values())
        for (const constant of [null, range.to]) {
          const conversion = new Conversion('usd', lookup, constant);
          const options = { now, conversion, excludeReasons: [], buckets: bucketsOf(range, 'day') };
          for (const { end, opening, closing, movements, fxImpact, components, atRisk } of mrrPoints(
            own,
            options,
          )) {
            const moved = movements.reduce((sum, { amount }) => sum + (amount ?? 0n), 0n);
            expect(closing).toBe((opening ?? 0n) + moved + (fxImpact ?? 0n));
            // The revenue is the sum of all currencies, converted at that day's exchange rate.
            const levels = Map.groupBy(
              own.filter(({ kind, day }) => kind === 'level' && day <= end),
              ({ currency }) => currency,
            );
            const converted = [...levels].map(
              ([currency, some]) => conversion.rate(total(some), currency, end) ?? 0n,
            );
            expect(closing).toBe(converted.reduce((sum, one) => sum + one, 0n));
            // If the exchange rate is constant, only rounding differences remain: half a unit for each figure.
            const figures = BigInt(2 * levels.size + 2 * own.length);
            if (constant !== null)
              expect(fxImpact !== null && fxImpact <= figures && -fxImpact <= figures).toBe(true);
            const parts = Object.values(components).reduce<bigint>((sum, one) => sum + (one ?? 0n), 0n);
            const rounding = parts - (closing ?? 0n);
            expect(rounding <= 5n && rounding >= -5n).toBe(true);
            expect(atRisk !== null && atRisk <= (closing ?? 0n) + 5n).toBe(true);
          }
        }
    }),
    trials(50),
  );
});
