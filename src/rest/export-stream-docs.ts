import type { GraphQLSchema } from 'graphql';
import { fileTypes } from '../modules/exports/write-file.ts';
import { commandOf, keyHeader } from './curl.ts';
import { commonInputs } from './export-stream-inputs.ts';
import type { JsonSchema } from './json-schema.ts';
import { exampleId } from './openapi-examples.ts';
import type { OpenApiOperation } from './openapi-operation.ts';
import { parameterOf } from './openapi-parameters.ts';
import { failuresOf, type Kit, successHeaders } from './openapi-responses.ts';

/** The documented request. */
const example = { kind: 'invoices', format: 'csv', columns: ['id', 'currency', 'total'] } as const;

const exampleOf = (name: string): unknown => (example as Readonly<Record<string, unknown>>)[name];

/** Parameters that depend on the kind. */
const filterParameter: JsonSchema = {
  name: 'filter',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description:
    'The filter of the list, or the arguments of the series, each as a parameter of its own: `statuses=paid,open`, `createdAtFrom=2026-01-01T00:00:00Z`, `from=2026-01-01`. They are the members that `POST /exports` takes in `filter` under the kind, objects within them flat, as the list itself takes them.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

const invoiceId = exampleId('invoice');

/** The bytes of a stream by media type. */
const content: JsonSchema = {
  [fileTypes.ndjson.mediaType]: {
    schema: { type: 'string', description: 'A JSON object per line.' },
    example: `{"id":"${invoiceId}","currency":"usd","total":4900}\n`,
  },
  [fileTypes.csv.mediaType]: {
    schema: {
      type: 'string',
      description: 'RFC 4180 with a header. Amounts have a second column in units of the currency.',
    },
    example: `id,currency,total,total_decimal\r\n${invoiceId},usd,4900,49.00\r\n`,
  },
  [fileTypes.parquet.mediaType]: { schema: { type: 'string', contentEncoding: 'binary' } },
  'application/gzip': {
    schema: {
      type: 'string',
      contentEncoding: 'binary',
      description: 'NDJSON or CSV, where `gzip` is true.',
    },
  },
};

/** The route of streams in the document; `origin` is where the routes begin. */
export function streamOperation(kit: Kit, schema: GraphQLSchema, origin: string): OpenApiOperation {
  const summary = 'A list or a series as a file that is written while it is read.';
  const query = new URLSearchParams({ ...example, columns: example.columns.join(','), statuses: 'paid' });
  const address = `${origin}/exports/stream?${query}`;
  return {
    operationId: 'export-stream',
    summary,
    description: `${summary} Rows made later are left out. A reader that stops reading is waited for. A key or a member reads one stream at a time: another one is \`rate_limited\`. Needs the scope \`read\`, \`finance\` where the kind has money, \`keys\` for API keys.`,
    tags: ['exports'],
    parameters: [
      ...commonInputs(schema).map((input) => parameterOf(kit.schemas, input, exampleOf(input.name))),
      filterParameter,
      { $ref: '#/components/parameters/ServiceVersion' },
    ],
    responses: {
      200: {
        description: 'The file. How many rows it has and where a later stream goes on follow it as trailers.',
        headers: successHeaders('X-Export-Snapshot', 'X-Export-Rows', 'X-Export-Cursor'),
        content,
      },
      ...failuresOf(kit, ['unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'validation_error']),
    },
    security: [{ apiKey: [] }],
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: commandOf(address, { headers: [keyHeader] }) }],
  };
}
