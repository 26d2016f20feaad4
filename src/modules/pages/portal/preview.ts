import { QuittanceError } from '../../../domain/errors/errors.ts';
import { chargesUsage } from '../../../domain/subscription/allowances/usage-charges.ts';
import { nothingEntered, quoteCheckout } from '../../../domain/subscription/payments/checkout-quote.ts';
import type {
  Aggregate,
  DecisionDeps,
  InvoiceLineRow,
  InvoiceRow,
  SubscriptionRow as Row,
} from '../../../domain/subscription/state/aggregate.ts';
import { decideAndCharge, type Settled } from '../../../engine/charge.ts';
import { type CommandInput, commandAt } from '../../../engine/execute.ts';
import {
  chargedFor,
  type NextCharge,
  nextCharge,
  upcomingCharges,
} from '../../../engine/preview/next-charge.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { settlingGateways } from '../../../engine/simulate.ts';
import { onlyMember } from '../../../graphql/declare/rules.ts';
import type { Context } from '../../../request/context.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { withMethod } from './load-extras.ts';
import { shownSubscription } from './pay.ts';
import { type ActionInputs, actions, type ChosenAction } from './types/preview-input.ts';

/** Effects of an action in the portal. Amounts are in minor units. */
export type PortalPreview = {
  readonly subscription: SubscriptionRow;
  readonly currency: string;
  /** Amount that the action charges immediately, including tax. */
  readonly dueMinor: bigint;
  /** Invoice that the action charges immediately. `null` if the action charges nothing. */
  readonly invoice: InvoiceRow | null;
  /** Line items of a simulated invoice. `null` if the invoice is already stored. */
  readonly lines: readonly InvoiceLineRow[] | null;
  /** True if the action takes effect only after the customer pays at a checkout. */
  readonly requiresCheckout: boolean;
  readonly effectiveAt: Date;
  /** Time at which the action ends access. `null` if access continues. */
  readonly accessUntil: Date | null;
  /** Charges before access ends. Empty if access continues. */
  readonly later: readonly NextCharge[];
  /** True if future usage can't increase the later charges. */
  readonly isFinal: boolean;
  /** Outstanding amount that the action cancels. */
  readonly withdrawnMinor: bigint;
  /** Expiration time of the purchased credits or top-up. `null` if the purchase doesn't expire. */
  readonly expiresAt: Date | null;
  /** Next charge after the action. `nextWithout` is the next charge without the action. */
  readonly next: NextCharge | null;
  readonly nextWithout: NextCharge | null;
};

/** Returns the command of the portal mutation. Throws the errors that the mutation throws before it executes the command. */
const commandOf = <K extends keyof ActionInputs>(
  ctx: Context,
  subscription: SubscriptionRow,
  name: K,
  input: ActionInputs[K],
): Promise<CommandInput> => actions[name].commandFor(ctx, subscription, input);

/**
 * Returns the effects of a portal action, simulated in memory with successful charges. Nothing is stored or charged.
 * Throws the same errors as the action, except for declines and a missing card.
 */
export async function previewShown(ctx: Context, action: ChosenAction): Promise<PortalPreview> {
  const name = onlyMember(action, 'action');
  const input = action[name];
  if (input == null) throw new Error('The input contains no action.');
  const subscription = await shownSubscription(ctx);
  const command = await commandOf(ctx, subscription, name, input);
  const { id, customerId } = subscription;
  return withSnapshot(ctx, customerId, [command], ({ aggregate, now, deps }) => {
    const before = withMethod(aggregate, id);
    const settled = decideAndCharge(settlingGateways, before, commandAt(command, now), deps);
    const { finalOutcome } = settled;
    if (finalOutcome.kind === 'rejection') throw new QuittanceError(finalOutcome);
    const expiresAt = action.balanceTopUp ? subscription.windowEnd : null;
    return { subscription, expiresAt, ...consequences({ before, settled, id, now, deps }) };
  });
}

type Decided = {
  readonly before: Aggregate;
  readonly settled: Settled;
  readonly id: string;
  readonly now: Date;
  readonly deps: DecisionDeps;
};

function requireRow({ subscriptions }: Aggregate, id: string): Row {
  const row = subscriptions.find((one) => one.id === id);
  if (row === undefined) throw new Error(`The subscription ${id} is not in the aggregate.`);
  return row;
}

function consequences({
  before,
  settled,
  id,
  now,
  deps,
}: Decided): Omit<PortalPreview, 'subscription' | 'expiresAt'> {
  const { aggregate, changes } = settled;
  const [was, is] = [requireRow(before, id), requireRow(aggregate, id)];
  const requiresCheckout = is.checkoutInvoiceId !== null && is.checkoutInvoiceId !== was.checkoutInvoiceId;
  const after = requiresCheckout ? paidCheckout(settled, id, now, deps) : aggregate;
  const accessUntil = endBy(was, is);
  const invoices = [...changes.invoices.values()];
  const shown =
    invoices.find(({ flag }) => flag === 'new') ?? invoices.find(({ row }) => row.status === 'paid');
  const voided = accessUntil === null ? [] : invoices.filter(({ row }) => row.status === 'void');
  return {
    currency: shown?.row.currency ?? is.currency,
    dueMinor: shown === undefined ? 0n : chargedFor(changes, shown.row),
    invoice: shown?.row ?? null,
    lines: shown?.flag === 'new' ? changes.lines.filter(({ invoiceId }) => invoiceId === shown.row.id) : null,
    requiresCheckout,
    effectiveAt: accessUntil ?? waitsUntil(was, is) ?? now,
    accessUntil,
    later: accessUntil === null ? [] : [...upcomingCharges(aggregate, id, now, deps)],
    isFinal: accessUntil === null || is.status === 'canceled' || !chargesUsage(aggregate, is, now),
    withdrawnMinor: voided.reduce((sum, { row }) => sum + row.total - row.creditedDue - row.paidInParts, 0n),
    next: nextCharge(after, id, now, deps),
    nextWithout: nextCharge(before, id, now, deps),
  };
}

/** Returns the customer's state after the new checkout is paid. Unchanged if the state can't be calculated. */
function paidCheckout(
  { aggregate }: Settled,
  subscriptionId: string,
  now: Date,
  deps: DecisionDeps,
): Aggregate {
  const quote = quoteCheckout(aggregate, { subscriptionId, now, ...nothingEntered }, deps);
  return 'code' in quote ? aggregate : quote.paid;
}

/** Returns the time at which access ends because of the action. `null` if access continues or had already ended. */
function endBy(was: Row, is: Row): Date | null {
  const ends = ({ status, cancelAtPeriodEnd }: Row): boolean => status === 'canceled' || cancelAtPeriodEnd;
  return ends(is) && !ends(was) ? is.endDate : null;
}

/** Returns the time at which a newly scheduled change takes effect. `null` if no change was scheduled. */
function waitsUntil(was: Row, is: Row): Date | null {
  const change = is.scheduledChange;
  return change === null || change === was.scheduledChange ? null : new Date(change.scheduledFor);
}
