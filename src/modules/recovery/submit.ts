import type { Context } from '../../context.ts';
import { executeAnswered } from '../../engine/execute.ts';
import type { TypedMethod } from '../checkout/method.ts';
import { orderBy } from '../checkout/ordered.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import { type CardRequest, loadMethodUpdate, loadRecovery, methodSubject, recoverySubject } from './state.ts';

/**
 * Pays the invoice of the caller's recovery page by a card, which becomes that of the subscription (SUB-32, SUB-35). A decline throws
 * `charge_failed` with `details.declineCode` and uses up a dunning slot; so does a card that wants authentication (BIL-45). Throws
 * `validation_error` for the card, `provider_unsupported` for one meant for another connection, `no_outstanding_invoice`, `charge_in_progress`, and the codes of SUB-31 for a canceled subscription.
 */
export async function payRecovery(context: Context, typed: TypedMethod): Promise<CardRequest> {
  const { subscription, invoice } = await recoverySubject(context);
  const rest = { kind: 'recovery.pay', subscriptionId: subscription.id, invoiceId: invoice.id } as const;
  const order = await orderBy(context, subscription, typed, (method) => ({ ...rest, method }));
  await executeAnswered(context, subscription.customerId, order);
  context.forget();
  return loadRecovery(context);
}

/**
 * Stores a card in place of the one a subscription is charged by; nothing is charged (SUB-36). Throws `validation_error` for the card,
 * `charge_failed` when it is declined, `invalid_subscription_status` and `charge_in_progress`.
 */
export async function updateMethod(context: Context, typed: TypedMethod): Promise<CardRequest> {
  const { id: subscriptionId } = methodSubject(context);
  const subscription = await requireSubscription(context, subscriptionId);
  const order = await orderBy(context, subscription, typed, (method) => ({ kind: 'method.update', subscriptionId, method }));
  await executeAnswered(context, subscription.customerId, order);
  return loadMethodUpdate(context);
}
