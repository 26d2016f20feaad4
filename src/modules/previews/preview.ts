import type { Context } from '../../context.ts';
import type { Refusal } from '../../domain/errors.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { EventKind } from '../../domain/events.ts';
import type { Aggregate, ChangeSet, EventDraft, Outcome, SubscriptionRow } from '../../domain/subscription/aggregate.ts';
import type { nextBillingDate } from '../../domain/subscription/view.ts';
import { type Foreseen, foreseeOrder } from '../../engine/foresee.ts';
import { inTransaction } from '../../transaction.ts';
import { type ForeseenInvoice, type ForeseenTotals, foreseenInvoices, foreseenTotals } from './documents.ts';
import type { PreviewInput } from './input.ts';
import { orderOf } from './order.ts';

/** What is shown of a subscription that would be. */
export type ShownSubscription = Parameters<typeof nextBillingDate>[0] & Pick<SubscriptionRow, 'id' | 'planId' | 'endDate'>;

/** A subscription as it would be at an instant. */
export type ForeseenSubscription = { readonly row: ShownSubscription; readonly isNew: boolean; readonly at: Date };

/** What something would do. */
export type Preview = {
  readonly at: Date;
  readonly refusal: Refusal | null;
  readonly invoices: readonly ForeseenInvoice[];
  readonly totals: readonly ForeseenTotals[];
  readonly events: readonly EventKind[];
  readonly subscription: ForeseenSubscription | null;
};

/** A subscription of an aggregate, shown as it is there at an instant. */
export function foreseenSubscription(after: Aggregate, id: string | null, at: Date, before?: Aggregate): ForeseenSubscription | null {
  const row = after.subscriptions.find((one) => one.id === id);
  const isNew = before !== undefined && !before.subscriptions.some((one) => one.id === id);
  return row === undefined ? null : { row, isNew, at };
}

/** The answer about changes that were decided at an instant. */
export function previewOf(
  changes: readonly ChangeSet[],
  facts: {
    readonly at: Date;
    readonly refusal: Refusal | null;
    readonly events: readonly EventDraft[];
    readonly subscription: ForeseenSubscription | null;
  },
): Preview {
  const newSubscription = facts.subscription?.isNew === true ? facts.subscription.row.id : null;
  const invoices = foreseenInvoices(changes).map((one) => ({
    ...one,
    isOfNewSubscription: newSubscription !== null && one.invoice.subscriptionId === newSubscription,
  }));
  return { ...facts, events: facts.events.map(({ kind }) => kind), invoices, totals: foreseenTotals(invoices) };
}

const refusalOf = (outcome: Outcome): Refusal | null => (outcome.kind === 'refusal' ? outcome : null);

function answer({ before, settled, events }: Foreseen, subscriptionId: string | null, at: Date): Preview {
  const { finalOutcome, aggregate, changes } = settled;
  const made = finalOutcome.kind === 'ok' ? finalOutcome.subscriptionId : null;
  const subscription = foreseenSubscription(aggregate, subscriptionId ?? made, at, before);
  return previewOf([changes], { at, refusal: refusalOf(finalOutcome), events, subscription });
}

/**
 * What a call would do if it were made now: the decision it would come to, with its charges, applied nowhere. A refusal is part of the answer.
 * Throws what the call throws before it decides.
 */
export async function previewCall(context: Context, input: PreviewInput): Promise<Preview> {
  const asked = await orderOf(context, input);
  return inTransaction(context, async (tx) => {
    const foreseen = await foreseeOrder(tx, asked);
    if (foreseen === null) throw new QuittanceError('customer_not_found', 'The customer does not exist.', { param: 'customerId' });
    const subscriptionId = 'subscriptionId' in asked.order ? asked.order.subscriptionId : null;
    return answer(foreseen, subscriptionId, tx.clock.now());
  });
}
