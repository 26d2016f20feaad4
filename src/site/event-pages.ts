import { type GraphQLSchema, isEnumType } from 'graphql';
import { type EventKind, eventKinds } from '../domain/events/events.ts';
import type { Payload, PayloadField } from '../domain/events/payloads/fields.ts';
import { eventPayloads, payloadTypeName } from '../domain/events/payloads/payloads.ts';
import { webhookExample } from '../rest/openapi-webhooks.ts';
import { blocks, inline, jsonBlock, table } from './markdown.ts';
import { addressOf, type SitePage } from './page.ts';

// Event catalog: a page for each event type, generated from the declared payloads.

const typeOf = ({ type, isList }: PayloadField): string => {
  const name = typeof type === 'string' ? inline(type) : 'object';
  return isList ? `list of ${name}${typeof type === 'string' ? '' : 's'}` : name;
};

const rowsOf = (payload: Payload, prefix = ''): string[][] =>
  Object.entries(payload).flatMap(([name, field]) => [
    [inline(`${prefix}${name}`), typeOf(field), field.description],
    ...(typeof field.type === 'string'
      ? []
      : rowsOf(field.type.fields, `${prefix}${name}${field.isList ? '[]' : ''}.`)),
  ]);

const pathOf = (kind: EventKind): string => `events/${kind.replaceAll(/[._]/g, '-')}`;

const introduction = `An event reports a change in your environment. [Webhooks](${addressOf('guides/webhooks')}) send events to your server, \`events\` lists
them, and the live field \`eventStream\` streams them. The payload of an event is \`data\` in a webhook, and \`Event.data\` and \`Event.payload\` in GraphQL.

The types on these pages are scalars and enums of the GraphQL schema. In webhooks, a \`DateTime\` is an ISO 8601 string. Amounts are in the smallest currency unit,
such as cents. Unit prices and balances are in 1/10,000 of the currency unit (10,000 = 1.00).

\`customerId\` is the external ID of the customer. If the customer has no external ID, \`customerId\` is the ID that starts with \`cus_\`. The exceptions are plan grants, whose
events always contain the ID, and events about customers, which contain both IDs.`;

/** Returns the index of the event types, grouped by object. */
function indexPage(descriptions: ReadonlyMap<string, string>): SitePage {
  const groups = Map.groupBy(eventKinds, (kind) => kind.slice(0, kind.indexOf('.')));
  const lists = Array.from(groups, ([object, kinds]) =>
    blocks(
      `## ${object}`,
      table(
        ['Event', 'Sent when'],
        kinds.map((kind) => [`[\`${kind}\`](${addressOf(pathOf(kind))})`, descriptions.get(kind) ?? '']),
      ),
    ),
  );
  return {
    path: 'events',
    title: 'Event catalog',
    description: 'Every event type with its payload.',
    section: 'Events',
    body: () => blocks(introduction, ...lists),
  };
}

/** Returns the pages of the event catalog: the index, and a page for each event type with its fields and the body of a webhook. */
export function eventPages(schema: GraphQLSchema): readonly SitePage[] {
  const kinds = schema.getType('EventKind');
  if (!isEnumType(kinds)) throw new Error('The schema has no event types.');
  const descriptions = new Map(
    kinds.getValues().map(({ value, description }) => [String(value), description ?? '']),
  );
  return [
    indexPage(descriptions),
    ...eventKinds.map((kind): SitePage => {
      const description = descriptions.get(kind) ?? '';
      return {
        path: pathOf(kind),
        title: kind,
        description,
        section: 'Events',
        body: () =>
          blocks(
            description,
            `The GraphQL type of the payload is \`${payloadTypeName(kind)}\`.`,
            '## Payload',
            table(['Field', 'Type', 'Meaning'], rowsOf(eventPayloads[kind])),
            '## Webhook',
            jsonBlock(webhookExample(kind)),
          ),
      };
    }),
  ];
}
