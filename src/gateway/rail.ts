// The platform's own rail as a processor of its own, reached over HTTP. Attempts are resources named by us:
//   PUT  {url}/environments/{environment}/attempts/{id}         makes it, once; the body says what is asked for
//   GET  {url}/environments/{environment}/attempts/{id}         tells what has become of it; 404 when it was never made
//   POST {url}/environments/{environment}/attempts/{id}/cancel  takes it back while it waits for the payer
// Each answers `{ status, declineCode?, message?, amountMinor?, currency? }`, the amount as digits. Anything else, and silence, says nothing about the money.
import { z } from 'zod';
import type { ChargeRequest, ChargeResult } from '../domain/gateway.ts';
import type { RemoteGateway } from './gateway.ts';

/** Where the processor answers, and how long it may take. */
export type RailSettings = { readonly url: string; readonly timeoutMs: number };

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

/** What an answer says; null for 404. */
async function toldBy(response: Response): Promise<Told | null> {
  const text = await response.text();
  if (response.status === 404) return null;
  const body: unknown = response.ok ? JSON.parse(text) : null;
  const [read, asked] = [answer.safeParse(body), sum.safeParse(body)];
  const result = !read.success || read.data.status === 'processing' ? unknown : read.data;
  if (!asked.success) return { ...silence, result };
  return { result, amountMinor: BigInt(asked.data.amountMinor), currency: asked.data.currency };
}

/** The rail at an address. */
export function openRail({ url, timeoutMs }: RailSettings): RemoteGateway {
  const call = async (method: string, path: string, request: ChargeRequest, environmentId: string): Promise<Told | null> => {
    const place = `environments/${environmentId}/attempts/${request.transactionId}${path}`;
    const headers = { 'content-type': 'application/json', 'idempotency-key': request.transactionId };
    const body = method === 'PUT' ? { body: bodyOf(request) } : {};
    try {
      return await toldBy(await fetch(`${url}/${place}`, { method, headers, ...body, signal: AbortSignal.timeout(timeoutMs) }));
    } catch {
      // No answer, half an answer, or none that can be read.
      return silence;
    }
  };
  return {
    local: false,
    charge: async (request, environmentId) => (await call('PUT', '', request, environmentId))?.result ?? unknown,
    inquire: async (request, environmentId) => (await call('GET', '', request, environmentId))?.result ?? null,
    find: async (request, environmentId) => {
      const told = await call('GET', '', request, environmentId);
      const { transactionId, refundOf = null } = request;
      return told === null ? null : { attempt: transactionId, refundOf, reference: transactionId, ...told };
    },
    cancel: async (request, environmentId) => (await call('POST', '/cancel', request, environmentId))?.result ?? unknown,
  };
}
