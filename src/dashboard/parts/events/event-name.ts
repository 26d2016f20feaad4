import { eventKinds } from '../../../domain/events/events.ts';

const names = new Map<string, string>(eventKinds.map((kind) => [kind.replaceAll('.', '_'), kind]));

/** Returns the name of an event type in webhooks, such as `subscription.plan_changed`. */
export const eventName = (kind: string): string => names.get(kind) ?? kind;
