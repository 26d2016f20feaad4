import type { GraphQLSchema } from 'graphql';
import { fileTypes } from '../modules/exports/exports/write-file.ts';
import { commandOf, keyHeader } from './curl.ts';
import { commonInputs } from './export-stream-inputs.ts';
import type { JsonSchema } from './json-schema.ts';
import { exampleId } from './openapi-examples.ts';
import type { OpenApiOperation } from './openapi-operation.ts';
import { parameterOf } from './openapi-parameters.ts';
import { failuresOf, type Kit, successHeaders } from './openapi-responses.ts';

const example = { kind: 'invoices', format: 'csv', columns: ['id', 'currency', 'total'] } as const;

const exampleOf = (name: string): unknown => (example as Readonly<Record<string, unknown>>)[name];

/** OpenAPI parameter for the filter. The fields of the filter depend on the export type. */
const filterParameter: JsonSchema = {
  name: 'filter',
  in: 'query',
  required: false,
  style: 'form',
  explode: true,
  description:
    'Filter of the list, or arguments of the series, each as a separate parameter: `statuses=paid,open`, `createdAtFrom=2026-01-01T00:00:00Z`, `from=2026-01-01`. The parameters are the members that `POST /exports` accepts in `filter` for the kind, with nested objects flattened as in the list itself.',
  schema: { type: 'object', additionalProperties: { type: 'string' } },
};

const invoiceId = exampleId('invoice');

/** Content of the streamed response, by media type. */
const content: JsonSchema = {
  [fileTypes.ndjson.mediaType]: {
    schema: { type: 'string', description: 'One JSON object per line.' },
    example: `{"id":"${invoiceId}","currency":"usd","total":4900}\n`,
  },
  [fileTypes.csv.mediaType]: {
    schema: {
      type: 'string',
      description:
        'CSV in the format of RFC 4180 with a header row. Amounts have a second column in major units of the currency.',
    },
    example: `id,currency,total,total_decimal\r\n${invoiceId},usd,4900,49.00\r\n`,
  },
  [fileTypes.parquet.mediaType]: { schema: { type: 'string', contentEncoding: 'binary' } },
  'application/gzip': {
    schema: {
      type: 'string',
      contentEncoding: 'binary',
      description: 'NDJSON or CSV, if `gzip` is `true`.',
    },
  },
};

/** Returns the OpenAPI operation for export streams. `origin` is the base URL. */
export function streamOperation(kit: Kit, schema: GraphQLSchema, origin: string): OpenApiOperation {
  const summary = 'Streams a list or a series as a file.';
  const query = new URLSearchParams({ ...example, columns: example.columns.join(','), statuses: 'paid' });
  const address = `${origin}/exports/stream?${query}`;
  return {
    operationId: 'export-stream',
    summary,
    description: `${summary} Rows created after the start aren't included. Each key or member can read one stream at a time. Fails with \`rate_limited\` otherwise. Requires the scope \`read\`, and also \`finance\` for financial data and \`keys\` for API keys.`,
    tags: ['exports'],
    parameters: [
      ...commonInputs(schema).map((input) => parameterOf(kit.schemas, input, exampleOf(input.name))),
      filterParameter,
      { $ref: '#/components/parameters/ServiceVersion' },
    ],
    responses: {
      200: {
        description: 'Exported file. Trailers contain the number of rows and the cursor of the last row.',
        headers: successHeaders('X-Export-Snapshot', 'X-Export-Rows', 'X-Export-Cursor'),
        content,
      },
      ...failuresOf(kit, ['unauthorized', 'forbidden', 'rate_limited', 'internal_error', 'validation_error']),
    },
    security: [{ apiKey: [] }],
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: commandOf(address, { headers: [keyHeader] }) }],
  };
}
