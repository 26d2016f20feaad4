import { proven } from './identity-confirmation.ts';
import { base } from './place.ts';
import type { Request } from './requests.ts';
import { renewed } from './session.ts';
import { followText, type LiveSink } from './socket.ts';
import { type Posted, post, type RequestOptions } from './transport.ts';

// Requests from the API explorer. They bypass the cache, and their errors are shown unchanged.

export async function schemaText(): Promise<string> {
  const response = await fetch(`${base}/graphql/schema.graphql`);
  if (!response.ok) throw new Error(`Loading the schema failed with status ${response.status}.`);
  return response.text();
}

/** GraphQL document from the editor, with its variables and headers. */
export type TypedRequest = Request & { readonly headers: Readonly<Record<string, string>> };

/** Sends the request without the session if the headers contain an API key. */
function optionsOf({ kind, headers }: TypedRequest): RequestOptions {
  const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
  return {
    headers,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(kind === 'mutation' ? { idempotencyKey: crypto.randomUUID() } : {}),
  };
}

/**
 * Sends a query or mutation from the editor. Retries after a sign-in or an identity confirmation if the service requires one. Throws an
 * `ApiError` if there is no response.
 */
export async function runTyped(request: TypedRequest, signal: AbortSignal): Promise<Posted> {
  const options = optionsOf(request);
  for (let attempt = 1; ; attempt += 1) {
    const posted = await post(request, options, signal);
    const code = posted.answer.errors?.[0]?.extensions?.['code'];
    if (options.apiKey !== undefined || attempt > 1) return posted;
    if (code === 'unauthorized') await renewed();
    else if (code !== 'reauthentication_required' || !(await proven())) return posted;
  }
}

/** Subscribes to a live field over the tab's socket. Returns a function that unsubscribes. */
export const followTyped = (
  { document: query, variables, name }: TypedRequest,
  sink: LiveSink,
): (() => void) =>
  followText({ query, variables: { ...variables }, ...(name === '' ? {} : { operationName: name }) }, sink);
