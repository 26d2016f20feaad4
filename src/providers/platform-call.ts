/** URL of the platform's payment provider, and the timeout of each request in milliseconds. */
export type PlatformProcessorSettings = { readonly url: string; readonly timeoutMs: number };

/** Request result: a response body, `absent` if the resource doesn't exist, or `silent` if the response is missing, incomplete or invalid. */
export type PlatformProcessorReply =
  | { readonly kind: 'told'; readonly body: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'silent' };

const silent: PlatformProcessorReply = { kind: 'silent' };

/** Location of a resource at the payment provider. The ID of the resource is also the idempotency key. */
export type PlatformProcessorPlace = {
  readonly environmentId: string;
  readonly folder: string;
  readonly id: string;
};

/** Sends a request to the payment provider. `body` is JSON and only used with `PUT`. Never throws. */
export async function callPlatformProcessor(
  { url, timeoutMs }: PlatformProcessorSettings,
  method: 'PUT' | 'GET' | 'POST',
  { environmentId, folder, id }: PlatformProcessorPlace,
  { action = '', body }: { readonly action?: string; readonly body?: string } = {},
): Promise<PlatformProcessorReply> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': id };
  const address = `${url}/environments/${environmentId}/${folder}/${id}${action}`;
  try {
    const response = await fetch(address, {
      method,
      headers,
      body: body ?? null,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.status === 404) return { kind: 'absent' };
    return response.ok ? { kind: 'told', body: JSON.parse(text) } : silent;
  } catch {
    return silent;
  }
}
