import { eventKinds } from '../../../domain/events/events.ts';
import type { EventKind } from '../../data/events.graphql';

/** Event type with its names in the API (`value`) and in webhooks (`name`). */
export type Kind = { readonly value: EventKind; readonly name: string };

const kindOf = (name: string): Kind => ({ value: name.replaceAll('.', '_') as EventKind, name });

export const kinds: readonly Kind[] = eventKinds.map(kindOf);

/** Event types grouped by object, such as subscription, payment, invoice. */
export const kindGroups: readonly (readonly [string, readonly Kind[]])[] = [
  ...Map.groupBy(kinds, ({ name }) => name.slice(0, name.indexOf('.'))),
];
