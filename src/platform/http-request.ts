import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { publicLookup, rejectLocalLiteral } from './public-address.ts';

// Requests to addresses of others: where they may lead, and what is read of their answers.

/** How much of an answer is kept, in characters. */
const keptCharacters = 1_000;

/** How much of an answer is read, so that its connection can be used again; a longer one costs its connection. */
const readBytes = 16_384;

// Connections are kept for the next request to the same receiver. Those that may lead anywhere are kept apart from those that were checked.
const settings = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
const agents = {
  open: { http: new HttpAgent(settings), https: new HttpsAgent(settings) },
  publicOnly: {
    http: new HttpAgent({ ...settings, lookup: publicLookup }),
    https: new HttpsAgent({ ...settings, lookup: publicLookup }),
  },
};

/** A connection for one request alone, closed with it. */
const singleUse = { open: {}, publicOnly: { lookup: publicLookup } } as const;

/** Where a request goes. */
export type Target = {
  readonly url: string;
  /** Connect to public addresses only. */
  readonly isPublicOnly: boolean;
  /** Whether its connection may be one that another request used before. Defaults to true. */
  readonly isConnectionKept?: boolean;
};

/**
 * Begins a request, which follows no redirect. With `isPublicOnly` the address is resolved once, rejected unless all it leads to is public, and connected to as
 * it was checked. Throws UnreachableHost for an address that names an IP address which is not public.
 */
export function beginRequest(
  { url: text, isPublicOnly, isConnectionKept = true }: Target,
  options: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
  onAnswer: (response: IncomingMessage) => void,
): ClientRequest {
  const url = new URL(text);
  if (isPublicOnly) rejectLocalLiteral(url);
  const isTls = url.protocol === 'https:';
  const reach = isPublicOnly ? 'publicOnly' : 'open';
  const { http, https } = agents[reach];
  const connection = isConnectionKept
    ? { agent: isTls ? https : http }
    : { agent: false as const, ...singleUse[reach] };
  return (isTls ? httpsRequest : httpRequest)(url, { ...options, ...connection }, onAnswer);
}

/** The beginning of a text as it can be stored: no null characters, no broken ones. */
export const storable = (text: string): string =>
  [...text.replaceAll('\u0000', '')].slice(0, keptCharacters).join('').toWellFormed();

/** Reads an answer to its end or to the limit, whichever comes first; what breaks off midway counts as its end. */
export async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > readBytes) break;
    }
  } catch {
    // The status has been reported; the rest of the answer decides nothing.
  }
  return storable(Buffer.concat(chunks).subarray(0, readBytes).toString('utf8'));
}

/** Why a request has no answer, in words that can be stored. */
export const failureText = (error: unknown): string =>
  storable(
    error instanceof Error
      ? error.message || String('code' in error ? error.code : error.name)
      : String(error),
  );
