import { type Context, inTransaction } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import { payRefusal } from '../../domain/payment/payment.ts';
import type { Address, MethodFacts } from '../../domain/subscription/rows.ts';
import { executeOne, settleOne } from '../../engine/execute.ts';
import { type CardInput, vaultCard } from '../../gateway/sandbox.ts';
import { lockPayment, oldestCustomer } from '../../infra/payment-rows.ts';
import { createCustomer } from '../customers/create.ts';
import { awaitedAttempt, takeBack } from '../payments/attempts.ts';
import { requirePayment } from '../payments/service.ts';
import { linkSubject, loadLink, type PaymentLinkState } from './state.ts';

/** What the payer typed in at the page of a link. */
export type PayLinkInput = {
  readonly card: CardInput;
  readonly email?: string | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
};

/** How a payment at a link stands, and the link as it then is. */
export type PaymentLinkResult = { readonly status: 'paid' | 'requires_action'; readonly link: PaymentLinkState };

async function resultOf(context: Context, status: string): Promise<PaymentLinkResult> {
  if (status === 'unanswered' || status === 'charging') {
    throw new QuittanceError('charge_in_progress', 'The payment is under way; its outcome is not known yet.');
  }
  context.forget();
  return { status: status === 'requires_action' ? 'requires_action' : 'paid', link: await loadLink(context) };
}

/** The card as the gateway knows it. The built-in rail only knows test cards, and those are for the sandbox (PLT-3). */
function vaulted(context: Context, card: CardInput): MethodFacts {
  if (context.livemode) throw new QuittanceError('provider_unsupported', 'No payment connection that can charge live cards is set up.');
  return vaultCard(card, context.wall.now());
}

/** What is asked for again in a transaction of its own, so that the payer of a link that is over or being paid becomes no customer. */
function assertPayable(payment: Parameters<typeof payRefusal>[0], payerId: string | null): void {
  const refusal = payRefusal(payment, payerId);
  if (refusal !== null) throw new QuittanceError(refusal.code, refusal.message);
}

/**
 * Who pays a link that names no customer: the oldest one with the e-mail address typed in, else a new one (PAY-2). One payer at a time of each
 * link, so that a form sent twice makes one customer. Throws what `payRefusal` says.
 */
const payerFor = (context: Context, paymentId: string, email: string): Promise<string> =>
  inTransaction(context, async (tx) => {
    const payment = await lockPayment(tx.sql, paymentId);
    const known = await oldestCustomer(tx.sql, email);
    assertPayable(payment, known);
    return known ?? (await createCustomer(tx, { email })).id;
  });

/**
 * Pays the link of the caller's page by a card, which is stored with the payer (PAY-8). A decline throws `payment_failed` with
 * `details.declineCode`, and the link can be tried again. Throws `validation_error` for the card and for a missing `email` on a link without
 * customer, `no_outstanding_invoice` once it is paid or canceled, `charge_in_progress`, and `provider_unsupported` in live mode.
 */
export async function payLink(context: Context, input: PayLinkInput): Promise<PaymentLinkResult> {
  const { card, email = null, billingAddress = null, taxDocument = null } = input;
  const payment = await requirePayment(context, linkSubject(context));
  const method = vaulted(context, card);
  if (payment.customerId === null && email === null) {
    throw validationError([{ field: 'email', message: 'An e-mail address is needed.' }]);
  }
  // A request made again goes on with the attempt it made.
  const payer = payment.customerId ?? (context.journal?.left ? payment.payerId : await payerFor(context, payment.id, email ?? ''));
  if (payer === null) throw new Error(`Nobody has tried the payment ${payment.id}.`);
  const before = await takeBack(context, payment);
  if (before !== null) return resultOf(context, before);
  const order = { kind: 'payment.pay', paymentId: payment.id, method, billingAddress, taxDocument } as const;
  return resultOf(context, (await executeOne(context, payer, order)).status);
}

/**
 * Ends the authentication the link of the caller's page waits for: passed, it is paid; failed, it is a decline, `payment_failed`. Throws
 * `payment_not_found` when none is awaited, `no_outstanding_invoice` once it is paid or canceled, and `charge_in_progress`.
 */
export async function authenticateLink(context: Context, succeed: boolean): Promise<PaymentLinkResult> {
  const payment = await requirePayment(context, linkSubject(context));
  if (payment.payerId === null || payment.status !== 'requires_action') {
    assertPayable(payment, payment.payerId);
    throw new QuittanceError('payment_not_found', 'No authentication is awaited for this payment.');
  }
  const order = { kind: 'payment.authenticate', paymentId: payment.id, succeed } as const;
  // A processor at the other end of a network knows what its payer did; the page only says that it is over.
  const attemptId = awaitedAttempt(payment);
  const told = attemptId === null ? null : await settleOne(context, attemptId, succeed ? 'inquire' : 'cancel');
  return resultOf(context, (told ?? (await executeOne(context, payment.payerId, order))).status);
}
