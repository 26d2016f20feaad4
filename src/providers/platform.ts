// HTTP client for the platform's payment provider. Quittance assigns the IDs of attempts:
//   PUT  {url}/environments/{environment}/attempts/{id}         executes the request in the body; repeating it has no effect
//   GET  {url}/environments/{environment}/attempts/{id}         returns the status; 404 if the attempt doesn't exist
//   POST {url}/environments/{environment}/attempts/{id}/cancel  cancels an attempt that is waiting for the payer
// The response is `{ status, declineCode?, message?, amountMinor?, currency? }`, with the amount as a string of digits. After a timeout or any other
// response, the result is unknown.
import { z } from 'zod';
import type { ChargeRequest, ChargeResult } from '../domain/payments/provider.ts';
import {
  callPlatformProcessor,
  type PlatformProcessorPlace,
  type PlatformProcessorReply,
  type PlatformProcessorSettings,
} from './platform-call.ts';
import type { RemoteGateway } from './provider.ts';

const answer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('settled') }),
  z.object({
    status: z.literal('declined'),
    declineCode: z.string().min(1),
    message: z.string().default('The charge was declined.'),
  }),
  z.object({ status: z.literal('requires_action') }),
  z.object({ status: z.literal('processing') }),
]);

const sum = z.object({ amountMinor: z.string().regex(/^\d{1,18}$/), currency: z.string() });

type Emitted = {
  readonly result: ChargeResult;
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
};

const unknown: ChargeResult = { status: 'unknown' };
const silence: Emitted = { result: unknown, amountMinor: null, currency: null };

const bodyOf = (request: ChargeRequest): string =>
  JSON.stringify({ ...request, amountMinor: request.amountMinor.toString() });

/** Converts a provider response to the result of an attempt. `null` if the provider never received the attempt. */
function emittedBy(reply: PlatformProcessorReply): Emitted | null {
  if (reply.kind === 'absent') return null;
  const body = reply.kind === 'told' ? reply.body : null;
  const [read, requested] = [answer.safeParse(body), sum.safeParse(body)];
  const result = !read.success || read.data.status === 'processing' ? unknown : read.data;
  if (!requested.success) return { ...silence, result };
  return { result, amountMinor: BigInt(requested.data.amountMinor), currency: requested.data.currency };
}

/** Creates the gateway for the payment provider at a URL. */
export function openPlatformProcessor(settings: PlatformProcessorSettings): RemoteGateway {
  const placeOf = ({ transactionId: id }: ChargeRequest, environmentId: string): PlatformProcessorPlace => ({
    environmentId,
    folder: 'attempts',
    id,
  });
  const ask = async (request: ChargeRequest, environmentId: string): Promise<Emitted | null> =>
    emittedBy(await callPlatformProcessor(settings, 'GET', placeOf(request, environmentId)));
  return {
    local: false,
    charge: async (request, environmentId) =>
      emittedBy(
        await callPlatformProcessor(settings, 'PUT', placeOf(request, environmentId), {
          body: bodyOf(request),
        }),
      )?.result ?? unknown,
    inquire: async (request, environmentId) => (await ask(request, environmentId))?.result ?? null,
    find: async (request, environmentId) => {
      const emitted = await ask(request, environmentId);
      const { transactionId, refundOf = null } = request;
      return emitted === null
        ? null
        : { attempt: transactionId, refundOf, reference: transactionId, ...emitted };
    },
    cancel: async (request, environmentId) =>
      emittedBy(
        await callPlatformProcessor(settings, 'POST', placeOf(request, environmentId), { action: '/cancel' }),
      )?.result ?? unknown,
  };
}
