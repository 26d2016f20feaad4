import type { Context } from '../../context.ts';
import { type QuittanceError, specificError } from '../../domain/errors.ts';
import type { CommandResult } from '../../domain/subscription/state/aggregate.ts';
import type { MethodDetails, PendingCheckout } from '../../domain/subscription/state/rows.ts';
import { answered, type CommandInput, executeOne, settleOne, takeBack } from '../../engine/execute.ts';
import type { ConnectionRow } from '../payment-connections/store.ts';
import { connectionOf } from '../payment-connections/store-method.ts';
import { requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';
import { findTransaction } from '../transactions/store.ts';
import type { TypedMethod } from './store-method.ts';
import { commandFor } from './store-method.ts';

/** The attempt about a subscription that waits for its payer to authenticate, wherever its card was typed in; null when none does. */
export function awaitedAttempt({
  pendingCheckout,
}: Pick<SubscriptionRow, 'pendingCheckout'>): PendingCheckout | null {
  return pendingCheckout?.state === 'requires_action' ? pendingCheckout : null;
}

/** What a card typed in outside a checkout is for: only to be stored, or to pay what is owed. */
export type CardPurpose = NonNullable<PendingCheckout['cardFor']>;

/** The same where the card was typed in outside a checkout, for one of these purposes. */
function awaitedCard(
  subscription: Pick<SubscriptionRow, 'pendingCheckout'>,
  purposes: readonly CardPurpose[],
): PendingCheckout | null {
  const awaited = awaitedAttempt(subscription);
  return awaited?.cardFor !== undefined && purposes.includes(awaited.cardFor) ? awaited : null;
}

/** A command by a card typed in outside a checkout. */
type CardCommand = Extract<CommandInput, { readonly kind: 'recovery.pay' | 'method.update' }>;

/**
 * Gives a command about a subscription by a card typed in outside a checkout. An authentication left open is taken back first: where it was
 * passed meanwhile, that is the answer. Throws what `commandFor` throws, the rejection of the command, and `charge_in_progress`.
 */
export async function executeByCard(
  ctx: Context,
  subscription: SubscriptionRow,
  typed: TypedMethod,
  commandOf: (method: MethodDetails, abandoned: string | null) => CardCommand,
): Promise<CommandResult> {
  const awaited = awaitedAttempt(subscription)?.attemptId ?? null;
  const command = await commandFor(ctx, subscription, typed, (method) => commandOf(method, awaited));
  // A request that is made again waits for what it left.
  const { abandoned, instead } = await takeBack(ctx, ctx.resumeLog?.left == null ? awaited : null);
  return answered(instead ?? (await executeOne(ctx, subscription.customerId, { ...command, abandoned })));
}

/**
 * Ends the authentication a card waits for that was typed in outside a checkout: passed, it pays or is stored; failed, it is a decline,
 * `charge_failed`. A processor at the other end of a network is asked what became of it, and it may go on waiting. Throws `payment_not_found` when
 * none is awaited.
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
  // A processor knows what its payer did; the page only says that it is over.
  const emitted =
    awaited === null ? null : await settleOne(ctx, awaited.attemptId, succeed ? 'inquire' : 'cancel');
  const command = { kind: 'method.authenticate', subscriptionId, succeed } as const;
  const { status } = answered(emitted ?? (await executeOne(ctx, subscription.customerId, command)));
  if (status === 'unchanged') throw notAwaited();
}

const notAwaited = (): QuittanceError => specificError('payment_not_found', 'no_authentication');

/** Which authentications a page ends and shows. */
type Purposes = { readonly purposes: readonly CardPurpose[] };

/** An authentication that is awaited, as every page shows it: what for, and what its payer needs. */
export type Authentication = {
  readonly attemptId: string;
  /** What it pays, tax included, minor units; 0 where a card is only stored. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** The account the card lies on; null for the platform's own processor. */
  readonly connection: () => Promise<ConnectionRow | null>;
};

/** The authentication a subscription waits for outside a checkout, for one of these purposes; null when it waits for none. */
export function cardAuthenticationOf(
  ctx: Context,
  subscription: Pick<SubscriptionRow, 'pendingCheckout' | 'currency'>,
  { purposes }: Purposes,
): Promise<Authentication | null> {
  const awaited = awaitedCard(subscription, purposes);
  return awaited === null ? Promise.resolve(null) : authenticationOf(ctx, subscription, awaited);
}

/** An authentication a subscription waits for, as a page shows it. */
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
