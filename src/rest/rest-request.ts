import type { Route } from './routes.ts';

/** Path prefix of the REST API. */
export const restPrefix = '/api/v1';

type Values = Readonly<Record<string, unknown>>;

/** HTTP request that executes an operation. */
export type OperationRequest = {
  readonly method: string;
  readonly address: string;
  readonly body: unknown;
};

/** Returns the query string for a value. Lists are comma-separated. */
const queryText = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** Returns the REST request for values by input name. Unknown names become unknown parameters, which REST rejects by name. */
export function restRequest(route: Route, values: Values): OperationRequest {
  const places = new Map(route.inputs.map(({ name, place }) => [name, place]));
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent(String(values[name] ?? '')),
  );
  const others = Object.entries(values).filter(([name]) => places.get(name) !== 'path');
  if (!route.isIdempotent) {
    const query = new URLSearchParams(others.map(([name, value]) => [name, queryText(value)]));
    return {
      method: route.method,
      address: `${restPrefix}${path}${query.size === 0 ? '' : `?${query}`}`,
      body: undefined,
    };
  }
  const whole = route.wholeBody === null ? undefined : values[route.wholeBody.name];
  return {
    method: route.method,
    address: `${restPrefix}${path}`,
    body: route.wholeBody === null ? Object.fromEntries(others) : (whole ?? {}),
  };
}

/** Returns the value at a path of nested objects. */
const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Values | null | undefined)?.[name], value);

/** Returns the values of a route's inputs in the arguments of its root field, by input name. */
export const inputsIn = ({ inputs, wholeBody }: Route, args: Values): Values =>
  Object.fromEntries(
    [...inputs, ...(wholeBody === null ? [] : [wholeBody])].flatMap(({ name, path }) => {
      const value = valueAt(args, path);
      return value === undefined ? [] : [[name, value]];
    }),
  );
