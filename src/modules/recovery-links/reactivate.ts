import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { CommittedRejectionError, executeOne } from '../../engine/execute.ts';
import { findProvidedOffer, type ProvidedOffer } from '../offer-applications/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { recoveryUrl } from './create.ts';

/** Which subscription runs again, and what lowers its new price. */
export type ReactivateInput = { readonly id: string; readonly offerId?: string | null | undefined };

/** The outcome: the invoice that was charged, none on free plans, and the offer that was accepted with it. */
export type Reactivation = {
  readonly subscriptionId: string;
  readonly invoiceId: string | null;
  readonly status: 'processing' | 'succeeded';
  readonly offerApplication: ProvidedOffer | null;
};

/**
 * Collects what a past-due subscription owes, or starts a canceled one again (SUB-30 to SUB-34). Throws `charge_failed` and
 * `no_payment_method` with `details.recoveryUrl` where the invoice can still be paid; what was written for the attempt stays (SUB-32). After
 * any other rejection nothing has changed.
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

/** A rejection of the payment with the page where it can be made; any other error as it is. */
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
