// Charges, setups and refunds on connected Stripe accounts (PAY-14, PAY-16). The attempt ID is the idempotency key and is stored in the metadata, so
// that a payment can be found without its Stripe ID.
import type Stripe from 'stripe';
import { stripeAmount } from '../domain/money/stripe-amounts.ts';
import { type ChargeRequest, type ChargeResult, isPayerPresent } from '../domain/payments/provider.ts';
import { findAttemptMethod, findCredentials } from './connection-store.ts';
import type { Recorded, RemoteGateway } from './provider.ts';
import { readReference, type StripeMethod, type StripeParts, stripeClient } from './stripe-client.ts';
import { codeErrorResult, codeTerms, settleByCode } from './stripe-code.ts';
import { listRecorded, recordedIntent, recordedRefund, recordedSetup } from './stripe-records.ts';
import { errorResult, intentResult, refundErrorResult, refundResult, setupResult } from './stripe-results.ts';
import { detachStripe } from './stripe-vault.ts';

type Account = { readonly stripe: Stripe; readonly method: StripeMethod; readonly environmentId: string };

/**
 * Maximum number of a customer's payments to search for an attempt. This number is sufficient because only recent payments are searched.
 */
const maxPayments = 1_000;

const amountOf = ({ amountMinor, currency }: ChargeRequest): number => stripeAmount(amountMinor, currency);

const metadataOf = (
  { transactionId, subscriptionId, invoiceId }: ChargeRequest,
  environmentId: string,
): Record<string, string> => ({
  attempt: transactionId,
  environment: environmentId,
  ...(subscriptionId === null ? {} : { subscription: subscriptionId }),
  ...(invoiceId === null ? {} : { invoice: invoiceId }),
});

/** Returns the Stripe account for a request. Refunds use the account of the original charge. Throws if the connection doesn't exist. */
async function accountOf(
  parts: StripeParts,
  request: ChargeRequest,
  environmentId: string,
): Promise<Account> {
  const { query, secrets, settings } = parts;
  const charged =
    request.refundOf === undefined ? null : await findAttemptMethod(query, environmentId, request.refundOf);
  const method = readReference(charged ?? request.methodReference);
  const credentials = await findCredentials(query, secrets, environmentId, method.connectionId);
  if (credentials === null) throw new Error(`There is no connection ${method.connectionId}.`);
  return { stripe: stripeClient(credentials.secretKey, settings), method, environmentId };
}

/** Returns the first Stripe object in the list that was created for the attempt. `null` if the attempt has no Stripe object. */
async function findOwn<T extends { readonly metadata: Stripe.Metadata | null }>(
  list: Stripe.ApiListPromise<T>,
  attempt: string,
): Promise<T | null> {
  const all = await list.autoPagingToArray({ limit: maxPayments });
  return all.find(({ metadata }) => metadata?.['attempt'] === attempt) ?? null;
}

const findIntent = ({ stripe, method }: Account, attempt: string): Promise<Stripe.PaymentIntent | null> =>
  findOwn(stripe.paymentIntents.list({ customer: method.customer, limit: 100 }), attempt);

const findSetup = ({ stripe, method }: Account, attempt: string): Promise<Stripe.SetupIntent | null> =>
  findOwn(stripe.setupIntents.list({ customer: method.customer, limit: 100 }), attempt);

/**
 * Returns the Stripe parameters that depend on whether the payer is present. Only a payer who is present can authenticate and agree to future
 * charges.
 */
function presenceOf(request: ChargeRequest) {
  if (!isPayerPresent(request)) return { off_session: true } as const;
  return request.isOneOff === true ? {} : ({ setup_future_usage: 'off_session' } as const);
}

async function take(account: Account, request: ChargeRequest): Promise<ChargeResult> {
  const { stripe, method, environmentId } = account;
  const { securityCode } = request;
  const presence = presenceOf(request);
  const terms =
    securityCode === undefined
      ? ({ automatic_payment_methods: { enabled: true, allow_redirects: 'never' }, ...presence } as const)
      : codeTerms(securityCode);
  const intent = await stripe.paymentIntents.create(
    {
      amount: amountOf(request),
      currency: request.currency,
      customer: method.customer,
      payment_method: method.method,
      confirm: true,
      ...terms,
      metadata: metadataOf(request, environmentId),
    },
    { idempotencyKey: request.transactionId },
  );
  return securityCode === undefined ? intentResult(intent) : settleByCode(stripe, intent);
}

async function setUp(
  { stripe, method, environmentId }: Account,
  request: ChargeRequest,
): Promise<ChargeResult> {
  const intent = await stripe.setupIntents.create(
    {
      customer: method.customer,
      payment_method: method.method,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      confirm: true,
      usage: request.isOneOff === true ? 'on_session' : 'off_session',
      metadata: metadataOf(request, environmentId),
    },
    { idempotencyKey: request.transactionId },
  );
  return setupResult(intent);
}

async function giveBack(account: Account, request: ChargeRequest): Promise<ChargeResult> {
  const intent = await findIntent(account, request.refundOf ?? '');
  if (intent === null) throw new Error(`Stripe has no payment for ${request.refundOf}.`);
  const wanted = {
    payment_intent: intent.id,
    amount: amountOf(request),
    metadata: metadataOf(request, account.environmentId),
  };
  try {
    return refundResult(
      await account.stripe.refunds.create(wanted, { idempotencyKey: request.transactionId }),
    );
  } catch (error) {
    return refundErrorResult(error);
  }
}

async function look(account: Account, request: ChargeRequest): Promise<Recorded | null> {
  const { transactionId, kind, refundOf = '' } = request;
  if (kind === 'setup') {
    const setup = await findSetup(account, transactionId);
    return setup === null ? null : recordedSetup(setup);
  }
  const intent = await findIntent(account, kind === 'refund' ? refundOf : transactionId);
  if (kind === 'charge' || intent === null) return intent === null ? null : recordedIntent(intent);
  const refund = await findOwn(
    account.stripe.refunds.list({ payment_intent: intent.id, limit: 100 }),
    transactionId,
  );
  return refund === null ? null : recordedRefund(refund, intent);
}

async function takeBack(account: Account, { transactionId, kind }: ChargeRequest): Promise<ChargeResult> {
  const { stripe } = account;
  if (kind === 'setup') {
    const setup = await findSetup(account, transactionId);
    return setup === null ? { status: 'unknown' } : setupResult(await stripe.setupIntents.cancel(setup.id));
  }
  const intent = await findIntent(account, transactionId);
  if (intent === null) return { status: 'unknown' };
  // Stripe rejects the cancellation of a payment that has already succeeded or was canceled.
  const isOver = intent.status === 'succeeded' || intent.status === 'canceled';
  return intentResult(isOver ? intent : await stripe.paymentIntents.cancel(intent.id));
}

/** Returns the client secret of a payment or setup that is waiting for the payer. */
async function payerSecret(account: Account, { transactionId, kind }: ChargeRequest): Promise<string | null> {
  const intent = await (kind === 'setup' ? findSetup : findIntent)(account, transactionId);
  return intent?.status === 'requires_action' ? intent.client_secret : null;
}

/** Creates the gateway for all connected Stripe accounts. A request's payment method determines the connection. */
export function stripeGateway(parts: StripeParts): RemoteGateway {
  const calls = { charge: take, setup: setUp, refund: giveBack };
  return {
    local: false,
    charge: async (request, environmentId) => {
      try {
        return await calls[request.kind](await accountOf(parts, request, environmentId), request);
      } catch (error) {
        return request.securityCode === undefined ? errorResult(error) : codeErrorResult(error);
      }
    },
    // If Stripe rejects the inquiry, the result of the payment is still unknown. The caller records the error.
    inquire: async (request, environmentId) => {
      const account = await accountOf(parts, request, environmentId);
      if (request.securityCode === undefined) return (await look(account, request))?.result ?? null;
      const intent = await findIntent(account, request.transactionId);
      return intent === null ? null : settleByCode(account.stripe, intent);
    },
    find: async (request, environmentId) => look(await accountOf(parts, request, environmentId), request),
    list: (environmentId, window) => listRecorded(parts, environmentId, window),
    cancel: async (request, environmentId) =>
      takeBack(await accountOf(parts, request, environmentId), request),
    detach: (reference, environmentId) => detachStripe(parts, reference, environmentId),
    payerSecret: async (request, environmentId) =>
      payerSecret(await accountOf(parts, request, environmentId), request),
  };
}
