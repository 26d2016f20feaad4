import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiOf } from '../../../../src/rest/openapi.ts';
import { schema } from '../../../../src/schema.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Requests an export stream exactly as documented in the API reference.

const origin = 'https://billing.example';
const operation = openApiOf(schema, origin).paths['/exports/stream']?.['get'];

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

/** Returns the documented response for a status. */
const described = (status: number) =>
  operation?.responses[String(status)] as {
    readonly content: Readonly<Record<string, { readonly example?: string }>>;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly 'x-codes'?: readonly string[];
  };

const documentedAddress = (): URL => {
  const command = operation?.['x-codeSamples'][0]?.source ?? '';
  const [, address = ''] = /'([^']+)'/.exec(command) ?? [];
  expect(command).toBe(`curl '${address}' \\\n  -H "x-api-key: $KEY"`);
  expect(address.startsWith(`${origin}/api/v1/exports/stream?`)).toBe(true);
  return new URL(address);
};

const send = (search: string, key = t.sandboxKey): Promise<Response> =>
  fetch(`${t.url}/api/v1/exports/stream${search}`, { headers: { 'x-api-key': key } });

describe('a documented export stream', () => {
  test("responds as documented, with the documented headers and the example's header line", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<{
      readonly status: number | undefined;
      readonly text: string;
      readonly names: readonly string[];
      readonly mediaType: string | undefined;
    }>();
    request(
      `${t.url}/api/v1/exports/stream${documentedAddress().search}`,
      { headers: { 'x-api-key': t.sandboxKey } },
      (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode,
            text: Buffer.concat(pieces).toString(),
            names: [...Object.keys(incoming.headers), ...Object.keys(incoming.trailers)],
            mediaType: incoming.headers['content-type'],
          }),
        );
      },
    )
      .on('error', reject)
      .end();
    const { status, text, names, mediaType = '' } = await promise;
    expect(status).toBe(200);
    const { content, headers } = described(200);
    const example = content[mediaType]?.example ?? '';
    expect(text).toBe(`${example.split('\r\n')[0]}\r\n`);
    expect(names).toEqual(expect.arrayContaining(Object.keys(headers).map((name) => name.toLowerCase())));
  });

  test('returns only the documented media types', async () => {
    const answers = await Promise.all(
      ['ndjson', 'csv', 'parquet', 'csv&gzip=true'].map(async (format, index) => {
        // Each key can read only one stream at a time.
        const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
          `mutation { apiKeyCreate(input: { name: "reader ${index}", scopes: [read] }) { apiKey } }`,
        );
        const answer = await send(`?kind=customers&format=${format}`, apiKeyCreate.apiKey);
        await answer.arrayBuffer();
        return answer.headers.get('content-type');
      }),
    );
    expect(answers.toSorted()).toEqual(Object.keys(described(200).content).toSorted());
  });

  test('accepts the documented parameters', async () => {
    const parameters = operation?.parameters.filter((parameter) => parameter['in'] === 'query') ?? [];
    const names = parameters.map(({ name }) => name);
    expect(names).toEqual(['columns', 'format', 'gzip', 'kind', 'search', 'after', 'snapshot', 'filter']);
    const query =
      'kind=customers&format=csv&gzip=false&columns=id&search=nobody&snapshot=0&createdAtFrom=2026-01-01T00:00:00Z';
    expect((await send(`?${query}`)).status).toBe(200);
  });

  test('returns the documented errors', async () => {
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "reader", scopes: [read] }) { apiKey } }',
    );
    const sent = [
      await send('?kind=customers&format=csv', 'ck_sandbox_nothing'),
      await send('?kind=payouts&format=csv', apiKeyCreate.apiKey),
      await send('?kind=nothing&format=csv'),
    ];
    expect(sent.map(({ status }) => status)).toEqual([401, 403, 400]);
    for (const answer of sent) {
      const { error } = (await answer.json()) as { error: { code: string } };
      expect(described(answer.status)['x-codes']).toContain(error.code);
    }
    expect(described(429)['x-codes']).toEqual(['rate_limited']);
  });

  test('appears in the API reference with its media types', async () => {
    const text = await (await fetch(`${t.url}/docs/reference/exports/export-stream.md`)).text();
    expect(text).toContain('# GET /exports/stream\n');
    expect(text).toContain('`application/vnd.apache.parquet`');
  });
});
