import { type EventKind, eventKinds } from '../../src/domain/events.ts';

/** The name of a kind in GraphQL. */
export const kindName = (kind: string): string => kind.replace('.', '_');

const kinds = new Map<string, EventKind>(eventKinds.map((kind) => [kindName(kind), kind]));

/** The kind of a name in GraphQL, as REST and webhooks spell it. Throws for one that is none. */
export function kindOf(name: string): EventKind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`${name} is no kind of event.`);
  return kind;
}

/** A value of GraphQL with the kinds of events in it as REST spells them. */
export const withStoredKinds = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === 'string' ? (kinds.get(each) ?? each) : each,
  );
