import Stripe from 'stripe';
import type { MethodDetails } from '../domain/subscription/state/rows.ts';
import { findCredentials } from './connection-store.ts';
import {
  readReference,
  referenceOf,
  type StripeParts,
  type StripeSettings,
  stripeClient,
} from './stripe-client.ts';

/** With which key an account is spoken to, and how. */
export type StripeAccess = { readonly secretKey: string; readonly settings: StripeSettings };

/** Whose method is stored, and where. */
export type StripeVaulting = {
  readonly connectionId: string;
  readonly environmentId: string;
  readonly customer: { readonly id: string; readonly email: string; readonly fullName: string };
  /** What Stripe calls the customer, where a method of it was stored on the connection before. */
  readonly knownAs: string | null;
  /** The method as the page got it from Stripe, `pm_…`. */
  readonly method: string;
};

/** Why a method was not stored: Stripe rejected it in words for its payer, or gave no reason that can be shown. */
export type VaultRejection = { readonly rejection: string | null };

async function customerOf(
  stripe: Stripe,
  { customer, environmentId, knownAs }: StripeVaulting,
): Promise<string> {
  if (knownAs !== null) return knownAs;
  const { id, email, fullName } = customer;
  const metadata = { customer: id, environment: environmentId };
  // Two checkouts of a customer at the same moment make one customer there.
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

/** Why a method that a page collected cannot be stored, as far as that is known without storing it. Never throws for what Stripe says. */
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
 * Gives a method that a page collected, without its number ever coming here, to the customer at Stripe, and answers what is to be stored of
 * it. Charges nothing. Never throws for what Stripe says.
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
 * Takes a stored method from its customer at Stripe; what it paid can still be refunded there. Returns as well where Stripe does not know the method
 * any more or it belongs to nobody, and where the connection is gone, whose key was the only one to ask with. Throws when Stripe does not answer.
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

/** Whether Stripe accepts a secret key; null when it cannot be asked. */
export async function isAcceptedKey(secretKey: string, settings: StripeSettings): Promise<boolean | null> {
  try {
    await stripeClient(secretKey, settings).balance.retrieve();
    return true;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeAuthenticationError) return false;
    // A restricted key may not look at the balance, yet it is one.
    return error instanceof Stripe.errors.StripePermissionError ? true : null;
  }
}
