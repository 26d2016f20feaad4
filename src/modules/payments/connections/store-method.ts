import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { MethodDetails } from '../../../domain/rows/rows.ts';
import { OutsideCallError } from '../../../engine/commit.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import { type CardInput, vaultCard } from '../../../providers/sandbox.ts';
import { type BankAccountInput, vaultAccount, vaultDebit } from '../../../providers/sandbox-debits.ts';
import { vaultPush } from '../../../providers/sandbox-push.ts';
import { readReference } from '../../../providers/stripe-client.ts';
import {
  findStripeMethod,
  type StripeAccess,
  type VaultRejection,
  vaultStripe,
} from '../../../providers/stripe-vault.ts';
import type { Context } from '../../../request/context.ts';
import { findPlatformProcessorMethod } from './find-processor-method.ts';
import { type ConnectionRow, connectionRows, findNewestMethod } from './store.ts';

/** Payment method from a payer: entered card details, or the payment method ID that the page received from Stripe. */
export type TypedMethod = {
  readonly card?: CardInput | null | undefined;
  readonly paymentMethod?: string | null | undefined;
  /** Bank account that the payer entered. Only the simulated bank of the sandbox accepts account numbers. */
  readonly bankAccount?: BankAccountInput | null | undefined;
};

/** Payment method that can be used with the account that collects the payment. Not stored yet. */
export type FitMethod =
  | { readonly connection: null; readonly stored: MethodDetails }
  | { readonly connection: null; readonly token: string }
  | { readonly connection: ConnectionRow; readonly paymentMethod: string };

/** Placeholder details of a payment method that the provider hasn't stored yet. */
export const unseenMethod: MethodDetails = {
  provider: 'stripe',
  reference: '',
  bin: null,
  brand: '',
  last4: '',
  expMonth: 1,
  expYear: 9999,
};

/** Returns the account that stores a payment method. `null` means the platform's payment provider. */
export const connectionOf = async (
  ctx: Context,
  { provider, reference }: Pick<MethodDetails, 'provider' | 'reference'>,
): Promise<ConnectionRow | null> =>
  provider === 'stripe' ? connectionRows.require(ctx, readReference(reference).connectionId) : null;

/**
 * Returns the credentials for Stripe requests about payment methods. Throws `OutsideCallError` if a transaction is
 * open.
 */
function accessOf({ app, transaction }: Context, { secretKey }: ConnectionRow): StripeAccess {
  if (transaction !== null) throw new OutsideCallError();
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  return { secretKey: app.secrets.decrypt(secretKey), settings: { url, timeoutMs } };
}

function reject({ rejection }: VaultRejection): never {
  if (rejection !== null) throw validationError([{ field: 'paymentMethod', message: rejection }]);
  throw specificError('charge_failed', 'provider_unreachable', {
    details: { declineCode: 'provider_unavailable' },
  });
}

/**
 * Checks that a payment method can be used with the account that collects the payment. A `null` account means the platform's payment
 * provider. Throws `validation_error` if the method is invalid, and `provider_unsupported` if it belongs to another account.
 */
export function fitMethod(ctx: Context, connection: ConnectionRow | null, typed: TypedMethod): FitMethod {
  const { card = null, paymentMethod = null, bankAccount = null } = typed;
  if (bankAccount !== null) return fitAccount(ctx, connection, bankAccount, typed);
  if ((card === null) === (paymentMethod === null)) {
    throw validationError([{ field: 'card', message: 'Send either a card or a payment method, not both.' }]);
  }
  if (connection !== null && paymentMethod !== null) return { connection, paymentMethod };
  // The platform's payment provider collects and stores the cards of live payers on its own page.
  if (paymentMethod !== null && ctx.livemode) return { connection: null, token: paymentMethod };
  const simulated =
    connection === null && paymentMethod !== null
      ? (vaultDebit(paymentMethod) ?? vaultPush(paymentMethod))
      : null;
  if (simulated !== null) return { connection: null, stored: simulated };
  if (connection !== null || card === null) {
    throw specificError('provider_unsupported', 'taken_elsewhere', {
      param: connection === null ? 'paymentMethod' : 'card',
    });
  }
  // The built-in provider accepts only test cards, and only in the sandbox (PLT-3).
  if (ctx.livemode) throw specificError('provider_unsupported', 'no_live_connection');
  return { connection, stored: vaultCard(card, ctx.wall.now()) };
}

/** Checks that an entered bank account can be used. Only the simulated bank of the sandbox accepts account numbers. */
function fitAccount(
  { livemode }: Context,
  connection: ConnectionRow | null,
  bankAccount: BankAccountInput,
  { card, paymentMethod }: TypedMethod,
): FitMethod {
  if (card != null || paymentMethod != null)
    throw validationError([
      { field: 'bankAccount', message: 'Send either a bank account or another payment method, not both.' },
    ]);
  if (livemode || connection !== null)
    throw specificError('provider_unsupported', 'instrument_unfit', {
      param: 'bankAccount',
      details: { reason: 'instrument_not_available' },
    });
  return { connection: null, stored: vaultAccount(bankAccount) };
}

/** Checks that a payment method exists at its provider before the customer is created. Throws the errors thrown by `storeMethod`. */
export async function requireKnown(ctx: Context, method: FitMethod): Promise<void> {
  if ('token' in method) await findPlatformProcessorMethod(ctx, method.token);
  if (method.connection === null) return;
  const rejection = await findStripeMethod(accessOf(ctx, method.connection), method.paymentMethod);
  if (rejection !== null) reject(rejection);
}

/**
 * Returns the Stripe customer ID of the customer's earlier payment method on the connection. `null` if the customer has no earlier payment
 * method on the connection.
 */
async function knownAs(ctx: Context, customerId: string, connectionId: string): Promise<string | null> {
  const stored = await findNewestMethod(ctx, customerId, connectionId);
  return stored === null ? null : readReference(stored.reference).customer;
}

/**
 * Stores a payment method with a customer on its account (PAY-14) and returns the details for the database. Throws `validation_error` if
 * Stripe rejects the method, `charge_failed` if Stripe is unreachable, and the errors thrown by `findPlatformProcessorMethod` for a payment
 * method from the platform's payment provider.
 */
export async function storeMethod(
  ctx: Context,
  customerId: string,
  method: FitMethod,
): Promise<MethodDetails> {
  if ('token' in method) return findPlatformProcessorMethod(ctx, method.token);
  if (method.connection === null) return method.stored;
  const { connection } = method;
  const access = accessOf(ctx, connection);
  const { id, email, fullName } = await loadExistingRow(ctx, 'Customer', customerId);
  const stored = await vaultStripe(access, {
    connectionId: connection.id,
    environmentId: ctx.environment.id,
    customer: { id, email, fullName },
    knownAs: await knownAs(ctx, id, connection.id),
    method: method.paymentMethod,
  });
  return 'rejection' in stored ? reject(stored) : stored;
}
