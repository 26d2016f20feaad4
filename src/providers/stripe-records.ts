import type Stripe from 'stripe';
import { paddedCurrencies } from '../domain/padded-currencies.ts';
import { findConnectionIds, findCredentials } from './connection-store.ts';
import type { Listed, Recorded, Window } from './provider.ts';
import { type StripeParts, stripeClient } from './stripe-client.ts';
import { intentResult, refundResult, setupResult } from './stripe-results.ts';

/** Payments, set-ups and refunds of an account that are read at a time, of each. */
const mostRecords = 1_000;

const amountsOf = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({
  amountMinor: paddedCurrencies.includes(currency) ? BigInt(amount) / 100n : BigInt(amount),
  currency,
});

const attemptOf = (of: { readonly metadata: Stripe.Metadata | null }): string | null =>
  of.metadata?.['attempt'] ?? null;

/** What is on record of a payment. */
export const recordedIntent = (intent: Stripe.PaymentIntent): Recorded => ({
  attempt: attemptOf(intent),
  refundOf: null,
  reference: intent.id,
  result: intentResult(intent),
  ...amountsOf(intent),
});

/** What is on record of a set-up. */
export const recordedSetup = (setup: Stripe.SetupIntent): Recorded => ({
  attempt: attemptOf(setup),
  refundOf: null,
  reference: setup.id,
  result: setupResult(setup),
  amountMinor: null,
  currency: null,
});

/** What is on record of a refund of a payment. */
export const recordedRefund = (refund: Stripe.Refund, intent: Stripe.PaymentIntent): Recorded => ({
  attempt: attemptOf(refund),
  refundOf: attemptOf(intent),
  reference: refund.id,
  result: refundResult(refund),
  ...amountsOf(refund),
});

/** What is on record of the refunds of a payment, also of those made at Stripe; none where we did not make the payment for the environment. */
export async function recordedRefunds(
  stripe: Stripe,
  paymentIntent: string,
  environmentId: string,
): Promise<Recorded[]> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntent);
  if (intent.metadata['environment'] !== environmentId) return [];
  const refunds = await stripe.refunds
    .list({ payment_intent: paymentIntent, limit: 100 })
    .autoPagingToArray({ limit: mostRecords });
  return refunds.map((refund) => recordedRefund(refund, intent));
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

const createdIn = ({ from, to }: Window) => ({
  created: { ...(from === null ? {} : { gte: seconds(from) }), ...(to === null ? {} : { lte: seconds(to) }) },
});

/** What an account has on record for an environment: payments and set-ups we made there, and refunds, also those made at Stripe. */
async function accountRecords(stripe: Stripe, environmentId: string, window: Window): Promise<Recorded[]> {
  const page = { ...createdIn(window), limit: 100 };
  const isOwn = ({ metadata }: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'metadata'>): boolean =>
    metadata?.['environment'] === environmentId;
  const intents = await stripe.paymentIntents.list(page).autoPagingToArray({ limit: mostRecords });
  const setups = await stripe.setupIntents.list(page).autoPagingToArray({ limit: mostRecords });
  const refunds = await stripe.refunds
    .list({ ...page, expand: ['data.payment_intent'] })
    .autoPagingToArray({ limit: mostRecords });
  return [
    ...intents.filter(isOwn).map(recordedIntent),
    ...setups.filter(isOwn).map(recordedSetup),
    ...refunds.flatMap((refund) => {
      const { payment_intent: intent } = refund;
      return typeof intent === 'object' && intent !== null && isOwn(intent)
        ? [recordedRefund(refund, intent)]
        : [];
    }),
  ];
}

/** What the accounts of an environment have on record of a window, of each at most 1 000 payments, set-ups and refunds, the newest. */
export async function listRecorded(
  { query, secrets, settings }: StripeParts,
  environmentId: string,
  window: Window,
): Promise<Listed> {
  const records: Recorded[] = [];
  const failures: unknown[] = [];
  for (const id of await findConnectionIds(query, environmentId)) {
    const credentials = await findCredentials(query, secrets, environmentId, id);
    if (credentials === null) continue;
    try {
      records.push(
        ...(await accountRecords(stripeClient(credentials.secretKey, settings), environmentId, window)),
      );
    } catch (error) {
      // An account whose key was revoked must not hide what the others say.
      failures.push(error);
    }
  }
  return { records, failures };
}
