import { QuittanceError, specificError, validationError } from '../../../domain/errors/errors.ts';
import { isCharged, payRejection } from '../../../domain/payments/payment.ts';
import type { Address } from '../../../domain/rows/rows.ts';
import { countryMissing } from '../../../domain/subscription/state/rejections.ts';
import { isCountryNeeded } from '../../../domain/tax/tax.ts';
import {
  answered,
  type CommandInput,
  cancelAuthentication,
  executeOne,
  requireAcceptable,
  resumeOne,
  settleOne,
} from '../../../engine/execute.ts';
import { loadSeller } from '../../../engine/load/seller.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { createCustomer } from '../../customers/customers/create.ts';
import { oldestCustomer } from '../../customers/customers/store.ts';
import {
  type ChosenCard,
  demandOneMethod,
  requireSavedCard,
} from '../../payments/connections/load-saved-card.ts';
import {
  fitMethod,
  requireKnown,
  storeMethod,
  type TypedMethod,
  unseenMethod,
} from '../../payments/connections/store-method.ts';
import {
  awaitedAttempt,
  lockEmail,
  lockPayment,
  requirePayment,
  waitingAttemptId,
} from '../../payments/payments/store.ts';
import { requireEnabled } from '../checkout/check-enabled.ts';
import { linkConnection, linkSubject, loadLink, type PaymentLinkState } from './load.ts';

/** Payment details entered on a payment link's page. */
export type PayLinkInput = TypedMethod & {
  /** Stored card of the customer with its security code. Replaces other payment methods. */
  readonly savedMethod?: ChosenCard | null | undefined;
  /** True if the payer agreed to save the card. `null` if the page didn't ask (PAY-8). */
  readonly saveCard?: boolean | null | undefined;
  readonly email?: string | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** Company name of the payer. */
  readonly companyName?: string | null | undefined;
};

/** Result of a payment with a payment link, with the current state of the link. */
export type PaymentLinkResult = {
  readonly status: 'paid' | 'requires_action';
  readonly link: PaymentLinkState;
  /**
   * ID of the invoice that the payer can open. `null` if the link isn't paid. Also `null` if the link has no customer, because the invoice
   * contains data of the customer with the entered email address.
   */
  readonly receiptId: string | null;
};

type Payable = Parameters<typeof payRejection>[0];

/**
 * Throws if a payment link doesn't accept payments. Also called before a customer is created for the payer, so that
 * paid and canceled links don't create customers.
 */
function assertPayable(payment: Payable, payerId: string | null): void {
  const rejection = payRejection(payment, payerId);
  if (rejection !== null) throw new QuittanceError({ code: rejection.code, message: rejection.message });
}

/**
 * Returns the current result of a link. If the link was canceled or its authentication was abandoned, throws the error
 * that a new payment would throw. `isNamed` is `true` if the link was created for a customer.
 */
async function currentResult(ctx: Context, isNamed: boolean): Promise<PaymentLinkResult> {
  ctx.forget();
  const link = await loadLink(ctx);
  const { payment } = link;
  if (payment.status === 'succeeded')
    return { status: 'paid', link, receiptId: isNamed ? payment.invoiceId : null };
  if (payment.status === 'requires_action') return { status: 'requires_action', link, receiptId: null };
  assertPayable(payment, payment.payerId);
  const { failureCode, failureMessage } = payment;
  const details = { declineCode: failureCode ?? 'authentication_abandoned', paymentId: payment.id };
  throw failureMessage === null
    ? specificError('payment_failed', 'given_up', { details })
    : new QuittanceError({ code: 'payment_failed', message: failureMessage, details });
}

/** Returns the payment result after the payment provider has responded. Throws `charge_in_progress` if the provider hasn't responded. */
const resultAfterResponse = (
  ctx: Context,
  done: Parameters<typeof answered>[0],
  isNamed: boolean,
): Promise<PaymentLinkResult> => {
  answered(done);
  return currentResult(ctx, isNamed);
};

/**
 * Returns the customer for a payment on a link without a customer (PAY-2). This is the oldest customer with the entered
 * email address, or a new customer if no customer has the address. Locks the link and the address, so that concurrent
 * payments don't create two customers. Throws the error of `payRejection`, and `validation_error` if a new customer
 * lacks a required country (BIL-20).
 */
const payerFor = (ctx: Context, paymentId: string, email: string, country: string | null): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const payment = await lockPayment(tx.sql, paymentId);
    await lockEmail(tx.sql, email);
    const known = await oldestCustomer(tx.sql, email);
    assertPayable(payment, known);
    if (known !== null) return known;
    const isMissing = isCountryNeeded({ country, registrations: (await loadSeller(tx)).taxRegistrations });
    if (isMissing) throw new QuittanceError(countryMissing);
    return (await createCustomer(tx, { email })).id;
  });

/**
 * Pays the caller's payment link on the account that collects the payment, and saves the card if the payer agreed
 * (PAY-8, PAY-13). If the card is declined, throws `payment_failed` with `details.declineCode`; the payer can try
 * again. Throws `validation_error` if the card is invalid, `email` is missing for a link without a customer, or a
 * required country is missing (BIL-20). Throws `no_outstanding_invoice` if the payment was already made or the
 * link was canceled, and `charge_in_progress`. Throws `provider_unsupported` if the card belongs to another account or card details are sent
 * in the live environment, `payment_method_not_found` if a stored card isn't offered, and `charge_failed` if Stripe is
 * unreachable.
 */
export async function payLink(ctx: Context, input: PayLinkInput): Promise<PaymentLinkResult> {
  const {
    saveCard = null,
    email = null,
    billingAddress = null,
    taxDocument = null,
    companyName = null,
  } = input;
  const resumed = await resumeOne(ctx);
  if (resumed !== null) return resultAfterResponse(ctx, resumed, false);
  const { payment, customer } = await loadLink(ctx);
  const country = billingAddress?.country ?? customer?.country ?? null;
  const connection = await linkConnection(ctx, payment, country);
  const typedIn = { saveCard, billingAddress, taxDocument, companyName };
  const command = { kind: 'payment.pay', paymentId: payment.id, ...typedIn } as const;
  const awaited = waitingAttemptId(payment);
  const isNamed = customer !== null;
  demandOneMethod(input);
  await requireEnabled(ctx, input);
  if (input.savedMethod != null) {
    const { customerId, wrongCodes } = payment;
    const chosen = await requireSavedCard(
      ctx,
      { customerId, wrongCodes, connection, isCharged: isCharged(payment) },
      input.savedMethod,
    );
    const payer = { customerId: chosen.customerId, awaited, isNamed };
    return payBy(ctx, { ...command, ...chosen.command }, payer);
  }
  const typed = fitMethod(ctx, connection, input);
  if (customer === null && email === null)
    throw validationError([{ field: 'email', message: 'Enter an email address.' }]);
  if (customer === null) await requireKnown(ctx, typed);
  const customerId = customer?.id ?? (await payerFor(ctx, payment.id, email ?? '', country));
  const seen = { ...command, method: unseenMethod, abandoned: awaited };
  if (!('stored' in typed)) await requireAcceptable(ctx, { customerId, input: seen });
  const method = await storeMethod(ctx, customerId, typed);
  return payBy(ctx, { ...command, method }, { customerId, awaited, isNamed });
}

type PayCommand = Omit<Extract<CommandInput, { readonly kind: 'payment.pay' }>, 'abandoned'>;

/** Makes the payment for a link after canceling a pending authentication, and returns the result. */
async function payBy(
  ctx: Context,
  command: PayCommand,
  payer: { readonly customerId: string; readonly awaited: string | null; readonly isNamed: boolean },
): Promise<PaymentLinkResult> {
  const { customerId, awaited, isNamed } = payer;
  const { abandoned, instead } = await cancelAuthentication(ctx, awaited);
  const done = instead ?? (await executeOne(ctx, customerId, { ...command, abandoned }));
  return resultAfterResponse(ctx, done, isNamed);
}

/**
 * Completes the pending authentication of the caller's payment link. If the authentication succeeded, completes the payment. If it
 * failed, throws `payment_failed`. Throws `payment_not_found` if no authentication is pending, `no_outstanding_invoice` if the payment was
 * already made or the link was canceled, and `charge_in_progress`.
 */
export async function authenticateLink(ctx: Context, succeed: boolean): Promise<PaymentLinkResult> {
  const payment = await requirePayment(ctx, linkSubject(ctx));
  const awaited = awaitedAttempt(payment);
  if (payment.payerId === null || awaited === null) {
    assertPayable(payment, payment.payerId);
    throw specificError('payment_not_found', 'no_payment_authentication');
  }
  const command = { kind: 'payment.authenticate', paymentId: payment.id, succeed } as const;
  // A remote payment provider reports the outcome. The page only reports that the payer finished the authentication.
  const emitted = await settleOne(ctx, awaited.attemptId, succeed ? 'inquire' : 'cancel');
  const done = emitted ?? (await executeOne(ctx, payment.payerId, command));
  return resultAfterResponse(ctx, done, payment.customerId !== null);
}
