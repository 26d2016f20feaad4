import { isCollected } from '../../../domain/payments/instruments/stages.ts';
import { type PaymentRisk, riskOf } from '../../../domain/subscription/payments/payment-risk.ts';
import type { PaymentMethodRow, SubscriptionRow } from '../../../domain/subscription/state/aggregate.ts';
import { addDays, utcMidnight } from '../../../domain/time/period.ts';
import { decisionDeps } from '../../../engine/charge.ts';
import { loadForSimulation } from '../../../engine/preview/preview.ts';
import { type SimulationStep, settlingGateways, timeline } from '../../../engine/simulate.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { simulatedInvoices } from './simulate-documents.ts';
import { readChargingTasks, readCollected } from './store.ts';

/** Maximum number of subscriptions whose payments a response includes. */
export const mostSubscriptions = 1_000;

/** Maximum number of deadlines to simulate. */
const mostSteps = 10_000;

/** Payment that is expected in the date range. */
type ExpectedPayment = {
  readonly dueAt: Date;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly amountMinor: bigint;
  /** Reason why the payment may fail. `null` if no risk is known. */
  readonly risk: PaymentRisk | null;
  readonly method: PaymentMethodRow | null;
};

export type RiskyPayment = ExpectedPayment & { readonly risk: PaymentRisk };

/** Payments of one UTC day, in minor units. */
export type PaymentDay = {
  readonly day: Date;
  readonly collectedMinor: bigint;
  readonly expectedMinor: bigint;
  readonly atRiskMinor: bigint;
  readonly count: number;
};

/** Payments from today until a later day, in one currency. */
export type UpcomingPayments = Omit<PaymentDay, 'day'> & {
  readonly currency: string;
  readonly totalMinor: bigint;
  readonly days: readonly PaymentDay[];
  readonly risky: readonly RiskyPayment[];
  /** False if payments of further subscriptions are missing. */
  readonly isComplete: boolean;
};

/**
 * Returns the payments of a simulated deadline, including invoices that no payment method can pay. A charge is decided at the time of its deadline, so
 * one step contains all payments of its invoices.
 */
function paymentsOf({ changes, aggregate, deadline, now }: SimulationStep, from: Date): ExpectedPayment[] {
  const { subscriptionId } = deadline;
  if (changes === null || subscriptionId === null) return [];
  const before = (id: string | null) => aggregate.paymentMethods.find((one) => one.id === id) ?? null;
  const subscription = aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  return simulatedInvoices([changes]).flatMap(({ invoice, isNew, payments }): ExpectedPayment[] => {
    const settled = payments.filter(isCollected);
    const paid = settled.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const unpaid =
      isNew && invoice.status === 'outstanding'
        ? invoice.total - invoice.creditedDue - invoice.paidInParts
        : 0n;
    const amountMinor = paid + unpaid;
    if (amountMinor <= 0n) return [];
    const method = before(settled[0]?.paymentMethodId ?? methodIdOf(subscription));
    const wasDeclined = deadline.kind === 'dunning_retry';
    const risk = riskOf({ method: paid > 0n ? method : null, wasDeclined, chargeAt: now, now: from });
    const { customerId } = deadline;
    return [{ dueAt: now, customerId, subscriptionId, amountMinor, risk, method }];
  });
}

const methodIdOf = (subscription: SubscriptionRow | undefined): string | null =>
  subscription?.paymentMethodId ?? null;

type Collected = { readonly amount: bigint; readonly count: number };

const sum = (payments: readonly ExpectedPayment[]): bigint =>
  payments.reduce((total, { amountMinor }) => total + amountMinor, 0n);

/** Adds up the payments of each day. The first day is today, and also contains today's collected payments. */
function daysOf(today: Date, count: number, payments: readonly ExpectedPayment[], collected: Collected) {
  const byDay = Map.groupBy(payments, ({ dueAt }) => utcMidnight(dueAt).getTime());
  return Array.from({ length: count }, (_, index): PaymentDay => {
    const day = addDays(today, index);
    const due = byDay.get(day.getTime()) ?? [];
    const { amount, count: made } = index === 0 ? collected : { amount: 0n, count: 0 };
    return {
      day,
      collectedMinor: amount,
      expectedMinor: sum(due.filter(({ risk }) => risk === null)),
      atRiskMinor: sum(due.filter(({ risk }) => risk !== null)),
      count: due.length + made,
    };
  });
}

/**
 * Computes the payments in a currency from today until a later day, with the same simulation as the forecast of a subscription. Loads the billing state
 * of all subscriptions with a constant number of statements, and simulates their deadlines in memory.
 */
export function computeUpcomingPayments(
  ctx: Context,
  { days, currency }: { readonly days: number; readonly currency: string },
): Promise<UpcomingPayments> {
  return inTransaction(ctx, async (tx) => {
    const from = tx.clock.now();
    const today = utcMidnight(from);
    const end = addDays(today, days);
    const found = await readChargingTasks(tx.sql, end, mostSubscriptions + 1);
    const tasks = found.slice(0, mostSubscriptions);
    const ids = new Set(tasks.map(({ subscriptionId }) => subscriptionId));
    const aggregates = await loadForSimulation(tx, tasks, from);
    const collected = await readCollected(tx.sql, today, currency);
    const payments: ExpectedPayment[] = [];
    let steps = 0;
    for (const step of timeline(aggregates, {
      from,
      until: new Date(end.getTime() - 1),
      gateways: settlingGateways,
      deps: decisionDeps(tx),
      isWanted: ({ subscriptionId }) => ids.has(subscriptionId),
    })) {
      if (steps === mostSteps) break;
      steps += 1;
      if (step.changes !== null && inCurrency(step, currency)) payments.push(...paymentsOf(step, from));
    }
    const byDay = daysOf(today, days, payments, collected);
    const total = (name: 'collectedMinor' | 'expectedMinor' | 'atRiskMinor'): bigint =>
      byDay.reduce((all, day) => all + day[name], 0n);
    return {
      currency,
      collectedMinor: total('collectedMinor'),
      expectedMinor: total('expectedMinor'),
      atRiskMinor: total('atRiskMinor'),
      totalMinor: total('collectedMinor') + total('expectedMinor') + total('atRiskMinor'),
      count: byDay.reduce((all, { count }) => all + count, 0),
      days: byDay,
      risky: payments.filter((payment): payment is RiskyPayment => payment.risk !== null),
      isComplete: found.length <= mostSubscriptions && steps < mostSteps,
    };
  });
}

const inCurrency = ({ changes }: SimulationStep, currency: string): boolean =>
  changes !== null && [...changes.invoices.values()].some(({ row }) => row.currency === currency);
