import type { Context } from '../../context.ts';
import { authenticateCard, executeByCard } from '../checkout/authenticate-card.ts';
import type { TypedMethod } from '../checkout/store-method.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { type CardRequest, loadMethodUpdate, loadRecovery, methodSubject, recoverySubject } from './load.ts';

/**
 * Pays the invoice of the caller's recovery page by a card, which becomes that of the subscription (SUB-32, SUB-35). A card that wants
 * authentication waits for its payer. A decline throws `charge_failed` with `details.declineCode` and uses up no dunning slot (BIL-42). Throws
 * `rate_limited`, `validation_error` for the card, `provider_unsupported` for one meant for another connection, `no_outstanding_invoice`,
 * `charge_in_progress`, and the codes of SUB-31 for a canceled subscription.
 */
export async function payRecovery(ctx: Context, typed: TypedMethod): Promise<CardRequest> {
  const { subscription, invoice } = await recoverySubject(ctx);
  const about = { kind: 'recovery.pay', subscriptionId: subscription.id, invoiceId: invoice.id } as const;
  await executeByCard(ctx, subscription, typed, (method, abandoned) => ({ ...about, method, abandoned }));
  ctx.forget();
  return loadRecovery(ctx);
}

/**
 * Stores a card in place of the one a subscription is charged by; nothing is charged (SUB-36). A card that wants authentication waits for its
 * holder. Throws `validation_error` for the card, `charge_failed` when it is declined, `invalid_subscription_status` and `charge_in_progress`.
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

/** Ends the authentication the caller's recovery page waits for. Throws what `authenticateCard` throws. */
export async function authenticateRecovery(ctx: Context, succeed: boolean): Promise<CardRequest> {
  const { subscription } = await recoverySubject(ctx);
  await authenticateCard(ctx, { subscriptionId: subscription.id, succeed, purposes: ['paying'] });
  ctx.forget();
  return loadRecovery(ctx);
}

/** Ends the authentication the caller's page for another card waits for. Throws what `authenticateCard` throws. */
export async function authenticateMethod(ctx: Context, succeed: boolean): Promise<CardRequest> {
  await authenticateCard(ctx, { subscriptionId: methodSubject(ctx).id, succeed, purposes: ['storing'] });
  ctx.forget();
  return loadMethodUpdate(ctx);
}
