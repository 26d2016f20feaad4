import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { publicLookup, rejectLocalLiteral } from './public-address.ts';

// Requests to external URLs, with checks of the IP address and limits on the response.

/** Maximum number of characters of a response body to store. */
const keptCharacters = 1_000;

/** Maximum number of response bytes to read. If the response is longer, its connection is closed instead of being reused. */
const readBytes = 16_384;

// Connections are reused for requests to the same receiver. Connections to checked and unchecked addresses are pooled separately.
const settings = { keepAlive: true, maxFreeSockets: 64, timeout: 30_000 };
const agents = {
  open: { http: new HttpAgent(settings), https: new HttpsAgent(settings) },
  publicOnly: {
    http: new HttpAgent({ ...settings, lookup: publicLookup }),
    https: new HttpsAgent({ ...settings, lookup: publicLookup }),
  },
};

/** Agent options for connections that aren't reused. */
const singleUse = { open: {}, publicOnly: { lookup: publicLookup } } as const;

export type Target = {
  readonly url: string;
  /** True if connections are allowed only to public addresses. */
  readonly isPublicOnly: boolean;
  /** True if the request can use an existing connection and its connection can be reused. Defaults to true. */
  readonly isConnectionKept?: boolean;
};

/**
 * Starts a request that doesn't follow redirects. With `isPublicOnly`, the host is resolved once, all of its addresses must be public, and the
 * connection uses a checked address. Throws UnreachableHost if the URL contains a non-public IP address.
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

/** Truncates a string and removes null characters and unpaired surrogates, which the database can't store. */
const storable = (text: string): string =>
  [...text.replaceAll('\u0000', '')].slice(0, keptCharacters).join('').toWellFormed();

/** Reads a response up to the limit. If the connection fails, returns the text received so far. */
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
    // Ignores a connection error, because the status is already known and the body doesn't affect the result.
  }
  return storable(Buffer.concat(chunks).subarray(0, readBytes).toString('utf8'));
}

/** Returns the reason for a missing response. The text contains no characters that the database can't store. */
export const failureText = (error: unknown): string =>
  storable(
    error instanceof Error
      ? error.message || String('code' in error ? error.code : error.name)
      : String(error),
  );
