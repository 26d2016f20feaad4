import { specificError } from '../../../domain/errors/errors.ts';
import { vaultPush } from '../../../providers/sandbox-push.ts';
import type { Context } from '../../../request/context.ts';
import type { TypedMethod } from '../../payments/connections/store-method.ts';
import { enabledInstruments } from './derive-instruments.ts';

/** Throws `provider_unsupported` if the organization doesn't offer the payer's bank account or payment on its pages. */
export async function requireEnabled(
  ctx: Context,
  { bankAccount = null, paymentMethod = null }: Pick<TypedMethod, 'bankAccount' | 'paymentMethod'>,
): Promise<void> {
  const isPush = paymentMethod !== null && vaultPush(paymentMethod) !== null;
  if (bankAccount === null && !isPush) return;
  const { debits, push } = await enabledInstruments(ctx);
  if (isPush ? push : debits) return;
  throw specificError('provider_unsupported', 'instrument_unfit', {
    param: isPush ? 'paymentMethod' : 'bankAccount',
    details: { reason: 'instrument_not_available' },
  });
}
