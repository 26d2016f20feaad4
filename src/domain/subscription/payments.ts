// One-time payments (PAY-1 … PAY-10): a link the payer opens, or a charge of a stored method. Neither touches the subscription.
import type {
  AuthenticateLinkCommand,
  CancelPaymentCommand,
  ChargePaymentCommand,
  CreateLinkCommand,
  PayLinkCommand,
} from '../payment/commands.ts';
import { paymentLinkEvent } from '../payment/event-data.ts';
import {
  canceledPayment,
  cancelRefusal,
  giveUpRefusal,
  newPayment,
  paymentNotFound,
  payRefusal,
  taxedAmounts,
} from '../payment/payment.ts';
import type { PaymentRow } from '../payment/rows.ts';
import type { Decision } from './aggregate.ts';
import { failTransaction } from './charging.ts';
import { methodOf } from './lookup.ts';
import { type Asked, ask, paymentAnswered } from './payment-attempt.ts';
import { noPaymentMethod } from './refusals.ts';
import type { PaymentMethodRow } from './rows.ts';
import { customerTax, typedPayer } from './taxing.ts';
import type { Work } from './work.ts';

/** Makes a link for the customer, with its tax of now. Sends `payment_link.created`. */
export function createLink(work: Work, { successUrl, routing, ...terms }: CreateLinkCommand): Decision {
  const about = { kind: 'link', customerId: work.customer.id, successUrl, tax: customerTax(work), ...routing } as const;
  const payment = work.payments.add(newPayment(termsOf(terms), about, work.now));
  work.emit(paymentLinkEvent('payment_link.created', payment, work.customer));
  return work.done('done', null);
}

const termsOf = ({
  paymentId,
  subtotalMinor,
  currency,
  description,
  metadata,
}: Omit<CreateLinkCommand, 'successUrl' | 'kind' | 'routing'>) => ({
  paymentId,
  subtotalMinor,
  currency,
  description,
  metadata,
});

/** The method a charge is made to: that of a subscription that is not over, else the one stored last; null without any (PAY-7). */
function usableMethod(work: Work): PaymentMethodRow | null {
  const running = work.subscriptions.all().findLast(({ status, paymentMethodId }) => status !== 'canceled' && paymentMethodId !== null);
  return (running === undefined ? null : methodOf(work, running)) ?? work.paymentMethods.all().at(-1) ?? null;
}

/** Charges a stored method of the customer, where it is stored (PAY-7, PAY-14). Refuses with `no_payment_method`, before anything is written. */
export function chargePayment(work: Work, command: ChargePaymentCommand): Decision {
  const method = usableMethod(work);
  if (method === null) return work.refuse(noPaymentMethod);
  const tax = customerTax(work);
  const routing = { provider: method.provider, namedProvider: null, connectionId: null };
  const about = { kind: 'charge', customerId: work.customer.id, successUrl: null, tax, ...routing } as const;
  const payment = work.payments.add(newPayment(termsOf(command), about, work.now));
  return ask(work, payment, { method, billingAddress: null, taxDocument: null, tax });
}

/**
 * Asks the gateway to charge a link by the method typed in, with the tax of the address and the document typed in, else of the customer's
 * (PAY-4). An authentication this payer has left open is given up, if it is the one that was taken back.
 */
export function payLink(work: Work, command: PayLinkCommand): Decision {
  const payment = work.payments.find(command.paymentId);
  if (payment === null) return work.refuse(paymentNotFound);
  const refusal = payRefusal(payment, work.customer.id) ?? giveUpRefusal(payment, command.givenUp);
  if (refusal !== null) return work.refuse(refusal);
  abandon(work, payment);
  const { method, billingAddress, taxDocument } = command;
  work.payer = typedPayer(work.customer, { billingAddress, taxDocument });
  const asked: Asked = { method, billingAddress, taxDocument, tax: customerTax(work) };
  const payerId = work.customer.id;
  return ask(work, { ...payment, ...taxedAmounts(payment.subtotalMinor, asked.tax), payerId, provider: method.provider }, asked);
}

/** Gives up an authentication the payer still owes. */
function abandon(work: Work, { attempt }: PaymentRow): void {
  const transaction = attempt?.transactionId == null ? null : work.transactions.find(attempt.transactionId);
  if (transaction?.status === 'pending') failTransaction(work, transaction, 'authentication_abandoned');
}

/** Ends the authentication a link waits for: passed, the link is paid; failed, it is a decline. `payment_not_found` when none is awaited. */
export function authenticateLink(work: Work, { paymentId, succeed }: AuthenticateLinkCommand): Decision {
  const payment = work.payments.find(paymentId);
  if (payment === null) return work.refuse(paymentNotFound);
  if (payment.status === 'requires_action' && payment.kind === 'link' && payment.attempt !== null) {
    const failed = { status: 'declined', declineCode: 'authentication_failed', message: 'The authentication failed.' } as const;
    return paymentAnswered(work, payment, payment.attempt, succeed ? { status: 'settled' } : failed);
  }
  const refusal = payRefusal(payment, work.customer.id);
  return work.refuse(refusal ?? { code: 'payment_not_found', message: 'No authentication is awaited for this payment.' });
}

/** Withdraws a link that is not being paid; one that was withdrawn already stays as it is (PAY-5). Sends `payment_link.canceled`. */
export function cancelPayment(work: Work, { paymentId, givenUp }: CancelPaymentCommand): Decision {
  const payment = work.payments.find(paymentId);
  if (payment === null) return work.refuse(paymentNotFound);
  const refusal = cancelRefusal(payment);
  if (refusal !== null) return work.refuse(refusal);
  if (payment.status === 'canceled') return work.done('unchanged', null);
  if (payment.payerId !== work.customer.id) {
    return work.refuse({ code: 'payment_not_cancelable', message: 'Somebody else has begun to pay.' });
  }
  const late = giveUpRefusal(payment, givenUp);
  if (late !== null) return work.refuse({ ...late, code: 'payment_not_cancelable' });
  abandon(work, payment);
  const canceled = work.payments.put(canceledPayment(payment, work.now));
  work.emit(paymentLinkEvent('payment_link.canceled', canceled, work.customer));
  return work.done('done', null);
}
