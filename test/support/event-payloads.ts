import { type EventKind, eventKinds } from '../../src/domain/events/events.ts';
import type { Payload, PayloadField } from '../../src/domain/events/payloads/fields.ts';
import { eventPayloads } from '../../src/domain/events/payloads/payloads.ts';
import type { Database } from '../../src/platform/db/pool.ts';

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value);

const isMap = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const checks: Readonly<Record<string, (value: unknown) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  DateTime: isTime,
  Int: Number.isInteger,
  SafeInt: Number.isInteger,
  TextMap: isMap,
};

const isText = (value: unknown): boolean => typeof value === 'string';

function problemsOfValue(value: unknown, { type }: PayloadField, path: string): string[] {
  if (typeof type !== 'string')
    return isMap(value) ? problemsOf(value as object, type.fields, path) : [`${path} isn't an object`];
  return (checks[type] ?? isText)(value) ? [] : [`${path} is ${JSON.stringify(value)}, not ${type}`];
}

function problemsOf(data: object, payload: Payload, path: string): string[] {
  const undeclared = Object.keys(data).filter((name) => !(name in payload));
  return [
    ...undeclared.map((name) => `${path}.${name} isn't declared`),
    ...Object.entries(payload).flatMap(([name, field]) => {
      const [value, at] = [(data as Readonly<Record<string, unknown>>)[name], `${path}.${name}`];
      if (value === undefined) return field.isOptional ? [] : [`${at} is missing`];
      if (value === null) return field.isNullable ? [] : [`${at} is null`];
      if (!field.isList) return problemsOfValue(value, field, at);
      return Array.isArray(value)
        ? value.flatMap((item) => problemsOfValue(item, field, at))
        : [`${at} isn't a list`];
    }),
  ];
}

/** Returns the differences between the data of an event and the declared payload. */
export function payloadProblems(kind: string, data: object): string[] {
  if (!eventKinds.includes(kind as EventKind)) return [`${kind} is no event type`];
  const payload = eventPayloads[kind as EventKind];
  if (kind !== 'customer.state_changed' || 'status' in data) return problemsOf(data, payload, kind);
  // The stored data contains only the trigger. The state is added when the event is read.
  const { trigger, customerId, subscriptionId } = payload;
  return problemsOf(data, { trigger, customerId, subscriptionId } as Payload, kind);
}

/** Throws if a stored event doesn't match its declared payload. */
export async function expectDeclaredPayloads({ query }: Pick<Database, 'query'>): Promise<void> {
  // Tests that stop the database have no events to check.
  const rows = await query<{ kind: string; data: object }>(
    'SELECT kind, data FROM "Event" ORDER BY position DESC LIMIT 5000',
  ).catch(() => []);
  const problems = new Set(rows.flatMap(({ kind, data }) => payloadProblems(kind, data)));
  if (problems.size > 0) throw new Error(`Events differ from their payloads:\n${[...problems].join('\n')}`);
}
