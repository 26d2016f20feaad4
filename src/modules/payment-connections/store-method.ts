import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
import type { MethodDetails } from '../../domain/subscription/state/rows.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import { type CardInput, vaultCard } from '../../providers/sandbox.ts';
import { readReference } from '../../providers/stripe-client.ts';
import {
  findStripeMethod,
  type StripeAccess,
  type VaultRejection,
  vaultStripe,
} from '../../providers/stripe-vault.ts';
import { findPlatformProcessorMethod } from './find-processor-method.ts';
import { type ConnectionRow, findNewestMethod, requireConnection } from './store.ts';

/** How someone means to pay: by a card typed in, or by what the page got from Stripe for one. */
export type TypedMethod = {
  readonly card?: CardInput | null | undefined;
  readonly paymentMethod?: string | null | undefined;
};

/** A method as it was given, found fit for the account it is meant for; nothing is stored anywhere yet. */
export type FitMethod =
  | { readonly connection: null; readonly stored: MethodDetails }
  | { readonly connection: null; readonly token: string }
  | { readonly connection: ConnectionRow; readonly paymentMethod: string };

/** A placeholder for a method that is not stored at its provider yet. */
export const unseenMethod: MethodDetails = {
  provider: 'stripe',
  reference: '',
  bin: null,
  brand: '',
  last4: '',
  expMonth: 1,
  expYear: 9999,
};

/** The account a method lies on; null for the platform's own processor. */
export const connectionOf = async (
  ctx: Context,
  { provider, reference }: Pick<MethodDetails, 'provider' | 'reference'>,
): Promise<ConnectionRow | null> =>
  provider === 'stripe' ? requireConnection(ctx, readReference(reference).connectionId) : null;

/** What a call to Stripe about methods needs. Throws OutsideCallError inside a transaction. */
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
 * Whether what was given fits the account that takes the payments; null for the platform's own processor. Throws `validation_error` for what is
 * wrong with it, and `provider_unsupported` where it is meant for another account.
 */
export function fitMethod(ctx: Context, connection: ConnectionRow | null, typed: TypedMethod): FitMethod {
  const { card = null, paymentMethod = null } = typed;
  if ((card === null) === (paymentMethod === null)) {
    throw validationError([{ field: 'card', message: 'Give either a card or a payment method.' }]);
  }
  if (connection !== null && paymentMethod !== null) return { connection, paymentMethod };
  // Cards of live payers lie with the provider, whose own page takes them in.
  if (paymentMethod !== null && ctx.livemode) return { connection: null, token: paymentMethod };
  if (connection !== null || card === null) {
    throw specificError('provider_unsupported', 'taken_elsewhere', {
      param: connection === null ? 'paymentMethod' : 'card',
    });
  }
  // The built-in rail only knows test cards, and those are for the sandbox (PLT-3).
  if (ctx.livemode) throw specificError('provider_unsupported', 'no_live_connection');
  return { connection, stored: vaultCard(card, ctx.wall.now()) };
}

/** Makes sure that Stripe or the provider knows a method, where its owner is yet to be made. Throws as `storeMethod` does. */
export async function requireKnown(ctx: Context, method: FitMethod): Promise<void> {
  if ('token' in method) await findPlatformProcessorMethod(ctx, method.token);
  if (method.connection === null) return;
  const rejection = await findStripeMethod(accessOf(ctx, method.connection), method.paymentMethod);
  if (rejection !== null) reject(rejection);
}

/** What Stripe calls a customer of ours, where a method of it was stored on the connection before. */
async function knownAs(ctx: Context, customerId: string, connectionId: string): Promise<string | null> {
  const stored = await findNewestMethod(ctx, customerId, connectionId);
  return stored === null ? null : readReference(stored.reference).customer;
}

/**
 * Stores a method with a customer on the account it fits (PAY-14), and answers what is to be kept of it. Throws `validation_error` when Stripe
 * rejects it, `charge_failed` when Stripe cannot be reached, and for a method of the provider as `findPlatformProcessorMethod` does.
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
