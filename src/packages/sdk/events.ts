import { ConnectionError } from './errors.ts';
import { eventObjects } from './generated/operations.ts';
import type { EventPayloads } from './generated/types.ts';
import type { Transport } from './http.ts';
import { liveValues } from './live.ts';
import { sleep } from './sleep.ts';

export type EventType = keyof EventPayloads;

export type EventsOptions<Type extends EventType = EventType> = {
  /** Position of the last event that was processed. 0 starts with the first event. Defaults to new events. */
  readonly after?: number;
  /** Event types to include. Defaults to all types. */
  readonly types?: readonly Type[];
  readonly signal?: AbortSignal;
};

/** Event of the environment. Comparing `event` narrows `data`. Store `position` to continue after it. */
export type LiveEvent = {
  [Type in EventType]: {
    readonly position: number;
    readonly id: string;
    readonly event: Type;
    readonly timestamp: string;
    readonly data: EventPayloads[Type];
  };
}[EventType];

const query = `subscription ($after: SafeInt, $types: [EventKind!]) {
  eventStream(afterPosition: $after, types: $types) { position id event timestamp data }
}`;

/** Returns the GraphQL name of an event type. */
const graphqlName = (type: string): string => type.replaceAll('.', '_');

async function* connect(
  transport: Transport,
  { after, types, signal }: EventsOptions,
): AsyncGenerator<LiveEvent, void> {
  const variables = { after, types: types?.map(graphqlName) };
  yield* liveValues<LiveEvent>(transport, { query, variables, field: 'eventStream' }, signal);
}

/** Returns the position of the last event. 0 if the environment has no events. */
async function lastPosition(transport: Transport, signal?: AbortSignal): Promise<number> {
  const body = { query: '{ events(first: 1) { nodes { position } } }' };
  const { data } = await transport.send<{ data: { events: { nodes: { position: number }[] } } }>(
    'POST',
    '/graphql',
    { body, isGraphql: true, ...(signal === undefined ? {} : { signal }) },
  );
  return data.events.nodes[0]?.position ?? 0;
}

/** Yields events, and continues after the last position if the socket breaks. Ends when the signal is aborted. */
export async function* followEvents(
  transport: Transport,
  options: EventsOptions,
): AsyncGenerator<LiveEvent, void> {
  // Without a position, events that occur during a break before the first event would be lost.
  let after = options.after ?? (await lastPosition(transport, options.signal));
  for (let failures = 0; ; failures++) {
    try {
      for await (const event of connect(transport, { ...options, after })) {
        failures = 0;
        after = event.position;
        yield { ...event, event: restName(event.event) } as LiveEvent;
      }
      return;
    } catch (error) {
      if (options.signal?.aborted === true) return;
      if (!(error instanceof ConnectionError)) throw error;
      await sleep(Math.min(250 * 2 ** failures, 5_000), options.signal).catch(() => undefined);
    }
  }
}

/** Converts the GraphQL name of an event type to the name in webhooks: `payment_link.created` for `payment_link_created`. */
export function restName(name: string): string {
  const object = eventObjects.find((one) => name.startsWith(`${one}_`));
  return object === undefined ? name.replace('_', '.') : `${object}.${name.slice(object.length + 1)}`;
}
