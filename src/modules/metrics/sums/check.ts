import { type MrrScope, mrrScopes, scopeKeys } from '../../../domain/metrics/movements.ts';
import { differs, mrrOf, recurringState } from '../../../domain/metrics/recurring.ts';
import type { MrrState } from '../../../domain/rows/recurring-rows.ts';
import type { Context } from '../../../request/context.ts';
import type { SumMismatch } from '../day-sums/store.ts';
import { readWithPending } from '../metrics/load-pending.ts';
import {
  type HeldRevenue,
  type LevelSum,
  readActiveMismatches,
  readHeldRevenue,
  readLastStates,
  readLevels,
  readSubscriptionMrr,
} from '../metrics/store.ts';
import { checkSums } from './check-rows.ts';

/** Amount of recurring revenue that differs from its sources, in ten-thousandths of the currency unit (10,000 = 1.00). */
export type MrrMismatch = {
  /** ID of the subscription, or currency and group of the stored amount. */
  readonly subject: string;
  readonly expected: bigint;
  readonly actual: bigint;
};

/** Result of comparing metrics with their sources. */
export type MetricsReport = {
  readonly ok: boolean;
  readonly mismatches: readonly MrrMismatch[];
  /** Mismatches in other metrics, in minor units, in units of usage, or as counts. */
  readonly sumMismatches: readonly SumMismatch[];
  readonly checkedAt: Date;
  readonly subscriptionCount: number;
};

type States = ReadonlyMap<string, MrrState>;

/** Computes a subscription's recurring revenue from its row, counts, and add-ons. Uses the country in the subscription's last entry. */
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

/** Returns the MRR levels of one scope, by currency and group key. */
const levelsOf = (levels: readonly LevelSum[], scope: MrrScope): Map<string, bigint> =>
  sumsOf(
    levels
      .filter((row) => row.scope === scope)
      .map(({ currency, groupKey, amount }) => [`${currency} ${groupKey}`.trim(), amount]),
  );

/**
 * Computes monthly recurring revenue from the subscriptions, from each subscription's last entry, and from the stored
 * sums and amounts. Compares the results by subscription, currency, and dimension. Also compares other sums with their
 * sources. Makes up to three attempts, because concurrent writes can cause differences.
 */
export async function checkMetrics(ctx: Context, attempt = 1): Promise<MetricsReport> {
  const rows = await readHeldRevenue(ctx.sql);
  const last = await readLastStates(ctx.sql);
  const states = [...last.values()];
  const { stored, pending } = await readWithPending(ctx, () => readLevels(ctx.sql));
  const levels = [...stored, ...pending.filter(({ kind, span }) => kind === 'level' && span === 'month')];
  const mismatches = [
    ...subscriptionMismatches(rows, last),
    ...compare(
      sumsOf([...last].map(([id, state]) => [id, mrrOf(state)])),
      await readSubscriptionMrr(ctx.sql),
    ),
    ...mrrScopes.flatMap((scope) => {
      const keyOf = scopeKeys[scope];
      const expected = sumsOf(
        states.map((state) => [`${state.currency} ${keyOf(state)}`.trim(), mrrOf(state)]),
      );
      return compare(expected, levelsOf(levels, scope));
    }),
  ];
  const sumMismatches = [...(await checkSums(ctx)), ...(await readActiveMismatches(ctx.sql))];
  const ok = mismatches.length === 0 && sumMismatches.length === 0;
  if (!ok && attempt < 3) return checkMetrics(ctx, attempt + 1);
  return {
    ok,
    mismatches,
    sumMismatches,
    checkedAt: ctx.wall.now(),
    subscriptionCount: rows.length,
  };
}
