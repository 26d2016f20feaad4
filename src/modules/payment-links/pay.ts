import type { Context } from '../../context.ts';
import { QuittanceError, specificError, validationError } from '../../domain/errors.ts';
import { isCharged, payRejection } from '../../domain/payments/payment.ts';
import { countryMissing } from '../../domain/subscription/state/rejections.ts';
import type { Address } from '../../domain/subscription/state/rows.ts';
import { isCountryNeeded } from '../../domain/tax.ts';
import {
  answered,
  type CommandInput,
  executeOne,
  requireAcceptable,
  resumeOne,
  settleOne,
  takeBack,
} from '../../engine/execute.ts';
import { loadSeller } from '../../engine/load-seller.ts';
import { inTransaction } from '../../transaction.ts';
import { createCustomer } from '../customers/create.ts';
import { oldestCustomer } from '../customers/store.ts';
import {
  type ChosenCard,
  demandOneMethod,
  requireSavedCard,
} from '../payment-connections/load-saved-card.ts';
import {
  fitMethod,
  requireKnown,
  storeMethod,
  type TypedMethod,
  unseenMethod,
} from '../payment-connections/store-method.ts';
import { awaitedAttempt, lockEmail, lockPayment, requirePayment } from '../payments/store.ts';
import { linkConnection, linkSubject, loadLink, type PaymentLinkState } from './load.ts';

/** What the payer typed in at the page of a link. */
export type PayLinkInput = TypedMethod & {
  /** The stored card of the customer and its security code, in the place of another one. */
  readonly savedMethod?: ChosenCard | null | undefined;
  readonly email?: string | null | undefined;
  readonly billingAddress?: Address | null | undefined;
  readonly taxDocument?: string | null | undefined;
  /** The name of the company that pays. */
  readonly companyName?: string | null | undefined;
};

/** How a payment at a link stands, and the link as it is at that time. */
export type PaymentLinkResult = {
  readonly status: 'paid' | 'requires_action';
  readonly link: PaymentLinkState;
  /** The invoice the payer may open; null before it is paid, and on a link that named no customer, whose invoice shows what is on record of another. */
  readonly receiptId: string | null;
};

type Payable = Parameters<typeof payRejection>[0];

/** What is asked for again in a transaction of its own, so that the payer of a link that is over or being paid becomes no customer. */
function assertPayable(payment: Payable, payerId: string | null): void {
  const rejection = payRejection(payment, payerId);
  if (rejection !== null) throw new QuittanceError({ code: rejection.code, message: rejection.message });
}

/**
 * How the link stands. Throws as though it were to be paid again where it is neither paid nor waits for its
 * payer: someone else withdrew it, or gave up what was asked about, meanwhile. `isNamed` says whether the link named its customer.
 */
async function standing(ctx: Context, isNamed: boolean): Promise<PaymentLinkResult> {
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

/** The same once the gateway has spoken. Throws `charge_in_progress` while it has not. */
const answeredStanding = (
  ctx: Context,
  done: Parameters<typeof answered>[0],
  isNamed: boolean,
): Promise<PaymentLinkResult> => {
  answered(done);
  return standing(ctx, isNamed);
};

/**
 * Who pays a link that names no customer: the oldest one with the email address typed in, else a new one (PAY-2). One payer at a time of each
 * link, and one of each address, so that neither a form sent twice nor two links paid at once make two customers. Throws what `payRejection`
 * says, and `validation_error` for a new customer whose country is needed (BIL-20).
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
 * Pays the link of the caller's page by a card, which is stored with the payer on the account that takes the payment (PAY-8, PAY-13). A decline
 * throws `payment_failed` with `details.declineCode`, and the link can be tried again. Throws `validation_error` for the card, for a missing
 * `email` on a link without customer, and for a country that is needed and not known (BIL-20), `no_outstanding_invoice` once it is paid or canceled, `charge_in_progress`, `provider_unsupported` for a
 * card meant for another account and for one typed in here in live mode, `payment_method_not_found` for a stored card that is not offered, and `charge_failed` when Stripe cannot be reached to store it.
 */
export async function payLink(ctx: Context, input: PayLinkInput): Promise<PaymentLinkResult> {
  const { email = null, billingAddress = null, taxDocument = null, companyName = null } = input;
  const resumed = await resumeOne(ctx);
  if (resumed !== null) return answeredStanding(ctx, resumed, false);
  const { payment, customer } = await loadLink(ctx);
  const country = billingAddress?.country ?? customer?.country ?? null;
  const connection = await linkConnection(ctx, payment, country);
  const typedIn = { billingAddress, taxDocument, companyName };
  const command = { kind: 'payment.pay', paymentId: payment.id, ...typedIn } as const;
  const awaited = awaitedAttempt(payment)?.attemptId ?? null;
  const isNamed = customer !== null;
  demandOneMethod(input);
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
    throw validationError([{ field: 'email', message: 'An email address is needed.' }]);
  if (customer === null) await requireKnown(ctx, typed);
  const customerId = customer?.id ?? (await payerFor(ctx, payment.id, email ?? '', country));
  const seen = { ...command, method: unseenMethod, abandoned: awaited };
  if (!('stored' in typed)) await requireAcceptable(ctx, { customerId, input: seen });
  const method = await storeMethod(ctx, customerId, typed);
  return payBy(ctx, { ...command, method }, { customerId, awaited, isNamed });
}

type PayCommand = Omit<Extract<CommandInput, { readonly kind: 'payment.pay' }>, 'abandoned'>;

/** Pays a link once an authentication that was awaited is taken back, and answers how it stands. */
async function payBy(
  ctx: Context,
  command: PayCommand,
  payer: { readonly customerId: string; readonly awaited: string | null; readonly isNamed: boolean },
): Promise<PaymentLinkResult> {
  const { customerId, awaited, isNamed } = payer;
  const { abandoned, instead } = await takeBack(ctx, awaited);
  const done = instead ?? (await executeOne(ctx, customerId, { ...command, abandoned }));
  return answeredStanding(ctx, done, isNamed);
}

/**
 * Ends the authentication the link of the caller's page waits for: passed, it is paid; failed, it is a decline, `payment_failed`. Throws
 * `payment_not_found` when none is awaited, `no_outstanding_invoice` once it is paid or canceled, and `charge_in_progress`.
 */
export async function authenticateLink(ctx: Context, succeed: boolean): Promise<PaymentLinkResult> {
  const payment = await requirePayment(ctx, linkSubject(ctx));
  const awaited = awaitedAttempt(payment);
  if (payment.payerId === null || awaited === null) {
    assertPayable(payment, payment.payerId);
    throw specificError('payment_not_found', 'no_payment_authentication');
  }
  const command = { kind: 'payment.authenticate', paymentId: payment.id, succeed } as const;
  // A processor at the other end of a network knows what its payer did; the page only says that it is over.
  const emitted = await settleOne(ctx, awaited.attemptId, succeed ? 'inquire' : 'cancel');
  const done = emitted ?? (await executeOne(ctx, payment.payerId, command));
  return answeredStanding(ctx, done, payment.customerId !== null);
}
