import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiOf } from '../../src/rest/openapi.ts';
import { requestExamples } from '../../src/rest/request-examples.ts';
import { schema } from '../../src/schema.ts';
import { otherShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { problemsIn } from '../support/json-schema.ts';
import { isLiveOnly, liveShop } from '../support/payouts.ts';
import { routeName, routes } from '../support/queries.ts';
import { type Request, requests } from '../support/requests.ts';
import { isAsked } from '../support/sample.ts';

// Sends every documented command to an organization that has the named objects. IDs in the documents are
// replaced.

const origin = 'https://billing.example/api/v1';
const document = openApiOf(schema, 'https://billing.example');
const problems = problemsIn(document);
const offered = routes.filter(({ rest }) => rest.status !== 410);

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'Documented');
});
afterAll(() => t.close());

/** Words of a shell command after replacing its variables. */
function wordsOf(command: string, variables: Readonly<Record<string, string>>): string[] {
  const filled = (text: string) => text.replaceAll(/\$(\w+)/g, (_all, name: string) => variables[name] ?? '');
  const pattern = /(?:'[^']*'|"[^"]*"|\\'|[^\s'"\\]+)+|\\\n/g;
  return [...command.matchAll(pattern)].flatMap(([word]) =>
    word === '\\\n'
      ? []
      : [
          word.replaceAll(/'([^']*)'|"([^"]*)"|\\'/g, (all, plain?: string, open?: string) =>
            all === "\\'" ? "'" : (plain ?? filled(open ?? '')),
          ),
        ],
  );
}

type Sent = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** Request that curl would send for a command. */
function readCurl(command: string, key: string): Sent {
  const [program, ...words] = wordsOf(command, { KEY: key });
  const after = (option: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const [address] = words.filter((word) => word.startsWith(origin));
  const [data] = after('-d');
  const [method = data === undefined ? 'GET' : 'POST'] = after('-X');
  const taken = 1 + 2 * (after('-H').length + after('-d').length + after('-X').length);
  expect([program, words.length]).toEqual(['curl', taken]);
  return {
    method,
    url: new URL(address ?? ''),
    headers: Object.fromEntries(
      after('-H').map((header) => [header.split(': ')[0], header.slice(header.indexOf(': ') + 2)]),
    ),
    body: data === undefined ? undefined : JSON.parse(data),
  };
}

/** Fields that refer to an object other than by ID. */
const naming = new Set(['featureCode', 'externalId', 'countryCodes']);

const isDocumentedId = (text: string): boolean => /^[a-z]{2,4}_1JNkcnXR6WYnGWJZKY8De[A-Z]$/.test(text);

/** Replaces names and IDs in a documented value with those of the organization's request. */
function inShop(value: unknown, own: unknown, name = ''): unknown {
  const ownAt = (key: string | number): unknown =>
    (own as Record<string | number, unknown> | undefined)?.[key];
  if (Array.isArray(value)) return value.map((item, index) => inShop(item, ownAt(index) ?? ownAt(0), name));
  if (name === 'seats') return own;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, inShop(part, ownAt(key), key)]),
    );
  if (typeof value !== 'string' || !(naming.has(name) || isDocumentedId(value))) return value;
  if (own === undefined) throw new Error(`Nothing of the shop stands for ${name}.`);
  return own;
}

/** Replaces the parameters in the path of a documented URL. */
function pathInShop(url: URL, segments: readonly string[], { path = {} }: Request): string {
  const documented = url.pathname.split('/').slice(3);
  expect(documented).toHaveLength(segments.length);
  return segments
    .map((segment, index) => {
      if (!segment.startsWith('{')) {
        expect(documented[index]).toBe(segment);
        return segment;
      }
      expect(documented[index]).toMatch(/^\w+$/);
      return encodeURIComponent(path[segment.slice(1, -1)] ?? '');
    })
    .join('/');
}

describe('a documented command', () => {
  test.each(
    offered.filter((route) => isAsked(routeName(route))).map((route) => [routeName(route), route] as const),
  )('returns the described response: %s', async (name, { method, path, segments }) => {
    const own = isLiveOnly(name) ? await liveShop(t) : shop;
    const request = await requests[name]?.(own);
    if (request === undefined) throw new Error('No request is known.');
    const operation = document.paths[path]?.[method.toLowerCase()];
    const [sample] = operation?.['x-codeSamples'] ?? [];
    const sent = readCurl(sample?.source ?? '', own.key);
    expect(sent.method).toBe(method);
    const query = inShop(Object.fromEntries(sent.url.searchParams), request.query) as Record<string, string>;
    const search = new URLSearchParams(query).toString();
    const address = `${t.url}/api/v1/${pathInShop(sent.url, segments, request)}${search === '' ? '' : `?${search}`}`;
    const body = sent.body === undefined ? {} : { body: JSON.stringify(inShop(sent.body, request.body)) };
    const response = await fetch(address, { method, headers: sent.headers, ...body });
    const text = await response.text();
    const answer: unknown = text === '' ? null : JSON.parse(text);
    expect({ status: response.status, answer: response.ok ? 'success' : answer }).toEqual({
      status: response.status,
      answer: 'success',
    });
    const described = operation?.responses[String(response.status)]?.['content'] as
      | { 'application/json': { schema: object } }
      | undefined;
    expect(problems(described?.['application/json'].schema ?? {}, answer)).toEqual([]);
  });
});

test('examples belong to existing operations, and every operation with a body or a required query parameter has an example', () => {
  const names = new Set(offered.map(({ field }) => field.name));
  expect(Object.keys(requestExamples).filter((name) => !names.has(name))).toEqual([]);
  const takesInput = offered.filter(({ path, method }) => {
    const { requestBody, parameters = [] } = document.paths[path]?.[method.toLowerCase()] ?? {};
    return (
      requestBody !== undefined ||
      parameters.some((parameter) => parameter['in'] === 'query' && parameter['required'] === true)
    );
  });
  expect(
    takesInput.map(({ field }) => field.name).filter((name) => requestExamples[name] === undefined),
  ).toEqual([]);
});
