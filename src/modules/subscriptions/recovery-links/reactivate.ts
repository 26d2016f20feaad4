import { QuittanceError } from '../../../domain/errors/errors.ts';
import { CommittedRejectionError, executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { findProvidedOffer, type ProvidedOffer } from '../offer-applications/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { recoveryUrl } from './create.ts';

/** Subscription to reactivate, and an optional offer for the new price. */
export type ReactivateInput = { readonly id: string; readonly offerId?: string | null | undefined };

/** Reactivation result: the charged invoice (`null` for a free plan) and the applied offer. */
export type Reactivation = {
  readonly subscriptionId: string;
  readonly invoiceId: string | null;
  readonly status: 'processing' | 'succeeded';
  readonly offerApplication: ProvidedOffer | null;
};

/**
 * Collects the outstanding invoice of a past-due subscription, or reactivates a canceled subscription (SUB-30 to SUB-34). Throws
 * `charge_failed` and `no_payment_method` with `details.recoveryUrl` if the invoice can still be paid; the failed attempt is recorded
 * (SUB-32). Other errors change nothing.
 */
export async function reactivateSubscription(
  ctx: Context,
  { id, offerId = null }: ReactivateInput,
): Promise<Reactivation> {
  const { customerId } = await requireSubscription(ctx, id);
  const order = { kind: 'subscription.reactivate', subscriptionId: id, offerId } as const;
  const { invoiceId, status } = await executeOne(ctx, customerId, order).catch(async (error: unknown) => {
    throw await withRecoveryUrl(ctx, id, error);
  });
  const offerApplication = offerId === null ? null : await findProvidedOffer(ctx, id, offerId);
  const isOpen = status === 'unanswered' || status === 'charging';
  return { subscriptionId: id, invoiceId, status: isOpen ? 'processing' : 'succeeded', offerApplication };
}

/** Adds the recovery page's URL to a payment error. Returns other errors unchanged. */
async function withRecoveryUrl(ctx: Context, id: string, error: unknown): Promise<unknown> {
  if (
    !(error instanceof QuittanceError) ||
    (error.code !== 'charge_failed' && error.code !== 'no_payment_method')
  )
    return error;
  const url = await recoveryUrl(ctx, id);
  if (url === null) return error;
  const details = { ...(error.details as object | undefined), recoveryUrl: url };
  const { code, message } = error;
  return error instanceof CommittedRejectionError
    ? new CommittedRejectionError({ code, message, details })
    : new QuittanceError({ code, message, details });
}
