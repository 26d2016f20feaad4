import type Stripe from 'stripe';
import { stripeMinor } from '../domain/money/stripe-amounts.ts';
import { findConnectionIds, findCredentials } from './connection-store.ts';
import type { Listed, Recorded, Window } from './provider.ts';
import { type StripeParts, stripeClient } from './stripe-client.ts';
import { intentResult, refundResult, setupResult } from './stripe-results.ts';

/** Maximum number of payments, setups and refunds to read per account. Applies to each of the three lists. */
const maxRecords = 1_000;

const amountsOf = ({ amount, currency }: { readonly amount: number; readonly currency: string }) => ({
  amountMinor: stripeMinor(amount, currency),
  currency,
});

const attemptOf = (of: { readonly metadata: Stripe.Metadata | null }): string | null =>
  of.metadata?.['attempt'] ?? null;

export const recordedIntent = (intent: Stripe.PaymentIntent): Recorded => ({
  attempt: attemptOf(intent),
  refundOf: null,
  reference: intent.id,
  result: intentResult(intent),
  ...amountsOf(intent),
});

export const recordedSetup = (setup: Stripe.SetupIntent): Recorded => ({
  attempt: attemptOf(setup),
  refundOf: null,
  reference: setup.id,
  result: setupResult(setup),
  amountMinor: null,
  currency: null,
});

export const recordedRefund = (refund: Stripe.Refund, intent: Stripe.PaymentIntent): Recorded => ({
  attempt: attemptOf(refund),
  refundOf: attemptOf(intent),
  reference: refund.id,
  result: refundResult(refund),
  ...amountsOf(refund),
});

/** Returns all refunds of a payment, including refunds created at Stripe. Empty if the payment doesn't belong to the environment. */
export async function recordedRefunds(
  stripe: Stripe,
  paymentIntent: string,
  environmentId: string,
): Promise<Recorded[]> {
  const intent = await stripe.paymentIntents.retrieve(paymentIntent);
  if (intent.metadata['environment'] !== environmentId) return [];
  const refunds = await stripe.refunds
    .list({ payment_intent: paymentIntent, limit: 100 })
    .autoPagingToArray({ limit: maxRecords });
  return refunds.map((refund) => recordedRefund(refund, intent));
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

const createdIn = ({ from, to }: Window) => ({
  created: { ...(from === null ? {} : { gte: seconds(from) }), ...(to === null ? {} : { lte: seconds(to) }) },
});

/** Returns an account's payments, setups and refunds that belong to the environment. Includes refunds created at Stripe. */
async function accountRecords(stripe: Stripe, environmentId: string, window: Window): Promise<Recorded[]> {
  const page = { ...createdIn(window), limit: 100 };
  const isOwn = ({ metadata }: Pick<Stripe.PaymentIntent | Stripe.SetupIntent, 'metadata'>): boolean =>
    metadata?.['environment'] === environmentId;
  const intents = await stripe.paymentIntents.list(page).autoPagingToArray({ limit: maxRecords });
  const setups = await stripe.setupIntents.list(page).autoPagingToArray({ limit: maxRecords });
  const refunds = await stripe.refunds
    .list({ ...page, expand: ['data.payment_intent'] })
    .autoPagingToArray({ limit: maxRecords });
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

/**
 * Returns the records from all of an environment's accounts in a time range. Limited to the newest 1,000 payments, setups and refunds per account.
 */
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
      // An error in one account, such as a revoked key, must not hide records from other accounts.
      failures.push(error);
    }
  }
  return { records, failures };
}
