import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

/** What stands in the places of a route's parameters, in order. */
export type Parameters = readonly string[];

/** One line of the table of routes. */
export type Route = {
  /** A path; `:name` matches one segment, `/*` at the end for the path itself and all below it, `/?` for a slash that may follow. */
  readonly path: string;
  /** The methods it answers; all unless named. A route for GET answers HEAD as well. */
  readonly methods?: readonly string[];
  /** Whether pages of other origins may ask, where the settings name some. */
  readonly isShared?: boolean;
  /** Whether it reads the body itself. Other routes are asked once the body is there, and only if it has no more bytes than allowed. */
  readonly readsBody?: boolean;
  readonly answer: (request: HttpRequest, parameters: Parameters) => Reply | Promise<Reply>;
  /** The answer to a failure; that of the handler unless given. */
  readonly failed?: (request: HttpRequest, error: unknown) => Reply;
};

/** A route and what stands in the places of its parameters. */
export type Match = { readonly route: Route; readonly parameters: Parameters };

/** Matches a path, and answers what stands in the places of the parameters. */
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

/** Answers a function that finds the first route of a method and a path; null when there is none. */
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
