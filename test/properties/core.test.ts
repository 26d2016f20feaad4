import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../src/domain/ledger/verify.ts';
import { amountsIn } from '../../src/domain/lots/account.ts';
import { maxOf } from '../../src/domain/money/money.ts';
import { poolOfAsset } from '../../src/domain/pricing/pools.ts';
import type { InvoiceRow } from '../../src/domain/subscription/state/aggregate.ts';
import { reloaded } from '../../src/engine/load/reload.ts';
import { timeline } from '../../src/engine/simulate.ts';
import { sandboxGateway } from '../../src/providers/sandbox.ts';
import { creditParts } from '../domain/credits.ts';
import { history, type Step, trials } from '../support/laws.ts';
import { Core, type Pace, plans } from './core.ts';

// Invariants of the pure billing core for random histories with 40 steps within 70 days: creations, checkouts, cancellations, offers,
// seats, purchases, and advancing time.

const horizon = 70;

/** Executes the steps of a history up to the horizon. */
function runSteps(steps: readonly Step[], core: Core): Core {
  let days = 0;
  for (const step of steps) {
    if (step.kind === 'wait') days += step.days;
    if (days <= horizon) core.do(step);
  }
  return core;
}

const byPace = (steps: readonly Step[], pace: Pace): Core => runSteps(steps, new Core(pace));

const day = (instant: Date | null): string | null => instant?.toISOString() ?? null;

/** Observable result of a history. Excludes IDs, which differ between histories. */
const resultOf = (core: Core) => ({
  outcomes: core.outcomes,
  events: core.events,
  invoices: [...core.invoices.values()].map((one) => [
    one.type,
    one.status,
    one.total,
    day(one.periodStart),
    day(one.periodEnd),
    day(one.issueDate),
    day(one.paidAt),
    core.lines
      .filter(({ invoiceId }) => invoiceId === one.id)
      .map(({ lineType, amount }) => [lineType, amount]),
  ]),
  ledger: core.ledger.map(({ fact, debitAccount, creditAccount, amountMinor, occurredAt }) => [
    fact,
    debitAccount,
    creditAccount,
    amountMinor,
    day(occurredAt),
  ]),
  subscriptions: core.aggregate.subscriptions.map((one) => [
    one.status,
    day(one.periodStart),
    day(one.periodEnd),
    one.dunningAttempts,
  ]),
  accounts: core.accounts.map(({ pools }) => pools),
});

const law = (check: (steps: readonly Step[]) => void): void =>
  fc.assert(fc.property(history(40), check), trials(200));

/** A trial with an add-on and a scheduled change to a free plan, followed by random steps. */
const trialToFreePlan = fc
  .tuple(fc.integer({ min: 1, max: 8 }), fc.nat(20), history(20))
  .map(([days, card, [, , ...rest]]): readonly Step[] => [
    { kind: 'create', plan: plans.indexOf('trial'), offer: null, seats: 0 },
    { kind: 'pay', card },
    { kind: 'wait', days },
    { kind: 'addonOn' },
    { kind: 'change', plan: plans.indexOf('free'), offer: null },
    ...rest,
  ]);

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

const opens = (type: InvoiceRow['type']): boolean => type === 'reactivation' || type === 'plan_change';

const isRecurring = ({ type, status, periodStart, periodEnd }: InvoiceRow): boolean =>
  (type === 'recurring' || (opens(type) && status === 'paid')) && periodEnd > periodStart;

/**
 * Expects a subscription's base price charges to cover consecutive periods. Exceptions are reactivations and immediate plan changes, which
 * start a new period.
 */
function expectNoGap(core: Core): void {
  for (const { id } of core.aggregate.subscriptions) {
    const charged = [...core.invoices.values()].filter(
      (one) => one.subscriptionId === id && isRecurring(one),
    );
    for (const [index, invoice] of charged.entries()) {
      const before = charged[index - 1];
      if (before === undefined || opens(invoice.type)) continue;
      expect(invoice.periodStart).toEqual(before.periodEnd);
    }
  }
}

function expectSameResult(steps: readonly Step[]): void {
  const whole = resultOf(byPace(steps, 'whole'));
  expect(resultOf(byPace(steps, 'days'))).toEqual(whole);
  expect(resultOf(byPace(steps, 'steps'))).toEqual(whole);
}

test('a single clock advance has the same result as daily advances, even if all rows are reloaded after each deadline (BIL-50, BIL-54)', () => {
  law(expectSameResult);
});

test('a trial that has an add-on and changes to a free plan has the same result for any sequence of clock advances (SUB-49, BIL-10)', () => {
  fc.assert(fc.property(trialToFreePlan, expectSameResult), trials(50));
});

test('invoice totals equal the sum of their line items, the ledger matches the documents, and credits and balances equal the sum of their entries (BIL-15, CON-58)', () => {
  law((steps) => {
    const core = byPace(steps, 'whole');
    for (const invoice of core.invoices.values()) {
      const lines = core.lines.filter(({ invoiceId }) => invoiceId === invoice.id);
      const { subtotal, discountAmount, creditApplied, taxAmount, total } = invoice;
      expect(subtotal - discountAmount - creditApplied + taxAmount).toBe(total);
      // A proration credit that exceeds the charge becomes a customer credit, so the line items can have a negative sum (SUB-41).
      expect(maxOf(0n, sum(lines.map(({ amount }) => amount))) + taxAmount).toBe(total);
      expect(total >= 0n).toBe(true);
    }
    expect(
      verify(core.ledger, [...core.invoices.values()], creditParts(core.aggregate.lots, core.entries)),
    ).toEqual([]);
    for (const account of core.accounts) {
      const entries = core.entries.filter(({ subscriptionId }) => subscriptionId === account.id);
      for (const pool of ['credits', 'balance']) {
        const own = entries.filter(({ asset }) => poolOfAsset(asset) === pool);
        expect(sum(own.map(({ amount }) => amount))).toBe(amountsIn(account, pool).amount);
      }
      const byLot = Map.groupBy(entries, ({ lotId }) => lotId);
      for (const lot of core.aggregate.lots)
        expect(sum((byLot.get(lot.id) ?? []).map(({ amount }) => amount))).toBe(
          lot.subscriptionId === account.id ? lot.remaining : 0n,
        );
    }
  });
});

test('the periods charged for a plan have no gaps or overlaps (SUB-60, BIL-6)', () => {
  law((steps) => expectNoGap(byPace(steps, 'whole')));
});

test("a customer's billing doesn't depend on other customers, and all deadlines are processed in chronological order (BIL-2)", () => {
  fc.assert(
    fc.property(history(12), history(12), (first, second) => {
      const cores = [
        runSteps(first, new Core('whole', 'cus_1')),
        runSteps(second, new Core('whole', 'cus_2')),
      ];
      const until = new Date(Math.max(...cores.map(({ now }) => now.getTime())) + horizon * 86_400_000);
      const from = new Date(Math.max(...cores.map(({ now }) => now.getTime())));
      const options = { from, until, gateways: { gatewayOf: () => sandboxGateway } };
      const emitted = (aggregates: readonly Core['aggregate'][], deps: Core['deps']) =>
        [...timeline(aggregates, { ...options, deps })].map(({ deadline, now, status, item, changes }) => ({
          customerId: deadline.customerId,
          now: now.getTime(),
          what: [
            deadline.kind,
            deadline.dueAt,
            status,
            item?.outcome,
            [...(changes?.invoices.values() ?? [])].map(({ row }) => row.total),
          ],
        }));
      const [one, two] = cores;
      if (one === undefined || two === undefined) throw new Error('There are two.');
      const together = emitted([one.aggregate, two.aggregate], one.deps);
      for (const core of cores) {
        const own = together.filter(({ customerId }) => customerId === core.aggregate.customer.id);
        expect(own).toEqual(emitted([core.aggregate], core.deps));
      }
      const instants = together.map(({ now }) => now);
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
    }),
    trials(50),
  );
});

test('reloading a customer preserves all outstanding invoices and all deadlines', () => {
  law((steps) => {
    const core = byPace(steps, 'whole');
    const again = reloaded(core.aggregate, core.now);
    expect(reloaded(again, core.now)).toEqual(again);
    expect(again.invoices.filter(({ status }) => status === 'outstanding')).toEqual(
      core.aggregate.invoices.filter(({ status }) => status === 'outstanding'),
    );
    expect(again.deadlines).toEqual(core.aggregate.deadlines);
  });
});
