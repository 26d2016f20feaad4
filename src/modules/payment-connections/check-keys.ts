import type { Context } from '../../context.ts';
import { type FieldProblem, specificError, validationError } from '../../domain/errors.ts';
import { OutsideCallError } from '../../engine/commit.ts';
import { modeOfKey, modeOfPublishableKey } from '../../providers/stripe-client.ts';
import { isAcceptedKey } from '../../providers/stripe-vault.ts';

/** The keys of a Stripe account, as far as they are given. */
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
  if (mode === null) return [{ field, message: `This is no ${kind} key of Stripe.` }];
  if ((mode === 'live') === livemode) return [];
  return [
    {
      field,
      message: livemode
        ? 'Live mode needs a live key; this is a test key.'
        : 'The sandbox needs a test key; this is a live key.',
    },
  ];
}

/**
 * Checks keys by their form and mode, then asks Stripe whether it accepts the secret one (PAY-12). Throws `validation_error` with all
 * problems at once, and `provider_unsupported` when Stripe cannot be asked; OutsideCallError inside a transaction.
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
    problems.push({ field: 'webhookSecret', message: 'This is no signing secret of a webhook.' });
  }
  if (problems.length > 0) throw validationError(problems);
  if (secretKey == null) return;
  if (transaction !== null) throw new OutsideCallError();
  const { stripeUrl: url, chargeTimeoutMs: timeoutMs } = app.config;
  const isAccepted = await isAcceptedKey(secretKey, { url, timeoutMs });
  if (isAccepted === false)
    throw validationError([{ field: 'secretKey', message: 'Stripe does not accept this key.' }]);
  if (isAccepted === null) throw specificError('provider_unsupported', 'stripe_unreachable');
}
