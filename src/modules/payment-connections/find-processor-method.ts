import type { Context } from '../../context.ts';
import { specificError, validationError } from '../../domain/errors.ts';
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
  if (platformProcessorVault === undefined) throw specificError('provider_unsupported', 'no_live_connection');
  const account = await db.payoutAccount.findFirst({ where: {} });
  if (account?.status !== 'verified') throw specificError('provider_unsupported', 'unverified');
  if (transaction !== null) throw new OutsideCallError();
  const found = await platformProcessorVault.find(token, environment.id);
  if (found === 'unknown') throw validationError([{ field: 'paymentMethod', message: 'is not known' }]);
  if (found !== 'silent') return found;
  throw specificError('charge_failed', 'provider_unreachable', {
    details: { declineCode: 'provider_unavailable' },
  });
}
