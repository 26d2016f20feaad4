import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verify } from '../../src/domain/ledger/verify.ts';
import { amountsIn } from '../../src/domain/lots/account.ts';
import { maxOf } from '../../src/domain/money/money.ts';
import { poolOfAsset, poolOfStored } from '../../src/domain/pricing/pools.ts';
import { roundedTo } from '../../src/domain/rates/exact.ts';
import type { EndedUsageRow } from '../../src/domain/rows/ended-usage.ts';
import type { InvoiceLineRow, InvoiceRow } from '../../src/domain/rows/rows.ts';
import { endedTerms } from '../../src/domain/usage/ended-terms.ts';
import { overdraftMinor } from '../../src/domain/usage/overdraft.ts';
import { priceOfUsage } from '../../src/domain/usage/window.ts';
import { creditParts } from '../domain/credits.ts';
import { choose, trials } from '../support/laws.ts';
import { prepaidPlans } from './prepaid-catalog.ts';
import { type Mood, PrepaidCore } from './prepaid-core.ts';

// Laws of commitments, pools, and prices by dimension for random histories of usage, corrections, plan changes, cancellations, and
// renewals (PRM-24, PRM-101, PRM-127 to PRM-129, PRM-141).

type Step =
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'use'; readonly feature: string; readonly value: number; readonly region: string | null }
  | {
      readonly kind: 'correct';
      readonly event: number;
      readonly value: number | null;
      readonly region: string | null;
    }
  | {
      readonly kind: 'commit';
      readonly price: number;
      readonly amount: number;
      readonly months: number;
      readonly rolls: boolean;
      readonly renews: boolean;
    }
  | { readonly kind: 'mood'; readonly mood: Mood }
  | { readonly kind: 'answer'; readonly pays: boolean }
  | { readonly kind: 'change'; readonly plan: number }
  | { readonly kind: 'cancel'; readonly immediate: boolean }
  | { readonly kind: 'uncancel' }
  | { readonly kind: 'reactivate' }
  | { readonly kind: 'void' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'late'; readonly value: number; readonly days: number }
  | { readonly kind: 'topUp'; readonly amount: number }
  | { readonly kind: 'grant'; readonly amount: number }
  | { readonly kind: 'credit'; readonly amount: number };

const region = fc.constantFrom(null, 'eu', 'us', 'ca', 'br');
const amount = fc.integer({ min: 1, max: 90 });
const constant = <K extends string>(kind: K) => fc.constant(kind);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: constant('wait'), days: fc.integer({ min: 1, max: 14 }) }) },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: constant('use'),
      feature: fc.constantFrom('calls', 'calls', 'calls', 'exports', 'storage'),
      value: amount,
      region,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: constant('correct'),
      event: fc.nat(60),
      value: fc.option(amount, { freq: 2 }),
      region,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: constant('commit'),
      price: fc.integer({ min: 40, max: 9_000 }),
      amount: fc.integer({ min: 1, max: 60 }),
      months: fc.integer({ min: 1, max: 2 }),
      rolls: fc.boolean(),
      renews: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: constant('mood'),
      mood: fc.constantFrom('pays' as const, 'pays' as const, 'declines' as const, 'silent' as const),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: constant('answer'), pays: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: constant('late'), value: amount, days: fc.integer({ min: 20, max: 45 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: constant('change'), plan: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: constant('cancel'), immediate: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('uncancel' as const, 'reactivate' as const, 'void' as const, 'empty' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('topUp' as const, 'grant' as const, 'credit' as const),
      amount: fc.integer({ min: 40, max: 2_000 }),
    }),
  },
);

const history: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 40, maxLength: 40 });

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);

const shown = (lines: readonly InvoiceLineRow[]) =>
  lines.map(({ lineType, amount, description }) => [lineType, amount, description]);

/** Advances the time. The next invoice must be equal to its preview. */
function wait(core: PrepaidCore, step: Extract<Step, { readonly kind: 'wait' }>): void {
  const { subscription, mood } = core;
  const isCharging = core.aggregate.transactions.some(({ status }) => status === 'pending');
  const isPreviewed = mood === 'pays' && !isCharging && subscription?.status === 'active';
  const preview = isPreviewed ? core.preview(subscription.id) : null;
  const before = new Set(core.invoices.keys());
  core.do(step);
  const issued = [...core.invoices.values()].find(
    ({ id, subscriptionId, type }) =>
      !before.has(id) && subscriptionId === subscription?.id && type !== 'credit_purchase',
  );
  if (!isPreviewed) return;
  if (preview === null || preview.at > core.now) expect(issued).toBeUndefined();
  else
    expect(shown(core.lines.filter(({ invoiceId }) => invoiceId === issued?.id))).toEqual(
      shown(preview.lines),
    );
}

/** Uses up a granted lot, and voids the usage in a later window. */
function voidLate(core: PrepaidCore, { value, days }: Extract<Step, { readonly kind: 'late' }>): void {
  take(core, { kind: 'grant', amount: 40 });
  const recorded = core.usageEvents.length;
  take(core, { kind: 'use', feature: 'calls', value, region: null });
  take(core, { kind: 'empty' });
  take(core, { kind: 'wait', days });
  const event = core.usageEvents[recorded];
  if (event !== undefined) core.correct(event, null);
}

function take(core: PrepaidCore, step: Step): void {
  if (step.kind === 'late') return voidLate(core, step);
  if (step.kind === 'wait') return wait(core, step);
  if (step.kind === 'mood') {
    core.mood = step.mood;
    return;
  }
  if (step.kind === 'use') {
    core.use(step.feature, step.value, step.region);
    return;
  }
  if (step.kind === 'correct') {
    if (core.usageEvents.length === 0) return;
    const event = choose(core.usageEvents.toReversed(), step.event);
    core.correct(event, step.value === null ? null : { value: step.value, region: step.region });
    return;
  }
  const { subscription } = core;
  if (subscription === undefined) throw new Error('There is a subscription.');
  const about = { subscriptionId: subscription.id };
  if (step.kind === 'commit')
    core.run({
      kind: 'commitment.purchase',
      ...about,
      priceMinor: BigInt(step.price),
      amount: BigInt(step.amount) * 1_000n,
      asset: null,
      appliesTo: null,
      validMonths: step.months,
      atEnd: step.rolls ? 'roll_once' : 'expire',
      autoRenew: step.renews,
      description: null,
    });
  else if (step.kind === 'answer') {
    const pending = core.aggregate.transactions.find(({ status }) => status === 'pending');
    if (pending === undefined) return;
    const result = step.pays
      ? { status: 'settled' }
      : { status: 'declined', declineCode: 'card_declined', message: 'The card was declined.' };
    core.run({ kind: 'charge.result', transactionId: pending.id, result });
  } else if (step.kind === 'change') {
    const request = {
      newPlanId: choose(prepaidPlans, step.plan),
      newBillingInterval: null,
      offerId: null,
      isPortal: false,
    };
    core.run({ kind: 'subscription.change_plan', ...about, request, successUrl: null });
  } else if (step.kind === 'cancel')
    core.run({ kind: 'subscription.cancel', ...about, reason: null, immediate: step.immediate });
  else if (step.kind === 'uncancel') core.run({ kind: 'subscription.uncancel', ...about });
  else if (step.kind === 'reactivate') core.run({ kind: 'subscription.reactivate', ...about, offerId: null });
  else if (step.kind === 'void') {
    const open = core.aggregate.invoices.find(({ status }) => status === 'outstanding');
    if (open !== undefined) core.run({ kind: 'invoice.mark', invoiceId: open.id, status: 'void' });
  } else if (step.kind === 'empty') {
    const [account] = core.aggregate.accounts;
    const [pool] = Object.entries(account?.pools ?? {});
    if (pool !== undefined)
      core.run({
        kind: 'balance.adjust',
        ...about,
        pool: pool[0],
        amount: -BigInt(pool[1].amount),
        reason: null,
      });
  } else if (step.kind === 'topUp')
    core.run({ kind: 'balance.topup', ...about, amountMinor: BigInt(step.amount) });
  else if (step.kind === 'credit')
    core.run({
      kind: 'credit.grant',
      creditId: core.deps.newId('crd'),
      amountMinor: BigInt(step.amount),
      currency: 'usd',
      source: 'manual',
      reason: 'Sorry.',
      expiresAt: null,
    });
  else
    core.run({
      kind: 'lot.grant',
      ...about,
      lotId: core.deps.newId('lot'),
      asset:
        subscription.planId === 'credits' ? 'credits' : subscription.planId === 'mixed' ? 'tokens' : 'usd',
      amount: BigInt(step.amount),
      priority: null,
      expiresAt: null,
      features: [],
      description: null,
    });
}

/** The account equals its lots and its entries, and no lot but the overdraft is negative (PRM-141). */
function expectAccounts(core: PrepaidCore): void {
  const { lots, accounts } = core.aggregate;
  for (const account of accounts) {
    const own = lots.filter(({ subscriptionId }) => subscriptionId === account.id);
    const entries = core.entries.filter(({ subscriptionId }) => subscriptionId === account.id);
    for (const pool of ['credits', 'balance', 'tokens']) {
      const { amount } = amountsIn(account, pool);
      expect(
        sum(own.filter((lot) => poolOfAsset(lot.asset) === pool).map(({ remaining }) => remaining)),
      ).toBe(amount);
      expect(
        sum(entries.filter((entry) => poolOfAsset(entry.asset) === pool).map((entry) => entry.amount)),
      ).toBe(amount);
    }
    for (const lot of own) {
      const ofLot = entries.filter(({ lotId }) => lotId === lot.id);
      expect(sum(ofLot.map((entry) => entry.amount))).toBe(lot.remaining);
      expect(lot.source === 'overdraft' ? lot.remaining <= 0n : lot.remaining >= 0n).toBe(true);
      if (!lot.isOpen) expect(lot.remaining).toBe(0n);
      if (lot.paidMinor !== null && lot.remaining === 0n)
        expect(sum(ofLot.map(({ valueMinor }) => valueMinor ?? 0n))).toBe(lot.paidMinor);
    }
  }
}

/** The deductions of an open window and the waived amounts equal the rounded price of the total (PRM-101, PRM-127). */
function expectDeductions(core: PrepaidCore): void {
  for (const counter of core.aggregate.counters) {
    const terms = core.termsOf(counter);
    if (terms === null || terms.pool === null || terms.rates === null) continue;
    if (core.carriedTo.has(counter.windowStart.getTime()) || core.endedOf(counter).length > 0) continue;
    const cells = core.aggregate.cells.filter(
      (cell) =>
        cell.subscriptionId === counter.subscriptionId &&
        cell.featureId === counter.featureId &&
        cell.windowStart.getTime() === counter.windowStart.getTime(),
    );
    const price = priceOfUsage(terms, terms.rates, {
      ...counter,
      ...(counter.featureId === 'calls' ? { cells } : {}),
    });
    const waived = core.corrections
      .filter(
        (row) =>
          row.subscriptionId === counter.subscriptionId &&
          row.featureId === counter.featureId &&
          row.windowStart.getTime() === counter.windowStart.getTime(),
      )
      .map((row) => row.waived ?? 0n);
    expect(counter.consumed + counter.waived + sum(waived)).toBe(roundedTo(price, terms.pool.scale));
  }
}

/** The entries of an open window equal the deductions of its usage, unless a lot that the usage drew on has ended (PRM-141). */
function expectEntries(core: PrepaidCore): void {
  const { counters, lots } = core.aggregate;
  for (const counter of counters) {
    const terms = core.termsOf(counter);
    if (terms === null || terms.pool === null || core.carriedTo.has(counter.windowStart.getTime())) continue;
    const entries = core.entries.filter(({ type, sourceId, subscriptionId, featureId, windowStart }) => {
      if (type !== 'consumption' && type !== 'return') return false;
      const event = core.usageEvents.find(({ id }) => id === sourceId);
      const own = { subscriptionId: subscriptionId ?? '', featureId: featureId ?? '', windowStart };
      return core.isSameWindow(event ?? own, counter);
    });
    const drawn = new Set(entries.map(({ lotId }) => lotId));
    const isLeft = lots.every(({ id, isOpen }) => isOpen || !drawn.has(id));
    if (isLeft) expect(-sum(entries.map(({ amount }) => amount))).toBe(counter.consumed);
  }
}

/** The corrections of ended windows equal the differences to the billed prices. A correction of a level concerns several windows (PRM-128). */
function expectCorrections(core: PrepaidCore): void {
  for (const [id, billed] of core.billed) {
    const row = core.endedUsage.find((one) => one.id === id);
    if (row === undefined || row.featureId === 'storage' || !core.isLatest(row)) continue;
    const corrections = core.corrections.filter(
      ({ subscriptionId, featureId, windowStart, seq }) =>
        subscriptionId === row.subscriptionId &&
        featureId === row.featureId &&
        windowStart.getTime() === row.windowStart.getTime() &&
        seq > row.seq,
    );
    const terms = endedTerms(row, 'usd');
    if (terms.pool === null)
      expect(billed + sum(corrections.map(({ amountMinor }) => amountMinor ?? 0n))).toBe(
        core.priceOfEnded(row),
      );
  }
}

/** A void in an ended window returns the whole amount that the event drew from lots that haven't ended (PRM-129). */
function expectReturns({ returns }: PrepaidCore): void {
  for (const { drawn, returned } of returns) expect(returned).toBe(drawn);
}

/** The total of each window is the sum of its events that weren't corrected (PRM-127). */
function expectTotals(core: PrepaidCore): void {
  const open = core.aggregate.counters.filter((counter) => core.termsOf(counter) !== null);
  const ended = core.endedUsage.filter(
    (row) =>
      core.isLatest(row) &&
      !core.canceled.has(row.subscriptionId) &&
      !open.some((one) => core.isSameWindow(one, row)),
  );
  for (const row of [...open, ...ended].filter(({ featureId }) => featureId !== 'storage')) {
    const events = core.usageEvents.filter(
      (event) => core.isSameWindow(event, row) && !core.isCorrected(event),
    );
    expect(row.total).toBe(sum(events.map(({ units, value }) => units ?? value)));
  }
}

/** The invoices and the pending corrections equal the prices of all ended windows (PRM-128, PRM-129). */
function expectBilled(core: PrepaidCore): void {
  for (const { id, corrections } of core.aggregate.subscriptions) {
    const invoices = [...core.invoices.values()].filter(
      ({ subscriptionId, type }) => subscriptionId === id && type !== 'credit_purchase',
    );
    const isUnpaidChange = ({ type, status: of }: InvoiceRow): boolean =>
      type === 'plan_change' && of !== 'paid';
    const counted = invoices.filter((invoice) => !isUnpaidChange(invoice));
    if (core.canceled.has(id) || counted.some((invoice) => invoice.status === 'void')) continue;
    const ids = new Set(counted.map((invoice) => invoice.id));
    const usage = core.lines.filter(
      ({ invoiceId, lineType, correctionId }) =>
        ids.has(invoiceId) &&
        (lineType === 'feature_overage' || lineType === 'balance_overage' || correctionId !== null),
    );
    const windows = core.endedUsage.filter((row) => row.subscriptionId === id && core.isLatest(row));
    const pending = corrections.map((one) => BigInt(one.amount));
    expect(sum(usage.map((line) => line.amount)) + sum(pending)).toBe(
      sum(windows.map((row) => core.priceOfEnded(row))) + sum(overdraftsOf(windows)),
    );
  }
}

/** Prices of the overdrafts of ended windows, once per window and pool. */
function overdraftsOf(rows: readonly EndedUsageRow[]): bigint[] {
  const byPool = new Map(rows.map((row) => [`${row.windowStart.toISOString()} ${poolOfStored(row)}`, row]));
  return [...byPool.values()].map((row) => overdraftMinor(row.deficitRate, row.deficitPrice, 'usd'));
}

/** Invoices equal their lines, and the ledger equals the invoices. */
function expectInvoices(core: PrepaidCore): void {
  for (const invoice of core.invoices.values()) {
    const lines = core.lines.filter(({ invoiceId }) => invoiceId === invoice.id);
    expect(maxOf(0n, sum(lines.map((line) => line.amount))) + invoice.taxAmount).toBe(invoice.total);
  }
  expect(
    verify(core.ledger, [...core.invoices.values()], creditParts(core.aggregate.lots, core.entries)),
  ).toEqual([]);
}

test('the account equals its lots and entries, deductions equal the price, and the ledger balances after every step', () => {
  fc.assert(
    fc.property(fc.nat(20), history, (plan, steps) => {
      const core = new PrepaidCore();
      core.run({ kind: 'subscription.create', selection: { planId: choose(prepaidPlans, plan) } });
      core.do({ kind: 'pay', card: 0 });
      for (const one of steps) {
        take(core, one);
        expectAccounts(core);
        expectDeductions(core);
        expectCorrections(core);
        expectEntries(core);
        expectReturns(core);
        expectTotals(core);
        expectBilled(core);
      }
      expectInvoices(core);
      const ids = core.ended.map(({ lotId }) => lotId);
      expect(new Set(ids).size).toBe(ids.length);
    }),
    trials(150),
  );
});
