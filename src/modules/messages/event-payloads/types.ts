import { type EventKind, eventKinds } from '../../../domain/events/events.ts';
import type { ObjectType, Payload, PayloadField } from '../../../domain/events/payloads/fields.ts';
import { eventPayloads, payloadTypeName } from '../../../domain/events/payloads/payloads.ts';
import { builder } from '../../../graphql/reading/builder.ts';

/** Event with the data that webhooks receive. */
export type EventData = { readonly kind: string; readonly data: Readonly<Record<string, unknown>> };

/** Payload, or object in a payload. */
type Values = Readonly<Record<string, unknown>>;

// Enums are referenced by name, because the declarations of payloads don't depend on GraphQL. The compiler knows only the names of
// scalars.
type NamedType = 'String';

const nameOf = (name: string, { graphqlName = name }: PayloadField): string => graphqlName;

/**
 * Names of the fields that a payload can omit or return as `null`. GraphQL can merge the fields of two fragments on the union only if
 * both are nullable or neither is, so a field that is nullable in one payload is nullable in all payloads.
 */
const nullable = new Set(
  Object.values(eventPayloads).flatMap((payload) =>
    Object.entries(payload).flatMap(([name, field]) =>
      field.isNullable || field.isOptional ? [nameOf(name, field)] : [],
    ),
  ),
);

/** GraphQL types of the objects in payloads, by name. */
const objects = new Map<string, unknown>();

function objectOf({ name, description, fields }: ObjectType): unknown {
  return builder
    .objectRef<Values>(name)
    .implement({ description, fields: (t) => fieldsOf(t, fields, new Set(), (values) => values) });
}

type Fields<Parent> = Parameters<
  NonNullable<Parameters<ReturnType<typeof builder.objectRef<Parent>>['implement']>[0]['fields']>
>[0];

/** Returns the GraphQL fields of a payload or an object. */
function fieldsOf<Parent>(
  t: Fields<Parent>,
  fields: Payload,
  alsoNullable: ReadonlySet<string>,
  valuesOf: (parent: Parent) => Values,
) {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const shown = nameOf(name, field);
      const { type: declared, isList, description, scale } = field;
      const known: unknown =
        typeof declared === 'string'
          ? declared
          : objects.getOrInsertComputed(declared.name, () => objectOf(declared));
      const type = known as NamedType;
      const isOwn = field.isNullable || field.isOptional;
      const isNullable = isOwn || alsoNullable.has(shown);
      const text = description.replace(' Absent if ', ' `null` if ');
      return [
        shown,
        t.field({
          type: (isList ? [type] : type) as NamedType,
          nullable: isNullable,
          description: isNullable && !isOwn ? `${text} Never \`null\` in this type of event.` : text,
          ...(scale === undefined ? {} : { amount: scale }),
          resolve: (parent) => (valuesOf(parent)[name] ?? null) as string,
        }),
      ];
    }),
  );
}

const payloadOf = (kind: EventKind) =>
  builder.objectRef<EventData>(payloadTypeName(kind)).implement({
    description: `Payload of a \`${kind}\` event.`,
    fields: (t) => fieldsOf(t, eventPayloads[kind], nullable, ({ data }) => data),
  });

export const EventPayload = builder.unionType('EventPayload', {
  description:
    'Payload of an event, with one type for each event type. If a field can be `null` in one type, it can be `null` in all types, so that fragments on several types can select the field.',
  types: eventKinds.map(payloadOf),
  resolveType: ({ kind }) => payloadTypeName(kind),
});
