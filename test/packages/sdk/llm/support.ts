import { expect } from 'vitest';
import type { UsageInput } from '../../../../src/packages/sdk/usage-queue.ts';

/** Usage events that a wrapper without holds recorded. */
export function recorder(onAbort?: 'drain') {
  const events: UsageInput[] = [];
  const usageQueue = { add: (event: UsageInput) => void events.push(event), waitFor: () => undefined };
  const noHolds = () => Promise.reject(new Error('The wrapper must not open a hold.'));
  const options = {
    quittance: { usageQueue, usage: { hold: noHolds, release: noHolds } },
    mode: 'record' as const,
    customerId: 'ada',
    featureCode: 'tokens',
    ...(onAbort === undefined ? {} : { onAbort }),
  };
  return { events, options };
}

/** Expected usage event: the listed fields, and the common ones. */
export const usage = (fields: object, properties: object[] = []) => ({
  customerId: 'ada',
  featureCode: 'tokens',
  eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  properties,
  ...fields,
});

export const estimated = [{ property: 'estimated', value: 'true' }];

export const json = (value: unknown): Response =>
  new Response(JSON.stringify(value), { headers: { 'content-type': 'application/json' } });

/** Response with server-sent events. Breaks after the chunks if `isBroken` is true. */
export function stream(
  chunks: readonly { readonly type?: string; readonly [field: string]: unknown }[],
  isBroken = false,
): Response {
  const encoder = new TextEncoder();
  const parts = chunks.map(
    (chunk) =>
      `${chunk.type === undefined ? '' : `event: ${chunk.type}\n`}data: ${JSON.stringify(chunk)}\n\n`,
  );
  const waiting = isBroken
    ? parts
    : [...parts, ...(chunks[0]?.type === undefined ? ['data: [DONE]\n\n'] : [])];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = waiting.shift();
      if (next !== undefined) controller.enqueue(encoder.encode(next));
      else if (isBroken) controller.error(new TypeError('The connection was reset.'));
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** Fetch function of a vendor that returns responses in order, and records the requests. */
export function vendor(...responses: Response[]) {
  const bodies: Record<string, unknown>[] = [];
  const send: typeof fetch = async (_url, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    return responses.shift() ?? new Response('{}', { status: 500 });
  };
  return { bodies, send };
}
