import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import { CommittedRejectionError } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { findProvidedOffer, type ProvidedOffer } from '../offer-applications/store.ts';
import { recoveryUrl } from './create.ts';

/** Result of a reactivation. `invoiceId` is the ID of the charged invoice, or `null` if the plan is free. */
export type Reactivation = {
  readonly subscriptionId: string;
  readonly invoiceId: string | null;
  readonly status: 'processing' | 'succeeded';
  readonly offerApplication: ProvidedOffer | null;
};

/** Executed reactivation. `offerId` is the offer for the new price. */
type ExecutedReactivation = {
  readonly input: { readonly id: string; readonly offerId?: string | null | undefined };
  readonly done: CommandResult;
};

/** Returns the result of a reactivation that was executed. */
export async function reactivationResult(
  ctx: Context,
  { input: { id, offerId }, done: { invoiceId, status } }: ExecutedReactivation,
): Promise<Reactivation> {
  const offerApplication = offerId == null ? null : await findProvidedOffer(ctx, id, offerId);
  const isOpen = status === 'unanswered' || status === 'charging';
  return { subscriptionId: id, invoiceId, status: isOpen ? 'processing' : 'succeeded', offerApplication };
}

/** Adds the recovery page's URL to a payment error. Returns other errors unchanged. */
export async function withRecoveryUrl(
  ctx: Context,
  { id }: { readonly id: string },
  error: unknown,
): Promise<unknown> {
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
