import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { type GraphQLArgument, getNullableType, isListType } from 'graphql';
import type { Context } from '../context.ts';
import type PrismaTypes from '../generated/pothos.ts';
import { datamodel } from '../platform/db/datamodel.ts';
import { isoText } from '../platform/db/timestamps.ts';
import './rest.ts';
import './access.ts';
import './rules-plugin.ts';
import './amount.ts';
import './nullability.ts';
import './field-errors.ts';
import './columns.ts';
import './relations.ts';
import './rows-by-key.ts';
import {
  literalValue,
  parseCountMap,
  parseDate,
  parseDateTime,
  parseJson,
  parseOneOf,
  parseSafeInt,
  parseTextMap,
  serializeSafeInt,
} from './scalars.ts';

/** What a list counts as that is answered whole when no size is sent. Such lists hold a catalog: dozens of rows, though up to 1,000 are allowed. */
const wholeListCost = 50;

/** The lists a page consists of, whose rows are counted with the page. */
const pageParts: ReadonlySet<string> = new Set(['edges', 'nodes']);

/** The rows a page counts as whose size is not sent. */
function defaultSizeOf({ extensions }: Pick<GraphQLArgument, 'extensions'>, after: unknown): number {
  const { defaultSize = 25 } = extensions as { readonly defaultSize?: number };
  return after === undefined || after === null ? Math.min(defaultSize, wholeListCost) : 25;
}

/** The builder every area declares with. It defines no business types. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: Date; Output: Date };
    Date: { Input: string; Output: string };
    SafeInt: { Input: number; Output: number | bigint };
    Json: { Input: Record<string, unknown>; Output: unknown };
    TextMap: { Input: Record<string, string>; Output: unknown };
    CountMap: { Input: Record<string, number>; Output: unknown };
    BalanceMap: {
      Input: never;
      Output: Readonly<Record<string, { readonly current: number; readonly asOf: string }>>;
    };
    Timezone: { Input: string; Output: string };
  };
}>({
  // The first plugin is the outermost: the caller is checked before the shape of what it sent.
  plugins: [
    'access',
    'rules',
    'rest',
    'amount',
    'nullability',
    'errors',
    'columns',
    RelayPlugin,
    PrismaPlugin,
    ComplexityPlugin,
  ],
  defaultFieldNullability: false,
  prisma: {
    // The plugin types rows and never reads them: its client would belong to no environment.
    client: () => {
      throw new Error('Relations are declared with t.row, t.rows and t.page (docs/adr/0001).');
    },
    dmmf: datamodel,
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  complexity: {
    // A page costs the rows it can have, and the list of edges inside it nothing more; other lists count as five.
    fieldComplexity: (args, _context, field) => {
      const first = field.args.find((argument) => argument.name === 'first');
      if (first !== undefined)
        return {
          field: 1,
          multiplier: Number(
            args['first'] ?? args['last'] ?? defaultSizeOf(first, args['after'] ?? args['before']),
          ),
        };
      const isList = isListType(getNullableType(field.type));
      return { field: 1, multiplier: isList && !pageParts.has(field.name) ? 5 : 1 };
    },
  },
});

builder.queryType({ description: 'Everything that can be read.' });
builder.mutationType({
  description:
    'Everything that can be changed. Writes are named after their resource and take one input object.',
});
builder.subscriptionType({
  name: 'Live',
  description: 'Live fields: streamed over WebSocket (graphql-transport-ws) and server-sent events.',
});

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  description: 'An instant as an ISO 8601 string; written in UTC with milliseconds.',
  serialize: (value) => isoText(value instanceof Date ? value : new Date(String(value))),
  parseValue: parseDateTime,
});

builder.scalarType('Date', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'A calendar day in UTC, `YYYY-MM-DD`.',
  serialize: parseDate,
  parseValue: parseDate,
});

builder.scalarType('SafeInt', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  description: 'A whole number between -9007199254740991 and 9007199254740991, both included.',
  serialize: serializeSafeInt,
  parseValue: parseSafeInt,
});

builder.scalarType('Json', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: 'A free-form JSON object.',
  serialize: (value) => value,
  parseValue: parseJson,
  parseLiteral: (node, variables) => parseJson(literalValue(node, variables)),
});

builder.scalarType('TextMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: 'A JSON object from names to texts.',
  serialize: (value) => value,
  parseValue: parseTextMap,
  parseLiteral: (node, variables) => parseTextMap(literalValue(node, variables)),
});

builder.scalarType('CountMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: 'A JSON object from names to whole numbers from 0 on.',
  serialize: (value) => value,
  parseValue: parseCountMap,
  parseLiteral: (node, variables) => parseCountMap(literalValue(node, variables)),
});

builder.scalarType('BalanceMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description:
    'A JSON object from names to counts, each with the instant it was looked at: `{ current, asOf }`. Never an input.',
  serialize: (value) => value,
});

/** The time zones accepted on customers; display data only (GLO-15). */
export const timezones = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'America/Mexico_City',
  'America/Buenos_Aires',
  'America/Santiago',
  'America/Bogota',
  'America/Lima',
  'America/Asuncion',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Madrid',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Singapore',
  'Asia/Dubai',
  'Australia/Sydney',
] as const;

builder.scalarType('Timezone', {
  specifiedByURL: 'https://www.iana.org/time-zones',
  description: `A time-zone name, one of ${timezones.join(', ')}.`,
  serialize: (value) => String(value),
  parseValue: parseOneOf(timezones),
});
