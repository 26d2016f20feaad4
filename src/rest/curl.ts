import { exampleId } from './openapi-examples.ts';
import { type RequestExample, requestExamples } from './request-examples.ts';
import { parameterName, type Route, type RouteInput } from './routes.ts';

/** The resource whose id stands in a place of a path: its own name, or that of the segment before. */
function resourceAt(segments: readonly string[], index: number): string {
  const name = parameterName(segments[index] ?? '');
  const resource =
    name === 'id' ? (segments[index - 1] ?? '').replace(/s$/, '') : name.slice(0, -'Id'.length);
  return resource.replaceAll('-', '_');
}

/** The documented value of each path parameter of a route. */
function pathExamples({ segments }: Route): ReadonlyMap<string, string> {
  const entries = segments.flatMap((segment, index): [string, string][] => {
    if (!segment.startsWith('{')) return [];
    const name = parameterName(segment);
    return [[name, name === 'code' ? 'api_calls' : exampleId(resourceAt(segments, index))]];
  });
  return new Map(entries);
}

/** The documented query and body of a route. */
export const requestExampleOf = ({ field }: Route): RequestExample => requestExamples[field.name] ?? {};

/** The documented value of an input in the path or the query; undefined where the example leaves it out. */
export const parameterExample = (route: Route, { name, place }: RouteInput): unknown =>
  place === 'path' ? pathExamples(route).get(name) : requestExampleOf(route).query?.[name];

/** A text in single quotes of a shell. */
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

/** The header that says who calls; `$KEY` is the API key, `$TOKEN` the token of a page. */
function callerHeader({ access }: Route): string | null {
  if ('scope' in access) return keyHeader;
  return 'page' in access ? '"authorization: Bearer $TOKEN"' : null;
}

/** A request as a shell command. */
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

/** The header with the key of a caller. */
export const keyHeader = '"x-api-key: $KEY"';

/** The documented request of a route as a shell command; `origin` is where the routes begin. */
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
