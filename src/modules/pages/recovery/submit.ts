import type { Context } from '../../../request/context.ts';
import { requireSubscription } from '../../subscriptions/subscriptions/store.ts';
import { authenticateCard, executeByCard } from '../checkout/authenticate-card.ts';
import { requireEnabled } from '../checkout/check-enabled.ts';
import type { TypedMethod } from '../checkout/store-method.ts';
import { type CardRequest, loadMethodUpdate, loadRecovery, methodSubject, recoverySubject } from './load.ts';

/**
 * Pays the invoice of the caller's recovery page with a card, which becomes the subscription's payment method (SUB-32,
 * SUB-35). If the card requires authentication, the payment stays pending. If the card is declined, throws
 * `charge_failed` with `details.declineCode`. A declined card doesn't count as a dunning retry (BIL-42). Throws
 * `rate_limited`, `validation_error` if the card is invalid, `provider_unsupported` if it belongs to another
 * connection, `no_outstanding_invoice`, `charge_in_progress`, and the errors listed in SUB-31 if the subscription is
 * canceled.
 */
export async function payRecovery(ctx: Context, typed: TypedMethod): Promise<CardRequest> {
  await requireEnabled(ctx, typed);
  const { subscription, invoice } = await recoverySubject(ctx);
  const about = { kind: 'recovery.pay', subscriptionId: subscription.id, invoiceId: invoice.id } as const;
  await executeByCard(ctx, subscription, typed, (method, abandoned) => ({ ...about, method, abandoned }));
  ctx.forget();
  return loadRecovery(ctx);
}

/**
 * Stores a card as the new payment method of a subscription, without a charge (SUB-36). If the card requires
 * authentication, it's stored only after the payer authenticates. Throws `validation_error` if the card is invalid,
 * `charge_failed` if it's declined, `invalid_subscription_status`, and `charge_in_progress`.
 */
export async function updateMethod(ctx: Context, typed: TypedMethod): Promise<CardRequest> {
  const { id: subscriptionId } = methodSubject(ctx);
  const subscription = await requireSubscription(ctx, subscriptionId);
  await executeByCard(ctx, subscription, typed, (method, abandoned) => ({
    kind: 'method.update',
    subscriptionId,
    method,
    abandoned,
  }));
  ctx.forget();
  return loadMethodUpdate(ctx);
}

/** Completes the pending authentication on the caller's recovery page. Throws the errors thrown by `authenticateCard`. */
export async function authenticateRecovery(ctx: Context, succeed: boolean): Promise<CardRequest> {
  const { subscription } = await recoverySubject(ctx);
  await authenticateCard(ctx, { subscriptionId: subscription.id, succeed, purposes: ['paying'] });
  ctx.forget();
  return loadRecovery(ctx);
}

/**
 * Completes the pending authentication on the caller's page for replacing the payment method. Throws the errors thrown by
 * `authenticateCard`.
 */
export async function authenticateMethod(ctx: Context, succeed: boolean): Promise<CardRequest> {
  await authenticateCard(ctx, { subscriptionId: methodSubject(ctx).id, succeed, purposes: ['storing'] });
  ctx.forget();
  return loadMethodUpdate(ctx);
}
