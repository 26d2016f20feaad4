import type { Context } from '../../context.ts';
import { QuittanceError, validationError } from '../../domain/errors.ts';
import type { MethodDetails } from '../../domain/subscription/state/rows.ts';
import { OutsideCallError } from '../../engine/commit.ts';

/**
 * What the platform's processor knows of a method of a live payer. Throws `provider_unsupported` where there is no rail and until the organization is
 * verified (PAY-38), `validation_error` for a method the provider does not know, `charge_failed` when it cannot be reached, and OutsideCallError
 * inside a transaction.
 */
export async function findPlatformProcessorMethod(ctx: Context, token: string): Promise<MethodDetails> {
  const { app, db, environment, transaction } = ctx;
  const { platformProcessorVault } = app.gateways;
  if (platformProcessorVault === undefined)
    throw unsupported('No payment connection that can charge live cards is set up.');
  const account = await db.payoutAccount.findFirst({ where: {} });
  if (account?.status !== 'verified')
    throw unsupported('The organization has to be verified before the platform charges for it.');
  if (transaction !== null) throw new OutsideCallError();
  const found = await platformProcessorVault.find(token, environment.id);
  if (found === 'unknown') throw validationError([{ field: 'paymentMethod', message: 'is not known' }]);
  if (found !== 'silent') return found;
  throw new QuittanceError('charge_failed', 'The payment provider cannot be reached; nothing was charged.', {
    details: { declineCode: 'provider_unavailable' },
  });
}

const unsupported = (message: string): QuittanceError => new QuittanceError('provider_unsupported', message);
