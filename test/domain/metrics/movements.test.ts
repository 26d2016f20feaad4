import { describe, expect, test } from 'vitest';
import {
  type CustomerState,
  type FoldedEntry,
  foldEntries,
  type RollupChange,
} from '../../../src/domain/metrics/fold.ts';
import { distribute, kindOf, mrrScopes } from '../../../src/domain/metrics/movements.ts';
import type { Day } from '../../../src/domain/metrics/range.ts';
import type { MrrReason, MrrState } from '../../../src/domain/rows/recurring-rows.ts';

// Customer movements (MET-10 to MET-14), with the calculated examples from the specification.

const state = (mrr: number, changes: Partial<MrrState> = {}): MrrState => ({
  base: String(mrr),
  discount: '0',
  seats: '0',
  quota: '0',
  addons: '0',
  planId: `pln_${mrr}`,
  interval: 'monthly',
  country: 'US',
  provider: 'platform',
  currency: 'usd',
  isPastDue: false,
  ...changes,
});

/** Creates a business whose customers have one subscription each. */
class Business {
  customers: ReadonlyMap<string, CustomerState> = new Map();
  rollups: RollupChange[] = [];
  movements = new Map<string, string>();
  day: Day | null = null;
  #seq = 0n;
  readonly #last = new Map<string, MrrState | null>();

  entry(
    at: string,
    customerId: string,
    after: MrrState | null,
    reason: MrrReason = 'activated',
  ): FoldedEntry {
    const before = this.#last.get(customerId) ?? null;
    this.#last.set(customerId, after);
    const occurredAt = new Date(at.length === 10 ? `${at}T12:00:00Z` : at);
    return {
      customerId,
      subscriptionId: `sub_${customerId}`,
      reason,
      before,
      after,
      occurredAt,
      countedOn: null,
      seq: ++this.#seq,
    };
  }

  fold(...entries: FoldedEntry[]): void {
    const folded = foldEntries(this.customers, entries, this.day);
    this.customers = new Map([...this.customers, ...folded.customers]);
    this.day = folded.day;
    this.rollups.push(...folded.rollups);
    for (const { customerId, day, movements } of folded.days) {
      this.movements.delete(`${day} ${customerId}`);
      for (const { kind, before, after, reason } of movements)
        this.movements.set(`${day} ${customerId}`, `${kind} ${after - before} ${reason}`);
    }
  }

  sums(of: Partial<RollupChange>, by: (row: RollupChange) => string): Record<string, bigint> {
    const wanted = { span: 'day', ...of };
    const sums: Record<string, bigint> = {};
    for (const row of this.rollups) {
      if (!Object.entries(wanted).every(([name, value]) => row[name as keyof RollupChange] === value))
        continue;
      sums[by(row)] = (sums[by(row)] ?? 0n) + row.amount;
    }
    return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0n));
  }
}

test.each([
  [0n, 5n, false, 'new'],
  [0n, 5n, true, 'reactivation'],
  [5n, 0n, true, 'churn'],
  [5n, 6n, true, 'expansion'],
  [5n, 4n, true, 'contraction'],
  [5n, 5n, true, null],
  [0n, 0n, false, null],
] as const)(
  'an MRR change from %d to %d with an earlier payment (%s) has the type %s (MET-10)',
  (before, after, paid, kind) => {
    expect(kindOf(before, after, paid)).toBe(kind);
  },
);

describe("a month's movements (MET-E3)", () => {
  const [a, b, c] = [state(420_000), state(415_833), state(411_667)];
  const business = new Business();
  business.fold(
    business.entry('2027-02-01', 'A', a),
    business.entry('2027-02-01', 'B', b),
    business.entry('2027-02-01', 'C', c),
  );
  business.fold(
    business.entry('2027-03-03', 'D', state(420_000)),
    business.entry('2027-03-07', 'A', state(790_000), 'plan_changed'),
    business.entry('2027-03-12', 'C', null, 'canceled'),
    business.entry('2027-03-18', 'D', state(420_000, { discount: '-126000' }), 'discount_started'),
    business.entry('2027-03-25', 'C', c, 'reactivated'),
  );

  test('include one movement of the correct type for each entry', () => {
    expect([...business.movements.entries()].slice(3)).toEqual([
      ['2027-03-03 D', 'new 420000 activated'],
      ['2027-03-07 A', 'expansion 370000 plan_changed'],
      ['2027-03-12 C', 'churn -411667 canceled'],
      ['2027-03-18 D', 'contraction -126000 discount_started'],
      ['2027-03-25 C', 'reactivation 411667 reactivated'],
    ]);
  });

  test('add up to the difference between the opening and closing MRR (MET-13)', () => {
    const until = (day: Day): bigint =>
      business.rollups
        .filter(
          (row) => row.scope === 'currency' && row.span === 'day' && row.kind === 'level' && row.day <= day,
        )
        .reduce((sum, { amount }) => sum + amount, 0n);
    expect(until('2027-02-28')).toBe(1_247_500n);
    expect(until('2027-03-31')).toBe(1_911_500n);
    const moved = business.rollups.filter(
      (row) =>
        row.scope === 'currency' && row.span === 'day' && row.kind !== 'level' && row.day > '2027-02-28',
    );
    expect(moved.reduce((sum, { amount }) => sum + amount, 0n)).toBe(664_000n);
  });
});

describe('a day with several movements (MET-E4, MET-11)', () => {
  test('combines a new subscription and an upgrade into one movement of the type new, in daily and monthly sums', () => {
    const business = new Business();
    business.fold(business.entry('2027-03-01T09:00:00Z', 'E', state(420_000)));
    expect(business.movements.get('2027-03-01 E')).toBe('new 420000 activated');
    business.fold(business.entry('2027-03-01T16:00:00Z', 'E', state(790_000), 'plan_changed'));
    expect([...business.movements]).toEqual([['2027-03-01 E', 'new 790000 plan_changed']]);
    expect(business.sums({ scope: 'currency' }, ({ kind }) => kind)).toEqual({
      new: 790_000n,
      level: 790_000n,
    });
  });

  test('omits a subscription that is refunded on the same day, and counts the customer as new at a later subscription', () => {
    const business = new Business();
    business.fold(business.entry('2027-03-01T10:00:00Z', 'F', state(420_000)));
    business.fold(business.entry('2027-03-01T15:00:00Z', 'F', null, 'refunded'));
    expect([...business.movements]).toEqual([]);
    expect(business.sums({}, ({ id }) => id)).toEqual({});
    expect(business.sums({ span: 'month' }, ({ id }) => id)).toEqual({});
    business.fold(business.entry('2027-03-02', 'F', state(420_000)));
    expect([...business.movements]).toEqual([['2027-03-02 F', 'new 420000 activated']]);
  });
});

describe('a movement between groups (MET-E5, MET-14)', () => {
  const byPlan = ({ groupKey, kind }: RollupChange) => `${groupKey.split('|')[0]} ${kind}`;
  const byKey = ({ groupKey, kind }: RollupChange) => `${groupKey} ${kind}`;

  test('consists of a transfer between plans and an expansion on the new plan for an upgrade', () => {
    const business = new Business();
    business.fold(business.entry('2027-03-01', 'A', state(420_000)));
    business.rollups = [];
    business.fold(business.entry('2027-03-07', 'A', state(790_000), 'plan_changed'));
    expect(business.sums({ scope: 'group' }, byPlan)).toEqual({
      'pln_420000 transfer_out': -420_000n,
      'pln_420000 level': -420_000n,
      'pln_790000 transfer_in': 420_000n,
      'pln_790000 expansion': 370_000n,
      'pln_790000 level': 790_000n,
    });
    expect(business.sums({ scope: 'plan' }, byKey)).toEqual(business.sums({ scope: 'group' }, byPlan));
  });

  test('consists of a transfer between plans and a contraction on the old plan for a downgrade', () => {
    const business = new Business();
    business.fold(business.entry('2027-03-01', 'A', state(790_000)));
    business.rollups = [];
    business.fold(business.entry('2027-03-07', 'A', state(420_000), 'plan_changed'));
    expect(business.sums({ scope: 'group' }, byPlan)).toEqual({
      'pln_790000 transfer_out': -420_000n,
      'pln_790000 contraction': -370_000n,
      'pln_790000 level': -790_000n,
      'pln_420000 transfer_in': 420_000n,
      'pln_420000 level': 420_000n,
    });
    expect(business.sums({ scope: 'plan' }, byKey)).toEqual(business.sums({ scope: 'group' }, byPlan));
  });

  test('is only an expansion by country if the plan changes', () => {
    const business = new Business();
    business.fold(business.entry('2027-03-01', 'A', state(420_000)));
    business.rollups = [];
    business.fold(business.entry('2027-03-07', 'A', state(790_000), 'plan_changed'));
    expect(business.sums({ scope: 'country' }, byKey)).toEqual({
      'US expansion': 370_000n,
      'US level': 370_000n,
    });
  });

  test('has a monthly sum equal to the sum of the days', () => {
    const business = new Business();
    business.fold(
      business.entry('2027-03-31', 'A', state(420_000)),
      business.entry('2027-04-01', 'A', state(790_000), 'plan_changed'),
      business.entry('2027-04-30', 'A', null, 'canceled'),
    );
    const byDay = ({ day, kind }: RollupChange) => `${day} ${kind}`;
    expect(business.sums({ scope: 'currency', span: 'month' }, byDay)).toEqual({
      '2027-03-01 new': 420_000n,
      '2027-03-01 level': 420_000n,
      '2027-04-01 expansion': 370_000n,
      '2027-04-01 churn': -790_000n,
      '2027-04-01 level': -420_000n,
    });
  });

  test('matches groups that decreased with groups that increased, in order of name', () => {
    const changes = new Map([
      ['d', 30n],
      ['a', -50n],
      ['c', 40n],
      ['b', -5n],
    ]);
    const { transfers, rest } = distribute(changes);
    expect(transfers).toEqual([
      { from: 'a', to: 'c', amount: 40n },
      { from: 'a', to: 'd', amount: 10n },
      { from: 'b', to: 'd', amount: 5n },
    ]);
    expect(Object.fromEntries(rest)).toEqual({ a: 0n, b: 0n, c: 0n, d: 15n });
  });
});

test('an entry for an earlier day is added to the latest day (MET-71a)', () => {
  const business = new Business();
  business.fold(business.entry('2027-03-05', 'A', state(420_000)));
  business.fold(business.entry('2027-03-04T23:59:59Z', 'B', state(420_000)));
  expect([...business.movements.keys()]).toEqual(['2027-03-05 A', '2027-03-05 B']);
});

test('a past-due subscription is marked as at risk, without a revenue movement (MET-3)', () => {
  const business = new Business();
  business.fold(business.entry('2027-03-05', 'A', state(420_000)));
  business.rollups = [];
  business.fold(business.entry('2027-04-05', 'A', state(420_000, { isPastDue: true }), 'past_due'));
  expect([...business.movements.keys()]).toEqual(['2027-03-05 A']);
  const days = business.rollups.filter(({ span }) => span === 'day');
  expect(days.map(({ scope, kind, amount, atRisk }) => [scope, kind, amount, atRisk])).toEqual(
    mrrScopes.toSorted().map((scope) => [scope, 'level', 0n, 420_000n]),
  );
});
