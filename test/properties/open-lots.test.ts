import { expect, test } from 'vitest';
import { accountWith, amountOf, amountsIn } from '../../src/domain/lots/account.ts';
import { consume } from '../../src/domain/lots/movements.ts';
import {
  firstLots,
  keptLots,
  LotsNeededError,
  type OpenLots,
  openLots,
} from '../../src/domain/lots/open-lots.ts';
import { inDrawOrder } from '../../src/domain/lots/order.ts';
import type { Movement } from '../../src/domain/lots/posting.ts';
import type { LotRow } from '../../src/domain/rows/usage-rows.ts';
import { type AccountChanges, account, lot } from '../domain/usage/facts.ts';
import { histories, type Random, randomOf } from '../support/random.ts';

// Random draws on accounts with many lots. Accounts of which only the next lots are loaded must give the same results as
// accounts whose lots are all loaded.

const day = 86_400_000;
const start = Date.parse('2027-04-05T00:00:00Z');

const hasFeatures = ({ features }: LotRow): boolean => features.length > 0;

function randomLots({ below, pick }: Random): LotRow[] {
  const made = Array.from({ length: 20 + below(100) }, () =>
    lot({
      source: pick(['promotion', 'purchase', 'adjustment', 'rollover'] as const),
      asset: pick(['credits', 'credits', 'usd']),
      priority: pick([0, 5, 5, 10]),
      remaining: BigInt(below(5)),
      amount: 5n,
      features: below(10) === 0 ? ['ftr_1'] : [],
      expiresAt: below(3) === 0 ? new Date(start + (1 + below(30)) * day) : null,
      effectiveAt: new Date(start - below(3) * day),
    }),
  );
  return [...made, lot({ source: 'plan', remaining: BigInt(below(3)) })];
}

/** Returns the lots that the database returns for a limit (PRM-20). */
function readLots(all: readonly LotRow[], limit: number): OpenLots {
  if (all.length <= 2 * limit) return openLots(all, all.length, limit);
  const isPlain = (row: LotRow): boolean =>
    row.source !== 'plan' && row.source !== 'overdraft' && !hasFeatures(row) && row.remaining > 0n;
  const next = Map.groupBy(inDrawOrder(all.filter(isPlain)), ({ asset }) => asset);
  const first = all
    .filter((row) => isPlain(row) && row.expiresAt !== null)
    .toSorted((a, b) => Number(a.expiresAt) - Number(b.expiresAt));
  const read = new Set([...[...next.values()].flatMap((rows) => rows.slice(0, limit)), ...first.slice(0, 1)]);
  const isAlwaysRead = (row: LotRow): boolean =>
    row.source === 'plan' || row.source === 'overdraft' || hasFeatures(row);
  return openLots(
    all.filter((row) => read.has(row) || isAlwaysRead(row)),
    all.length,
    limit,
  );
}

/** Applies a draw. Loads more lots until they are sufficient. Returns the number of reads. */
function consumed(
  whole: Movement['account'],
  held: OpenLots,
  draw: readonly [pool: string, cost: bigint, featureId: string],
): { readonly movement: Movement; readonly reads: number } {
  let lots = held;
  for (let reads = 0; ; reads++) {
    try {
      const { context } = whole;
      return {
        movement: consume(accountWith(whole, lots.lots, context, lots.unloaded), ...draw),
        reads,
      };
    } catch (error) {
      if (!(error instanceof LotsNeededError)) throw error;
      lots = readLots(whole.lots, 16 * (lots.unloaded?.limit ?? 0));
    }
  }
}

const amountsOf = (of: Movement['account']) =>
  ['credits', 'balance'].map((pool) => [amountsIn(of, pool).amount, amountOf(of, pool, 'ftr_2')]);

test('draws on the next lots equal draws on all lots (PRM-20)', () => {
  let [partial, reads] = [0, 0];
  for (let seed = 0; seed < histories(80); seed++) {
    const random = randomOf(seed);
    const changes: AccountChanges = { lots: randomLots(random), now: new Date(start) };
    let whole = account(changes);
    let held = readLots(whole.lots, firstLots);
    for (let draw = 0; draw < 40; draw++) {
      const cost = BigInt(random.below(random.pick([4, 4, 60])) * random.pick([1, 1, 1, -1]));
      const drawn = [random.pick(['credits', 'balance']), cost, random.pick(['ftr_1', 'ftr_2'])] as const;
      const expected = consume(whole, ...drawn);
      const { movement, reads: more } = consumed(whole, held, drawn);
      const newIds = (ids: readonly { readonly lotId: string }[]) =>
        ids.map((entry) => ({ ...entry, lotId: entry.lotId.startsWith('lot_given') ? entry.lotId : 'new' }));
      expect({ seed, draw, entries: newIds(movement.entries) }).toEqual({
        seed,
        draw,
        entries: newIds(expected.entries),
      });
      expect({ seed, draw, amounts: amountsOf(movement.account) }).toEqual({
        seed,
        draw,
        amounts: amountsOf(expected.account),
      });
      if (held.unloaded !== null) partial++;
      reads += more;
      const { unloaded, lots } = movement.account;
      const own = new Map(lots.map((row) => [row.id, row]));
      const others = unloaded === null ? [] : whole.lots.filter(({ id }) => !own.has(id));
      whole = accountWith(movement.account, [...lots, ...others], whole.context);
      held = keptLots({ lots, unloaded });
      expect(held.lots.length).toBeLessThan(64);
    }
  }
  expect(partial).toBeGreaterThan(500);
  expect(reads).toBeGreaterThan(20);
});
