/** Where the platform's processor answers, and how long it may take. */
export type PlatformProcessorSettings = { readonly url: string; readonly timeoutMs: number };

/** What the provider has of one thing asked of it: its body, or that it was never made. `silent` is no answer, half an answer, or none that can be read. */
export type PlatformProcessorReply =
  | { readonly kind: 'told'; readonly body: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'silent' };

const silent: PlatformProcessorReply = { kind: 'silent' };

/** One thing the provider is asked about: its environment, the folder it lies in, and its id, which is the idempotency key. */
export type PlatformProcessorPlace = {
  readonly environmentId: string;
  readonly folder: string;
  readonly id: string;
};

/** Calls the provider about a thing it has or is to make; never throws. `body` is JSON and goes with PUT only. */
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
