import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { paymentNotFound } from '../../domain/payment/payment.ts';
import { pageUrl } from '../../engine/events.ts';
import { loadRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';

export type PaymentRow = Row<'Payment'>;

/** The payment with this id. Throws `payment_not_found`. */
export async function requirePayment(context: Context, id: string): Promise<PaymentRow> {
  const payment = await loadRow(context, 'Payment', id);
  if (payment === null) throw new QuittanceError(paymentNotFound.code, paymentNotFound.message, { param: 'id' });
  return payment;
}

/** The payment as it is after a change: what was read before is forgotten. */
export function rereadPayment(context: Context, id: string): Promise<PaymentRow> {
  context.forget();
  return requirePayment(context, id);
}

/** The address of the page a link is paid at, the same each time and for good (PAY-6); null for a charge. */
export const paymentUrl = (context: Context, { id, kind }: Pick<PaymentRow, 'id' | 'kind'>): Promise<string> | null =>
  kind === 'link' ? pageUrl(context, 'pay', id) : null;
