// Gateway for live environments without a configured payment provider. Charges aren't possible. The results of earlier attempts, including
// refunds, remain unknown until a provider is configured again.
import type { ChargeResult } from '../domain/payments/provider.ts';
import type { RemoteGateway } from './provider.ts';

const silence = (): Promise<ChargeResult> => Promise.resolve({ status: 'unknown' });

export const noPlatformProcessor: RemoteGateway = {
  local: false,
  charge: silence,
  inquire: silence,
  find: () => Promise.reject(new Error('No payment provider is configured.')),
  cancel: silence,
};
