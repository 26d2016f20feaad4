import { type FieldProblem, specificError, validationError } from '../../../domain/errors/errors.ts';
import { OutsideCallError } from '../../../engine/commit.ts';
import { modeOfKey, modeOfPublishableKey } from '../../../providers/stripe-client.ts';
import { isAcceptedKey, isKeyOfMethod } from '../../../providers/stripe-vault.ts';
import type { Context } from '../../../request/context.ts';
import { findStoredReference } from './store.ts';

/** Keys of a Stripe account. Missing keys aren't checked. */
export type Keys = {
  readonly secretKey?: string | null | undefined;
  readonly publishableKey?: string | null | undefined;
  readonly webhookSecret?: string | null | undefined;
};

function modeProblem(
  field: string,
  mode: 'live' | 'test' | null,
  kind: string,
  livemode: boolean,
): FieldProblem[] {
  if (mode === null) return [{ field, message: `Enter a Stripe ${kind} key.` }];
  if ((mode === 'live') === livemode) return [];
  return [
    {
      field,
      message: livemode
        ? 'The live environment requires a live key. This is a test key.'
        : 'The sandbox requires a test key. This is a live key.',
    },
  ];
}

/**
 * Checks the format and mode of keys, then verifies the secret key with Stripe (PAY-12). Throws `validation_error` with all problems,
 * `provider_unsupported` if Stripe is unreachable, and `OutsideCallError` if a transaction is open.
 */
export async function checkKeys(
  { app, livemode, transaction }: Context,
  { secretKey, publishableKey, webhookSecret }: Keys,
): Promise<void> {
  const problems: FieldProblem[] = [];
  if (secretKey != null) problems.push(...modeProblem('secretKey', modeOfKey(secretKey), 'secret', livemode));
  if (publishableKey != null)
    problems.push(
      ...modeProblem('publishableKey', modeOfPublishableKey(publishableKey), 'publishable', livemode),
    );
  if (webhookSecret != null && !/^whsec_\S+$/.test(webhookSecret)) {
    problems.push({ field: 'webhookSecret', message: 'Enter the signing secret of a Stripe webhook.' });
  }
  if (problems.length > 0) throw validationError(problems);
  if (secretKey == null) return;
  if (transaction !== null) throw new OutsideCallError();
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  const isAccepted = await isAcceptedKey(secretKey, { url, timeoutMs });
  if (isAccepted === false)
    throw validationError([
      { field: 'secretKey', message: 'Stripe rejected this key. Check the key in your Stripe dashboard.' },
    ]);
  if (isAccepted === null) throw specificError('provider_unsupported', 'stripe_unreachable');
}

/**
 * Checks that a new secret key belongs to the account that stores the connection's payment methods (INS-106). The methods
 * couldn't be charged with the key of another account. Throws `validation_error` on `secretKey`.
 */
export async function requireSameAccount(
  ctx: Context,
  connectionId: string,
  secretKey: string,
): Promise<void> {
  const reference = await findStoredReference(ctx, connectionId);
  if (reference === null) return;
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = ctx.app.config;
  if ((await isKeyOfMethod({ secretKey, settings: { url, timeoutMs } }, reference)) !== false) return;
  throw validationError([
    {
      field: 'secretKey',
      message:
        'This key belongs to another Stripe account than the stored payment methods. Use a key of the same account, or create another connection.',
    },
  ]);
}
