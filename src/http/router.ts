import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

export type Parameters = readonly string[];

/** Path that the HTTP handler serves. */
export type Route = {
  /** Path pattern. `:name` matches one segment. A trailing `/*` matches the path and everything below it. `/?` matches an optional slash. */
  readonly path: string;
  /** Allowed methods. Defaults to all methods. `GET` includes `HEAD`. */
  readonly methods?: readonly string[];
  /** True if browsers can call the route from the configured CORS origins. */
  readonly isShared?: boolean;
  /** True if the route reads the body itself. For other routes, the handler reads the body and checks its size first. */
  readonly readsBody?: boolean;
  readonly answer: (request: HttpRequest, parameters: Parameters) => Reply | Promise<Reply>;
};

export type Match = { readonly route: Route; readonly parameters: Parameters };

/** Returns the parameter values if the path matches, otherwise `null`. */
type Matcher = (path: string) => Parameters | null;

const none: Parameters = [];

function matcherOf(pattern: string): Matcher {
  if (pattern.endsWith('/*')) {
    const prefix = pattern.slice(0, -1);
    const top = pattern.slice(0, -2);
    return (path) => (path.startsWith(prefix) || path === top ? none : null);
  }
  if (!/[:?]/.test(pattern)) return (path) => (path === pattern ? none : null);
  const expression = new RegExp(`^${pattern.replaceAll(/:\w+/g, '([^/]+)')}$`);
  return (path) => expression.exec(path)?.slice(1) ?? null;
}

const answers = ({ methods }: Route, method: string): boolean =>
  methods === undefined || methods.includes(method) || (method === 'HEAD' && methods.includes('GET'));

/** Returns a function that finds the first matching route. The function returns `null` if no route matches. */
export function openRouter(routes: readonly Route[]): (method: string, path: string) => Match | null {
  const table = routes.map((route) => ({ route, match: matcherOf(route.path) }));
  return (method, path) => {
    for (const { route, match } of table) {
      const parameters = match(path);
      if (parameters !== null && answers(route, method)) return { route, parameters };
    }
    return null;
  };
}
