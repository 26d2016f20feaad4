import { type GraphQLSchema, isEnumType } from 'graphql';
import { eventKinds } from '../../../../src/domain/events/events.ts';
import { exampleOf, type Payload, type PayloadField } from '../../../../src/domain/events/payloads/fields.ts';
import { eventPayloads, payloadTypeName } from '../../../../src/domain/events/payloads/payloads.ts';

const typeOf = ({ type, isList }: PayloadField): string => {
  const name = typeof type === 'string' ? `\`${type}\`` : 'object';
  return isList ? `list of ${name}${typeof type === 'string' ? '' : 's'}` : name;
};

const rowsOf = (payload: Payload, path = ''): string[] =>
  Object.entries(payload).flatMap(([name, field]) => [
    `| \`${path}${name}\` | ${typeOf(field)} | ${field.description} |`,
    ...(typeof field.type === 'string'
      ? []
      : rowsOf(field.type.fields, `${path}${name}${field.isList ? '[]' : ''}.`)),
  ]);

const introduction = `# Event catalog

This page lists every event type with its payload: the fields of \`data\` in a [webhook](webhooks.md), in \`Event.data\`, and in \`Event.payload\`. The
types are the scalars and enums of the GraphQL schema; in webhooks, a \`DateTime\` is an ISO 8601 string. \`Event.payload\` has a GraphQL type for
each event type, and the OpenAPI document lists the messages under \`webhooks\`.

\`customerId\` is the external ID of the customer. If the customer has no external ID, \`customerId\` is the ID that starts with \`cus_\`. The exceptions are plan grants, whose events always
contain the ID, and events about customers, which contain both IDs.

Amounts are in the smallest currency unit, such as cents. Unit prices and balances are in 1/10,000 of the currency unit (10,000 = 1.00).
`;

/** Returns the event catalog in Markdown. */
export function eventCatalog(schema: GraphQLSchema): string {
  const kinds = schema.getType('EventKind');
  const descriptions = new Map(
    isEnumType(kinds) ? kinds.getValues().map(({ value, description }) => [value, description]) : [],
  );
  const sections = eventKinds.map((kind) =>
    [
      `## ${kind}`,
      `${descriptions.get(kind)} The GraphQL type is \`${payloadTypeName(kind)}\`.`,
      ['| field | type | meaning |', '|---|---|---|', ...rowsOf(eventPayloads[kind])].join('\n'),
      `\`\`\`json\n${JSON.stringify(exampleOf(eventPayloads[kind]), null, 2)}\n\`\`\``,
    ].join('\n\n'),
  );
  return `${[introduction.trim(), ...sections].join('\n\n')}\n`;
}
