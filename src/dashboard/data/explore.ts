import { base } from './place.ts';
import { proven } from './proof.ts';
import type { Request } from './requests.ts';
import { renewed } from './session.ts';
import { followText, type LiveSink } from './socket.ts';
import { type Posted, post, type RequestOptions } from './transport.ts';

// Documents that somebody typed: they go past the cache, and their errors are shown as they come.

/** The schema as the service prints it. */
export async function schemaText(): Promise<string> {
  const response = await fetch(`${base}/graphql/schema.graphql`);
  if (!response.ok) throw new Error(`The schema was answered with ${response.status}.`);
  return response.text();
}

/** A typed document with what it is sent with. */
export type TypedRequest = Request & { readonly headers: Readonly<Record<string, string>> };

/** With a key among the headers the session is left out. */
function optionsOf({ kind, headers }: TypedRequest): RequestOptions {
  const key = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-api-key')?.[1];
  return {
    headers,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(kind === 'mutation' ? { idempotencyKey: crypto.randomUUID() } : {}),
  };
}

/** Sends a typed query or mutation; again after a sign-in or the password where that is asked for. Throws an ApiError where there is no answer. */
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

/** Follows a typed live field over the tab's socket until the function it answers is called. */
export const followTyped = (
  { document: query, variables, name }: TypedRequest,
  sink: LiveSink,
): (() => void) =>
  followText({ query, variables: { ...variables }, ...(name === '' ? {} : { operationName: name }) }, sink);
