// Cards of live payers lie with the provider: its own page takes them in and answers a token, and no number ever comes here.
//   GET {url}/environments/{environment}/methods/{token}  tells what the payer is shown of it; 404 when there is none
// It answers `{ brand, last4, expMonth, expYear, bin? }`.
import { z } from 'zod';
import type { MethodDetails } from '../domain/subscription/state/rows.ts';
import { callPlatformProcessor, type PlatformProcessorSettings } from './platform-call.ts';

/** What the provider knows of a method; `unknown` when there is no such one, `silent` when the provider did not say. */
export type FoundMethod = MethodDetails | 'unknown' | 'silent';

/** Where the provider keeps the methods of live payers. */
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

/** The vault of the provider at an address. */
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
