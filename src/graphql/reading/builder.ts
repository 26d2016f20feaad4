import SchemaBuilder from '@pothos/core';
import ComplexityPlugin from '@pothos/plugin-complexity';
import PrismaPlugin from '@pothos/plugin-prisma';
import RelayPlugin from '@pothos/plugin-relay';
import { type GraphQLArgument, getNamedType, getNullableType, isListType } from 'graphql';
import { isoText } from '../../domain/time/iso-text.ts';
import type PrismaTypes from '../../generated/pothos.ts';
import { datamodel } from '../../platform/db/datamodel.ts';
import type { Context } from '../../request/context.ts';
import '../declare/rest.ts';
import '../declare/access.ts';
import '../input/rules-plugin.ts';
import '../declare/amount.ts';
import '../declare/nullability.ts';
import '../declare/field-errors.ts';
import '../declare/columns.ts';
import '../declare/exposed.ts';
import '../declare/operation.ts';
import '../declare/input-descriptions.ts';
import './relations.ts';
import './rows-by-key.ts';
import { valueCost } from '../declare/cost-weights.ts';
import {
  literalValue,
  parseCountMap,
  parseDate,
  parseDateTime,
  parseDecimal,
  parseDecimalLiteral,
  parseJson,
  parseLimitAmount,
  parseOneOf,
  parseSafeInt,
  parseTextMap,
  serializeSafeInt,
} from '../declare/scalars.ts';

/**
 * Assumed number of rows for lists that are returned without a page size. These lists are catalogs, which usually have dozens of rows and at most
 * 1,000.
 */
const wholeListCost = 50;

/**
 * Lists inside a page. Their costs aren't multiplied again, because the page already multiplies the cost by its size.
 */
const pageParts: ReadonlySet<string> = new Set(['edges', 'nodes']);

function defaultSizeOf({ extensions }: Pick<GraphQLArgument, 'extensions'>, after: unknown): number {
  const { defaultSize = 25 } = extensions as { readonly defaultSize?: number };
  return after === undefined || after === null ? Math.min(defaultSize, wholeListCost) : 25;
}

/** Schema builder for all modules. Doesn't define any business types. */
export const builder = new SchemaBuilder<{
  Context: Context;
  PrismaTypes: PrismaTypes;
  DefaultFieldNullability: false;
  Scalars: {
    ID: { Input: string; Output: string };
    /** Texts are in the format of responses. */
    DateTime: { Input: Date; Output: Date | string };
    Date: { Input: string; Output: string };
    SafeInt: { Input: number; Output: number | bigint };
    Decimal: { Input: string; Output: string };
    Json: { Input: Record<string, unknown>; Output: unknown };
    TextMap: { Input: Record<string, string>; Output: unknown };
    LimitAmount: { Input: number | { bps: number; of: string }; Output: unknown };
    CountMap: { Input: Record<string, number>; Output: unknown };
    BalanceMap: {
      Input: never;
      Output: Readonly<Record<string, { readonly current: number; readonly asOf: string }>>;
    };
    Timezone: { Input: string; Output: string };
  };
}>({
  // Plugins wrap resolvers from the outside in, so `access` runs before the input checks.
  plugins: [
    'access',
    'rules',
    'rest',
    'amount',
    'nullability',
    'errors',
    'columns',
    'inputDescriptions',
    RelayPlugin,
    PrismaPlugin,
    ComplexityPlugin,
  ],
  defaultFieldNullability: false,
  prisma: {
    // The Prisma plugin is used only for types. It must not read rows, because its client isn't bound to an environment.
    client: () => {
      throw new Error('Relations are declared with t.row, t.rows and t.page (docs/adr/0001).');
    },
    dmmf: datamodel,
    // Field descriptions come from the comments in the Prisma models.
    exposeDescriptions: { fields: true },
  },
  relay: {
    nodeQueryOptions: false,
    nodesQueryOptions: false,
  },
  complexity: {
    // Cost of a field. The cost inside a page is multiplied by the requested page size, and inside other lists by five. `edges` and `nodes` aren't
    // multiplied again.
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
      return {
        field: valueCost(getNamedType(field.type).name, field.name),
        multiplier: isList && !pageParts.has(field.name) ? 5 : 1,
      };
    },
  },
});

builder.queryType({ description: 'Root type of all queries.' });
builder.mutationType({
  description:
    'Root type of all mutations. The name of each mutation starts with its resource. Each mutation takes one input object.',
});
builder.subscriptionType({
  name: 'Live',
  description:
    'Root type of all live fields, which are streamed over WebSocket (`graphql-transport-ws`) or server-sent events.',
});

/** Length of a time in the format of responses. */
const timeLength = '2026-08-27T09:30:00.000Z'.length;

/** Returns a time in the format of responses. */
const sameTime = (text: string): string =>
  text.length === timeLength && text.endsWith('Z') ? text : isoText(new Date(text));

builder.scalarType('DateTime', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  description: 'Time as an ISO 8601 string. Responses contain UTC times with milliseconds.',
  serialize: (value) => (value instanceof Date ? isoText(value) : sameTime(String(value))),
  parseValue: parseDateTime,
});

builder.scalarType('Date', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339#section-5.6',
  description: 'Calendar day in UTC, formatted as `YYYY-MM-DD`.',
  serialize: parseDate,
  parseValue: parseDate,
});

builder.scalarType('SafeInt', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc7493#section-2.2',
  description:
    'Integer from -9007199254740991 to 9007199254740991. A sum outside this range is sent as the nearest double-precision number.',
  serialize: serializeSafeInt,
  parseValue: parseSafeInt,
});

builder.scalarType('Decimal', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-6',
  description:
    'Exact decimal number as a string, such as `0.20`. Inputs can also be numbers, which are read by their shortest decimal form.',
  serialize: String,
  parseValue: parseDecimal,
  parseLiteral: parseDecimalLiteral,
});

builder.scalarType('Json', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: 'JSON object. An input can have up to 50 keys and a size of up to 64 KiB, encoded as UTF-8.',
  serialize: (value) => value,
  parseValue: parseJson,
  parseLiteral: (node, variables) => parseJson(literalValue(node, variables)),
});

builder.scalarType('TextMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description:
    'JSON object with string values. An input can have up to 50 keys and a size of up to 64 KiB, encoded as UTF-8.',
  serialize: (value) => value,
  parseValue: parseTextMap,
  parseLiteral: (node, variables) => parseTextMap(literalValue(node, variables)),
});

builder.scalarType('CountMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description: 'JSON object with non-negative integer values.',
  serialize: (value) => value,
  parseValue: parseCountMap,
  parseLiteral: (node, variables) => parseCountMap(literalValue(node, variables)),
});

builder.scalarType('LimitAmount', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description:
    'Amount of a limit: a whole number of 0 or more, or an object with `bps` and `of`. An object is a share of another number, with `bps` from 1 to 100,000. `of` is `included`, `last_grant`, `last_refill`, or the ID of a limit. Used only in requests.',
  serialize: (value) => value,
  parseValue: parseLimitAmount,
  parseLiteral: (node, variables) => parseLimitAmount(literalValue(node, variables)),
});

builder.scalarType('BalanceMap', {
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc8259#section-4',
  description:
    'JSON object that maps feature codes to balances of the form `{ current, asOf }`. `asOf` is the time at which the balance was read. Used only in responses.',
  serialize: (value) => value,
});

/** Time zones that a customer can have. Used only to display dates (GLO-15). */
const timezones = [
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
  description: `IANA time zone name. Supported values: ${timezones.join(', ')}.`,
  serialize: (value) => String(value),
  parseValue: parseOneOf(timezones),
});
