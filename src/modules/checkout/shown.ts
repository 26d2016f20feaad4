import type { Context } from '../../context.ts';
import type { ConnectionRow } from '../payment-connections/service.ts';
import { connectionOf } from '../payment-connections/vault.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { checkoutConnection } from './method.ts';
import { awaitedAttempt } from './pay.ts';

/** The account whose fields the page shows: while its payer has to authenticate, the one the payment was begun at (PAY-14). */
export function shownConnection(context: Context, subscription: SubscriptionRow, country?: string | null): Promise<ConnectionRow | null> {
  const awaited = awaitedAttempt(subscription);
  return awaited === null ? checkoutConnection(context, subscription, country) : connectionOf(context, awaited.method);
}
