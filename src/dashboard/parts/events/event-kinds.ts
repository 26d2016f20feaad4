import { eventKinds } from '../../../domain/events.ts';
import type { EventKind } from '../../data/events.graphql';

/** A kind of event by its API name and by the name messages have. */
export type Kind = { readonly value: EventKind; readonly name: string };

const kindOf = (name: string): Kind => ({ value: name.replaceAll('.', '_') as EventKind, name });

/** All kinds of events. */
export const kinds: readonly Kind[] = eventKinds.map(kindOf);

/** Kinds by what they are about: subscription, payment, invoice. */
export const kindGroups: readonly (readonly [string, readonly Kind[]])[] = [
  ...Map.groupBy(kinds, ({ name }) => name.slice(0, name.indexOf('.'))),
];
