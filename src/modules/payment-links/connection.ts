import type { Context } from '../../context.ts';
import { connectionFor } from '../payment-connections/routes.ts';
import type { ConnectionRow } from '../payment-connections/service.ts';
import { connectionOf } from '../payment-connections/vault.ts';
import { awaitedAttempt } from '../payments/attempts.ts';
import type { PaymentRow } from '../payments/service.ts';

/**
 * The account that takes a payment at a link: the one it was made for by name, else the route of the billing country, else the default; null
 * for the platform's own rail (PAY-13).
 */
export const linkConnection = (
  context: Context,
  { namedProvider, connectionId }: Pick<PaymentRow, 'namedProvider' | 'connectionId'>,
  country: string | null,
): Promise<ConnectionRow | null> => connectionFor(context, { provider: namedProvider, connectionId }, country);

/** The account whose fields the page shows: while a payer has to confirm with its bank, the one the payment was begun at (PAY-14). */
export function shownConnection(context: Context, payment: PaymentRow, country: string | null): Promise<ConnectionRow | null> {
  const method = awaitedAttempt(payment)?.method ?? null;
  return method === null ? linkConnection(context, payment, country) : connectionOf(context, method);
}
