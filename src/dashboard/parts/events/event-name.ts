import { eventKinds } from '../../../domain/events.ts';

const names = new Map<string, string>(eventKinds.map((kind) => [kind.replaceAll('.', '_'), kind]));

/** The name of a kind of event as webhooks spell it: `subscription.plan_changed`. */
export const eventName = (kind: string): string => names.get(kind) ?? kind;
