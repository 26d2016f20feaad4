import { expect } from 'vitest';
import type { Route } from '../../src/rest/routes.ts';
import type { Request } from './requests.ts';

// Converts a documented command to the request that curl would send. Replaces names and IDs with the names and IDs of existing objects.

const origin = 'https://billing.example/api/v1';

/** Returns a shell command's words after replacing its variables. */
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

/** Returns the request that curl would send for a command. */
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

/** Fields that refer to an object by a code or external ID instead of its ID. */
const naming = new Set(['featureCode', 'externalId', 'countryCodes']);

const isDocumentedId = (text: string): boolean => /^[a-z]{2,4}_1JNkcnXR6WYnGWJZKY8De[A-Z]$/.test(text);

/** Replaces names and IDs in a documented value with values from the organization's own request. */
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

/** Replaces the parameters in a documented URL's path. */
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

/** Sends a documented command for a request's objects. Returns the status and the parsed response. */
export async function sendDocumented(
  command: string,
  { method, segments }: Route,
  request: Request,
  { url, key }: { readonly url: string; readonly key: string },
): Promise<{ readonly ok: boolean; readonly status: number; readonly body: unknown }> {
  const sent = readCurl(command, key);
  expect(sent.method).toBe(method);
  const query = inShop(Object.fromEntries(sent.url.searchParams), request.query) as Record<string, string>;
  const search = new URLSearchParams(query).toString();
  const address = `${url}/api/v1/${pathInShop(sent.url, segments, request)}${search === '' ? '' : `?${search}`}`;
  const body = sent.body === undefined ? {} : { body: JSON.stringify(inShop(sent.body, request.body)) };
  const response = await fetch(address, { method, headers: sent.headers, ...body });
  const text = await response.text();
  return { ok: response.ok, status: response.status, body: text === '' ? null : JSON.parse(text) };
}
