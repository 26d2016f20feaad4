import { specificError, validationError } from '../../../domain/errors/errors.ts';
import type { MethodDetails } from '../../../domain/rows/rows.ts';
import { OutsideCallError } from '../../../engine/commit.ts';
import type { Context } from '../../../request/context.ts';

/**
 * Returns the details of a payment method from the platform's payment provider (live environment). Throws `provider_unsupported` if no provider is
 * configured or the organization isn't verified (PAY-38), `validation_error` if the provider can't find the payment method, `charge_failed`
 * if the provider is unreachable, and `OutsideCallError` if a transaction is open.
 */
export async function findPlatformProcessorMethod(ctx: Context, token: string): Promise<MethodDetails> {
  const { app, db, environment, transaction } = ctx;
  const { platformProcessorVault } = app.gateways;
  if (platformProcessorVault === undefined) throw specificError('provider_unsupported', 'no_live_connection');
  const account = await db.payoutAccount.findFirst({ where: {} });
  if (account?.status !== 'verified') throw specificError('provider_unsupported', 'unverified');
  if (transaction !== null) throw new OutsideCallError();
  const found = await platformProcessorVault.find(token, environment.id);
  if (found === 'unknown')
    throw validationError([{ field: 'paymentMethod', message: "doesn't exist at the payment provider" }]);
  if (found !== 'silent') return found;
  throw specificError('charge_failed', 'provider_unreachable', {
    details: { declineCode: 'provider_unavailable' },
  });
}
