import Stripe from 'stripe';
import type { MethodDetails } from '../domain/rows/rows.ts';
import { findCredentials } from './connection-store.ts';
import {
  readReference,
  referenceOf,
  type StripeParts,
  type StripeSettings,
  stripeClient,
} from './stripe-client.ts';

/** Secret key of a Stripe account, and the settings for requests to Stripe. */
export type StripeAccess = { readonly secretKey: string; readonly settings: StripeSettings };

/** Payment method to store, with its customer and connection. */
export type StripeVaulting = {
  readonly connectionId: string;
  readonly environmentId: string;
  readonly customer: { readonly id: string; readonly email: string; readonly fullName: string };
  /** Stripe customer ID, if the customer already has a payment method on this connection. */
  readonly knownAs: string | null;
  /** Payment method ID (`pm_…`) that the browser received from Stripe. */
  readonly method: string;
};

/** Rejected payment method, with Stripe's message for the payer. `null` if Stripe returned no message for payers. */
export type VaultRejection = { readonly rejection: string | null };

async function customerOf(
  stripe: Stripe,
  { customer, environmentId, knownAs }: StripeVaulting,
): Promise<string> {
  if (knownAs !== null) return knownAs;
  const { id, email, fullName } = customer;
  const metadata = { customer: id, environment: environmentId };
  // The idempotency key prevents concurrent checkouts from creating two Stripe customers.
  const made = await stripe.customers.create(
    { email, name: fullName, metadata },
    { idempotencyKey: `customer-${environmentId}-${id}` },
  );
  return made.id;
}

const onlyCards: VaultRejection = { rejection: 'Only cards can be stored.' };

function rejectionFor(error: unknown): VaultRejection {
  const isAboutMethod =
    error instanceof Stripe.errors.StripeCardError ||
    error instanceof Stripe.errors.StripeInvalidRequestError;
  return { rejection: isAboutMethod ? error.message : null };
}

/** Checks a payment method before it is stored. Returns the rejection if it can't be used. Stripe errors become rejections. */
export async function findStripeMethod(
  { secretKey, settings }: StripeAccess,
  method: string,
): Promise<VaultRejection | null> {
  try {
    const { card } = await stripeClient(secretKey, settings).paymentMethods.retrieve(method);
    return card ? null : onlyCards;
  } catch (error) {
    return rejectionFor(error);
  }
}

/**
 * Attaches a payment method to the Stripe customer and returns its details. Nothing is charged, and card numbers never reach Quittance. Stripe errors
 * become rejections.
 */
export async function vaultStripe(
  { secretKey, settings }: StripeAccess,
  vaulting: StripeVaulting,
): Promise<MethodDetails | VaultRejection> {
  const { connectionId, method } = vaulting;
  const stripe = stripeClient(secretKey, settings);
  try {
    const customer = await customerOf(stripe, vaulting);
    const { card } = await stripe.paymentMethods.attach(method, { customer });
    if (!card) return onlyCards;
    return {
      reference: referenceOf({ connectionId, customer, method }),
      provider: 'stripe',
      bin: null,
      brand: card.brand,
      last4: card.last4,
      expMonth: card.exp_month,
      expYear: card.exp_year,
    };
  } catch (error) {
    return rejectionFor(error);
  }
}

/**
 * Detaches a payment method from its Stripe customer. Past payments can still be refunded. Succeeds if the method no longer exists or the connection
 * was deleted. Throws if Stripe doesn't respond.
 */
export async function detachStripe(
  { query, secrets, settings }: StripeParts,
  reference: string,
  environmentId: string,
): Promise<void> {
  const { connectionId, method } = readReference(reference);
  const credentials = await findCredentials(query, secrets, environmentId, connectionId);
  if (credentials === null) return;
  try {
    await stripeClient(credentials.secretKey, settings).paymentMethods.detach(method);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return;
    throw error;
  }
}

/** Returns whether Stripe accepts the secret key. `null` if Stripe doesn't respond. */
export async function isAcceptedKey(secretKey: string, settings: StripeSettings): Promise<boolean | null> {
  try {
    await stripeClient(secretKey, settings).balance.retrieve();
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return false;
    // A permission error means that the key is restricted and can't read balances. Such a key is valid too.
    return error instanceof Stripe.errors.StripePermissionError ? true : null;
  }
}

/**
 * Returns whether a secret key belongs to the Stripe account that stores a payment method. `null` if Stripe doesn't respond or the key can't read
 * customers.
 */
export async function isKeyOfMethod(
  { secretKey, settings }: StripeAccess,
  reference: string,
): Promise<boolean | null> {
  try {
    await stripeClient(secretKey, settings).customers.retrieve(readReference(reference).customer);
    return true;
  } catch (error) {
    return error instanceof Stripe.errors.StripeInvalidRequestError ? false : null;
  }
}
