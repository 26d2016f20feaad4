import type { Context } from '../../context.ts';
import { groupOf } from '../../domain/metrics/movements.ts';
import { differs, mrrOf, recurringState } from '../../domain/metrics/recurring.ts';
import type { MrrState } from '../../domain/subscription/state/recurring-rows.ts';
import { readWithPending } from './load-pending.ts';
import { chooseRollups, dimensions, type RollupChoice } from './rules.ts';
import { type HeldRevenue, readHeldRevenue, readLastStates, readRollups } from './store.ts';

/** An amount of monthly recurring revenue that differs from what makes it up. Rate units. */
export type MrrMismatch = {
  /** The subscription, or the currency and group. */
  readonly subject: string;
  readonly expected: bigint;
  readonly actual: bigint;
};

/** Whether monthly recurring revenue is what its subscriptions make up, and where it is not. */
export type MetricsReport = {
  readonly ok: boolean;
  readonly mismatches: readonly MrrMismatch[];
  readonly checkedAt: Date;
  readonly subscriptionCount: number;
};

type States = ReadonlyMap<string, MrrState>;

/** What a subscription is worth by its own row, its counts and its add-ons. The country is that of its last entry. */
function stateOf({ counts, addons, ...row }: HeldRevenue, last: MrrState | undefined): MrrState | null {
  const held = new Map(counts.map(({ featureId, count }) => [featureId, BigInt(count)]));
  return recurringState(row, last?.country ?? null, {
    countOf: (featureId) => held.get(featureId) ?? 0n,
    addons: addons.map((id) => ({ id, status: 'active' })),
  });
}

function subscriptionMismatches(rows: readonly HeldRevenue[], last: States): MrrMismatch[] {
  const known = new Map(rows.map((row) => [row.id, stateOf(row, last.get(row.id))]));
  return [...new Set([...known.keys(), ...last.keys()])].flatMap((id) => {
    const [expected, actual] = [known.get(id) ?? null, last.get(id) ?? null];
    return differs(expected, actual)
      ? [{ subject: id, expected: mrrOf(expected), actual: mrrOf(actual) }]
      : [];
  });
}

/** Sums by currency and group. */
function sumsOf(rows: readonly (readonly [key: string, amount: bigint])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of rows) sums.set(key, (sums.get(key) ?? 0n) + amount);
  return sums;
}

function compare(expected: ReadonlyMap<string, bigint>, actual: ReadonlyMap<string, bigint>): MrrMismatch[] {
  return [...new Set([...expected.keys(), ...actual.keys()])].flatMap((subject) => {
    const mismatch = { subject, expected: expected.get(subject) ?? 0n, actual: actual.get(subject) ?? 0n };
    return mismatch.expected === mismatch.actual ? [] : [mismatch];
  });
}

const everything: Pick<RollupChoice, 'values' | 'currencies'> = {
  values: { plan: null, interval: null, country: null, provider: null },
  currencies: null,
};

/** All days, as one: levels of what comes before the last day there is. */
const always = { from: '9999-12-31', to: '9999-12-31' };

/**
 * Works out monthly recurring revenue from the subscriptions themselves, from the last entry of each, and from the sums of days, and compares the
 * three by subscription, by currency and by each way of grouping. Begins again when something was written meanwhile, up to three times.
 */
export async function checkMetrics(ctx: Context, attempt = 1): Promise<MetricsReport> {
  const rows = await readHeldRevenue(ctx.sql);
  const last = await readLastStates(ctx.sql);
  const states = [...last.values()];
  const mismatches = subscriptionMismatches(rows, last);
  for (const groupBy of [null, ...dimensions]) {
    const choice = { ...everything, groupBy };
    const { stored, pending } = await readWithPending(ctx, () => readRollups(ctx.sql, always, choice));
    const partOf = (state: MrrState): string =>
      groupBy === null ? '' : (groupOf(state).split('|')[dimensions.indexOf(groupBy)] ?? '');
    mismatches.push(
      ...compare(
        sumsOf(states.map((state) => [`${state.currency} ${partOf(state)}`.trim(), mrrOf(state)])),
        sumsOf(
          [...stored, ...chooseRollups(pending, always, choice)].map(({ currency, group, amount }) => [
            `${currency} ${group}`.trim(),
            amount,
          ]),
        ),
      ),
    );
  }
  if (mismatches.length > 0 && attempt < 3) return checkMetrics(ctx, attempt + 1);
  return {
    ok: mismatches.length === 0,
    mismatches,
    checkedAt: ctx.wall.now(),
    subscriptionCount: rows.length,
  };
}
