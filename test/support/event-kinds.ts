import { type EventKind, eventKinds } from '../../src/domain/events/events.ts';

/** Returns the GraphQL name of an event type. */
export const kindName = (kind: string): string => kind.replace('.', '_');

const kinds = new Map<string, EventKind>(eventKinds.map((kind) => [kindName(kind), kind]));

/** Returns the event type for a GraphQL name, as written in REST and webhooks. Throws if the name is unknown. */
export function kindOf(name: string): EventKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`${name} is no kind of event.`);
  return kind;
}

/** Converts event types in a GraphQL value to the form that REST uses. */
export const withStoredKinds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === 'string' ? (kinds.get(each) ?? each) : each,
  );
