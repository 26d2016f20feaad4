import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { MethodDetails, PendingCheckout } from '../../../domain/rows/rows.ts';
import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import {
  answered,
  type CommandInput,
  cancelAuthentication,
  executeOne,
  settleOne,
} from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import type { ConnectionRow } from '../../payments/connections/store.ts';
import { connectionOf } from '../../payments/connections/store-method.ts';
import { findTransaction } from '../../payments/transactions/store.ts';
import { requireSubscription, type SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import type { TypedMethod } from './store-method.ts';
import { commandFor } from './store-method.ts';

/** Returns the subscription's attempt that requires the payer to authenticate, on any page. `null` if there's no such attempt. */
export function awaitedAttempt({
  pendingCheckout,
}: Pick<SubscriptionRow, 'pendingCheckout'>): PendingCheckout | null {
  return pendingCheckout?.state === 'requires_action' ? pendingCheckout : null;
}

/** Purpose of a card entered outside a checkout: to be stored, or to pay the outstanding amount. */
type CardPurpose = NonNullable<PendingCheckout['cardFor']>;

/** Returns the attempt if its card was entered outside a checkout for one of the given purposes. */
function awaitedCard(
  subscription: Pick<SubscriptionRow, 'pendingCheckout'>,
  purposes: readonly CardPurpose[],
): PendingCheckout | null {
  const awaited = awaitedAttempt(subscription);
  return awaited?.cardFor !== undefined && purposes.includes(awaited.cardFor) ? awaited : null;
}

/** Command that uses a card entered outside a checkout. */
type CardCommand = Extract<CommandInput, { readonly kind: 'recovery.pay' | 'method.update' }>;

/**
 * Executes a subscription command with a card entered outside a checkout. Cancels a pending authentication first; if that authentication
 * already succeeded, returns its result instead. Throws the same errors as `commandFor`, the error of a rejected command, and
 * `charge_in_progress`.
 */
export async function executeByCard(
  ctx: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
  commandOf: (method: MethodDetails, abandoned: string | null) => CardCommand,
): Promise<CommandResult> {
  const awaited = awaitedAttempt(subscription)?.attemptId ?? null;
  const command = await commandFor(ctx, subscription, typed, (method) => commandOf(method, awaited));
  // A repeated request continues the attempt that the first request started.
  const { abandoned, instead } = await cancelAuthentication(
    ctx,
    ctx.resumeLog?.left == null ? awaited : null,
  );
  return answered(instead ?? (await executeOne(ctx, subscription.customerId, { ...command, abandoned })));
}

/**
 * Completes the authentication of a card entered outside a checkout. If the authentication succeeded, the card is charged or stored. If it
 * failed, throws `charge_failed`. With a remote payment provider, the authentication stays pending until the provider reports the outcome.
 * Throws `payment_not_found` if no authentication is pending.
 */
export async function authenticateCard(
  ctx: Context,
  {
    subscriptionId,
    succeed,
    purposes,
  }: { readonly subscriptionId: string; readonly succeed: boolean } & Purposes,
): Promise<void> {
  const subscription = await requireSubscription(ctx, subscriptionId);
  const awaited = awaitedCard(subscription, purposes);
  if (awaited === null && awaitedAttempt(subscription) !== null) throw notAwaited();
  // The payment provider reports the outcome. The page only reports that the payer finished the authentication.
  const emitted =
    awaited === null ? null : await settleOne(ctx, awaited.attemptId, succeed ? 'inquire' : 'cancel');
  const command = { kind: 'method.authenticate', subscriptionId, succeed } as const;
  const { status } = answered(emitted ?? (await executeOne(ctx, subscription.customerId, command)));
  if (status === 'unchanged') throw notAwaited();
}

const notAwaited = (): QuittanceError => specificError('payment_not_found', 'no_authentication');

/** Purposes of the authentications that a page shows and completes. */
type Purposes = { readonly purposes: readonly CardPurpose[] };

export type Authentication = {
  readonly attemptId: string;
  /** Amount to pay including tax, in minor units. 0 if the card is only stored. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Payment account that stores the card. `null` means the platform's payment provider. */
  readonly connection: () => Promise<ConnectionRow | null>;
};

/** Returns a subscription's pending authentication outside a checkout, for one of the given purposes. `null` if no authentication is pending. */
export function cardAuthenticationOf(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'pendingCheckout' | 'currency'>,
  { purposes }: Purposes,
): Promise<Authentication | null> {
  const awaited = awaitedCard(subscription, purposes);
  return awaited === null ? Promise.resolve(null) : authenticationOf(ctx, subscription, awaited);
}

/** Returns a subscription's pending authentication in the form that pages show. */
export async function authenticationOf(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'currency'>,
  awaited: PendingCheckout,
): Promise<Authentication> {
  const { attemptId, transactionId, method } = awaited;
  const transaction = transactionId === null ? null : await findTransaction(ctx, transactionId);
  return {
    attemptId,
    amountMinor: transaction?.amountMinor ?? 0n,
    currency: transaction?.currency ?? subscription.currency,
    connection: () => connectionOf(ctx, method),
  };
}
