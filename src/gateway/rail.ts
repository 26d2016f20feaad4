// The platform's own rail as a processor of its own, reached over HTTP. Attempts are resources named by us:
//   PUT  {url}/environments/{environment}/attempts/{id}         makes it, once; the body says what is asked for
//   GET  {url}/environments/{environment}/attempts/{id}         tells what has become of it; 404 when it was never made
//   POST {url}/environments/{environment}/attempts/{id}/cancel  takes it back while it waits for the payer
// Each answers `{ status, declineCode?, message?, amountMinor?, currency? }`, the amount as digits. Anything else, and silence, says nothing about the money.
import { z } from 'zod';
import type { ChargeRequest, ChargeResult } from '../domain/gateway.ts';
import type { RemoteGateway } from './gateway.ts';
import { callRail, type RailPlace, type RailReply, type RailSettings } from './rail-call.ts';

const answer = z.discriminatedUnion('status', [
  z.object({ status: z.literal('settled') }),
  z.object({ status: z.literal('declined'), declineCode: z.string().min(1), message: z.string().default('The charge was declined.') }),
  z.object({ status: z.literal('requires_action') }),
  z.object({ status: z.literal('processing') }),
]);

const sum = z.object({ amountMinor: z.string().regex(/^\d{1,18}$/), currency: z.string() });

type Told = { readonly result: ChargeResult; readonly amountMinor: bigint | null; readonly currency: string | null };

const unknown: ChargeResult = { status: 'unknown' };
const silence: Told = { result: unknown, amountMinor: null, currency: null };

const bodyOf = (request: ChargeRequest): string => JSON.stringify({ ...request, amountMinor: request.amountMinor.toString() });

/** What a reply says; null when the attempt was never made. */
function toldBy(reply: RailReply): Told | null {
  if (reply.kind === 'absent') return null;
  const body = reply.kind === 'told' ? reply.body : null;
  const [read, asked] = [answer.safeParse(body), sum.safeParse(body)];
  const result = !read.success || read.data.status === 'processing' ? unknown : read.data;
  if (!asked.success) return { ...silence, result };
  return { result, amountMinor: BigInt(asked.data.amountMinor), currency: asked.data.currency };
}

/** The rail at an address. */
export function openRail(settings: RailSettings): RemoteGateway {
  const placeOf = ({ transactionId: id }: ChargeRequest, environmentId: string): RailPlace => ({ environmentId, folder: 'attempts', id });
  const ask = async (request: ChargeRequest, environmentId: string): Promise<Told | null> =>
    toldBy(await callRail(settings, 'GET', placeOf(request, environmentId)));
  return {
    local: false,
    charge: async (request, environmentId) =>
      toldBy(await callRail(settings, 'PUT', placeOf(request, environmentId), { body: bodyOf(request) }))?.result ?? unknown,
    inquire: async (request, environmentId) => (await ask(request, environmentId))?.result ?? null,
    find: async (request, environmentId) => {
      const told = await ask(request, environmentId);
      const { transactionId, refundOf = null } = request;
      return told === null ? null : { attempt: transactionId, refundOf, reference: transactionId, ...told };
    },
    cancel: async (request, environmentId) =>
      toldBy(await callRail(settings, 'POST', placeOf(request, environmentId), { action: '/cancel' }))?.result ?? unknown,
  };
}
