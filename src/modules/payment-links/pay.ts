import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { payRefusal } from '../../domain/payment/payment.ts';
import type { Address } from '../../domain/subscription/rows.ts';
import { answered, executeOne, requireAcceptable, resumeOne, settleOne, takeBack } from '../../engine/execute.ts';
import { lockEmail, lockPayment, oldestCustomer } from '../../infra/payment-rows.ts';
import { inTransaction } from '../../transaction.ts';
import { createCustomer } from '../customers/create.ts';
import { fitMethod, requireKnown, storeMethod, type TypedMethod, unseenMethod } from '../payment-connections/vault.ts';
import { awaitedAttempt } from '../payments/attempts.ts';
import { requirePayment } from '../payments/service.ts';
import { linkConnection } from './connection.ts';
import { linkSubject, loadLink, type PaymentLinkState } from './state.ts';

/** What the payer typed in at the page of a link. */
export type PayLinkInput = TypedMethod & {
  readonly email?: string | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
};

/** How a payment at a link stands, and the link as it then is. */
export type PaymentLinkResult = { readonly status: 'paid' | 'requires_action'; readonly link: PaymentLinkState };

type Payable = Parameters<typeof payRefusal>[0];

/** What is asked for again in a transaction of its own, so that the payer of a link that is over or being paid becomes no customer. */
function assertPayable(payment: Payable, payerId: string | null): void {
  const refusal = payRefusal(payment, payerId);
  if (refusal !== null) throw new QuittanceError(refusal.code, refusal.message);
}

/**
 * How the link stands. Throws as though it were to be paid anew where it is neither paid nor waits for its
 * payer: somebody else withdrew it, or gave up what was asked about, meanwhile.
 */
async function standing(context: Context): Promise<PaymentLinkResult> {
  context.forget();
  const link = await loadLink(context);
  const { payment } = link;
  if (payment.status === 'succeeded') return { status: 'paid', link };
  if (payment.status === 'requires_action') return { status: 'requires_action', link };
  assertPayable(payment, payment.payerId);
  throw new QuittanceError('payment_failed', payment.failureMessage ?? 'The payment was given up.', {
    details: { declineCode: payment.failureCode ?? 'authentication_abandoned', paymentId: payment.id },
  });
}

/** The same once the gateway has spoken. Throws `charge_in_progress` while it has not. */
const answeredStanding = (context: Context, done: Parameters<typeof answered>[0]): Promise<PaymentLinkResult> => {
  answered(done);
  return standing(context);
};

/**
 * Who pays a link that names no customer: the oldest one with the e-mail address typed in, else a new one (PAY-2). One payer at a time of each
 * link, and one of each address, so that neither a form sent twice nor two links paid at once make two customers. Throws what `payRefusal` says.
 */
const payerFor = (context: Context, paymentId: string, email: string): Promise<string> =>
  inTransaction(context, async (tx) => {
    const payment = await lockPayment(tx.sql, paymentId);
    await lockEmail(tx.sql, email);
    const known = await oldestCustomer(tx.sql, email);
    assertPayable(payment, known);
    return known ?? (await createCustomer(tx, { email })).id;
  });

/**
 * Pays the link of the caller's page by a card, which is stored with the payer on the account that takes the payment (PAY-8, PAY-13). A decline
 * throws `payment_failed` with `details.declineCode`, and the link can be tried again. Throws `validation_error` for the card and for a missing
 * `email` on a link without customer, `no_outstanding_invoice` once it is paid or canceled, `charge_in_progress`, `provider_unsupported` for a
 * card meant for another account and for one typed in here in live mode, and `charge_failed` when Stripe cannot be reached to store it.
 */
export async function payLink(context: Context, input: PayLinkInput): Promise<PaymentLinkResult> {
  const { email = null, billingAddress = null, taxDocument = null } = input;
  const resumed = await resumeOne(context);
  if (resumed !== null) return answeredStanding(context, resumed);
  const { payment, customer } = await loadLink(context);
  const country = billingAddress?.country ?? customer?.country ?? null;
  const typed = fitMethod(context, await linkConnection(context, payment, country), input);
  if (customer === null && email === null) throw validationError([{ field: 'email', message: 'An e-mail address is needed.' }]);
  if (customer === null) await requireKnown(context, typed);
  const customerId = customer?.id ?? (await payerFor(context, payment.id, email ?? ''));
  const order = { kind: 'payment.pay', paymentId: payment.id, billingAddress, taxDocument } as const;
  const awaited = awaitedAttempt(payment)?.attemptId ?? null;
  const seen = { ...order, method: unseenMethod, givenUp: awaited };
  if (!('stored' in typed)) await requireAcceptable(context, { customerId, order: seen });
  const method = await storeMethod(context, customerId, typed);
  const { givenUp, instead } = await takeBack(context, awaited);
  if (instead !== null) return answeredStanding(context, instead);
  return answeredStanding(context, await executeOne(context, customerId, { ...order, method, givenUp }));
}

/**
 * Ends the authentication the link of the caller's page waits for: passed, it is paid; failed, it is a decline, `payment_failed`. Throws
 * `payment_not_found` when none is awaited, `no_outstanding_invoice` once it is paid or canceled, and `charge_in_progress`.
 */
export async function authenticateLink(context: Context, succeed: boolean): Promise<PaymentLinkResult> {
  const payment = await requirePayment(context, linkSubject(context));
  const awaited = awaitedAttempt(payment);
  if (payment.payerId === null || awaited === null) {
    assertPayable(payment, payment.payerId);
    throw new QuittanceError('payment_not_found', 'No authentication is awaited for this payment.');
  }
  const order = { kind: 'payment.authenticate', paymentId: payment.id, succeed } as const;
  // A processor at the other end of a network knows what its payer did; the page only says that it is over.
  const told = await settleOne(context, awaited.attemptId, succeed ? 'inquire' : 'cancel');
  return answeredStanding(context, told ?? (await executeOne(context, payment.payerId, order)));
}
