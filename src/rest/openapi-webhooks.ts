import { type GraphQLSchema, isEnumType } from 'graphql';
import { eventKinds } from '../domain/events/events.ts';
import { exampleOf } from '../domain/events/payloads/fields.ts';
import { eventPayloads, payloadTypeName } from '../domain/events/payloads/payloads.ts';
import { currentVersion } from '../request/context.ts';
import type { JsonSchema } from './json-schema.ts';
import { json } from './openapi-responses.ts';
import { objectOf, type Schemas } from './openapi-schemas.ts';

const text: JsonSchema = { type: 'string' };

/** Returns an example of the message that an endpoint receives for an event. */
export const webhookExample = (kind: (typeof eventKinds)[number]) => ({
  id: 'whev_1JNkcnXR6WYnGWJZKY8DeJ',
  event: kind,
  timestamp: '2026-08-27T09:30:00.000Z',
  organizationId: 'org_1JNkcnXR6WYnGWJZKY8DeJ',
  mode: 'sandbox',
  apiVersion: currentVersion,
  data: exampleOf(eventPayloads[kind]),
});

/** Returns the schema of the message for an event, whose `data` has the schema `data`. */
const messageOf = (kind: string, data: JsonSchema): JsonSchema =>
  objectOf(
    Object.entries({
      id: { ...text, description: 'ID of the event. The same for every attempt.' },
      event: { ...text, const: kind, description: 'Event type.' },
      timestamp: { ...text, format: 'date-time', description: 'Time of the event.' },
      organizationId: { ...text, description: 'ID of the organization.' },
      mode: { ...text, enum: ['live', 'sandbox'], description: 'Environment of the event.' },
      apiVersion: { ...text, description: 'API version that determines the format of `data`.' },
      data,
    }).map(([name, schema]) => ({ name, schema, isRequired: true })),
  );

/** Returns the `webhooks` of the OpenAPI document: one request for each event type. */
export function webhooksOf(schema: GraphQLSchema, schemas: Schemas): Record<string, JsonSchema> {
  const kinds = schema.getType('EventKind');
  if (!isEnumType(kinds)) throw new Error('The schema has no event types.');
  const descriptions = new Map(kinds.getValues().map(({ value, description }) => [value, description]));
  return Object.fromEntries(
    eventKinds.map((kind) => {
      const description = descriptions.get(kind) ?? '';
      const data = schemas.payload({
        name: payloadTypeName(kind),
        description: `Payload of a \`${kind}\` event.`,
        fields: eventPayloads[kind],
      });
      return [
        kind,
        {
          post: {
            operationId: `on-${kind.replaceAll(/[._]/g, '-')}`,
            summary: description,
            description,
            tags: ['webhooks'],
            requestBody: { required: true, content: json(messageOf(kind, data), webhookExample(kind)) },
            responses: {
              '2XX': { description: 'The event was received.' },
              '4XX': { description: 'The event is sent again later.' },
            },
            security: [],
          },
        },
      ];
    }),
  );
}
