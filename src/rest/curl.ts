import { exampleId } from './openapi-examples.ts';
import { type RequestExample, requestExamples } from './request-examples.ts';
import { parameterName, type Route, type RouteInput } from './routes.ts';

/** Returns the resource that a path parameter identifies. For `id`, the previous path segment names the resource. */
function resourceAt(segments: readonly string[], index: number): string {
  const name = parameterName(segments[index] ?? '');
  const resource =
    name === 'id' ? (segments[index - 1] ?? '').replace(/s$/, '') : name.slice(0, -'Id'.length);
  return resource.replaceAll('-', '_');
}

/** Example values of path parameters that aren't IDs. */
const pathTexts: Readonly<Record<string, string>> = { code: 'api_calls', asset: 'usd' };

/** Returns an example value for each path parameter of a route. */
function pathExamples({ segments }: Route): ReadonlyMap<string, string> {
  const entries = segments.flatMap((segment, index): [string, string][] => {
    if (!segment.startsWith('{')) return [];
    const name = parameterName(segment);
    return [[name, pathTexts[name] ?? exampleId(resourceAt(segments, index))]];
  });
  return new Map(entries);
}

/** Returns the example query and body for a route. */
export const requestExampleOf = ({ field }: Route): RequestExample => requestExamples[field.name] ?? {};

/** Returns the example value for a path or query parameter. Undefined if the example doesn't contain the parameter. */
export const parameterExample = (route: Route, { name, place }: RouteInput): unknown =>
  place === 'path' ? pathExamples(route).get(name) : requestExampleOf(route).query?.[name];

/** Quotes a string for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function addressOf(route: Route, origin: string): string {
  const values = pathExamples(route);
  const path = route.segments
    .map((segment) => (segment.startsWith('{') ? (values.get(parameterName(segment)) ?? '') : segment))
    .join('/');
  const search = new URLSearchParams(
    Object.entries(requestExampleOf(route).query ?? {}).map(([name, value]) => [name, String(value)]),
  ).toString();
  return `${origin}/${path}${search === '' ? '' : `?${search}`}`;
}

/** Returns the authentication header for a route's examples. `$KEY` represents the API key, and `$TOKEN` the page token. */
function callerHeader({ access }: Route): string | null {
  if ('scope' in access) return keyHeader;
  return 'page' in access ? '"authorization: Bearer $TOKEN"' : null;
}

/** Returns a request as a `curl` command. */
export function commandOf(
  address: string,
  { method = 'GET', headers, body }: { method?: string; headers: readonly string[]; body?: unknown },
): string {
  const isImplied = method === 'GET' || (method === 'POST' && body !== undefined);
  return [
    `curl ${isImplied ? '' : `-X ${method} `}${quoted(address)}`,
    ...headers.map((header) => `-H ${header}`),
    ...(body === undefined
      ? []
      : [`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ');
}

/** Authentication header of an API key in example commands. */
export const keyHeader = '"x-api-key: $KEY"';

/** Returns a route's example request as a `curl` command. `origin` is the base URL. */
export function curlOf(route: Route, origin: string): string {
  const caller = callerHeader(route);
  const isKeyed = 'isKeyed' in route.access;
  return commandOf(addressOf(route, origin), {
    method: route.method,
    headers: [
      ...(caller === null ? [] : [caller]),
      ...(isKeyed ? [`'idempotency-key: 0f8fad5b-d9cb-469f-a165-70867728950e'`] : []),
    ],
    body: requestExampleOf(route).body,
  });
}
