// Payment methods of live payers. The provider's own page collects the card and returns a token, so card numbers never reach Quittance.
//   GET {url}/environments/{environment}/methods/{token}  returns the details to display; 404 if the token doesn't exist
// The response is `{ brand, last4, expMonth, expYear, bin? }`.
import { z } from 'zod';
import type { MethodDetails } from '../domain/rows/rows.ts';
import { callPlatformProcessor, type PlatformProcessorSettings } from './platform-call.ts';

/** Details of a payment method. `unknown` if the payment method doesn't exist, and `silent` if the provider didn't respond. */
type FoundMethod = MethodDetails | 'unknown' | 'silent';

/** Client for payment methods that the provider stores for live payers. */
export type PlatformProcessorVault = {
  readonly find: (token: string, environmentId: string) => Promise<FoundMethod>;
};

const method = z.object({
  brand: z.string().min(1).max(50),
  last4: z.string().regex(/^\d{4}$/),
  bin: z
    .string()
    .regex(/^\d{6,8}$/)
    .nullable()
    .default(null),
  expMonth: z.int().min(1).max(12),
  expYear: z.int().min(2000).max(9999),
});

/** Creates a client for the payment methods of the provider at a URL. */
export const openPlatformProcessorVault = (settings: PlatformProcessorSettings): PlatformProcessorVault => ({
  find: async (token, environmentId) => {
    const reply = await callPlatformProcessor(settings, 'GET', {
      environmentId,
      folder: 'methods',
      id: token,
    });
    if (reply.kind === 'absent') return 'unknown';
    const read = method.safeParse(reply.kind === 'told' ? reply.body : null);
    return read.success ? { ...read.data, reference: token, provider: 'platform' } : 'silent';
  },
});
