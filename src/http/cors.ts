import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const methods = 'GET,HEAD,PUT,POST,DELETE,PATCH,QUERY';
const exposed = 'X-Request-Id,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Retry-After';

/** How pages of other origins are let in. */
export type Cors = {
  /** The answer to the question whether a request may be sent. */
  readonly preflight: (request: HttpRequest) => Reply;
  /** What is added to the headers of an answer. */
  readonly headers: (request: HttpRequest) => Readonly<Record<string, string>>;
};

/** Lets pages of the origins in; null when there are none, since keys do not belong in browsers. */
export function openCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const shared = ({ headers }: HttpRequest): Record<string, string> => {
    const origin = headers.get('origin') ?? '';
    return {
      ...(origins.includes(origin) ? { 'Access-Control-Allow-Origin': origin } : {}),
      'Access-Control-Expose-Headers': exposed,
    };
  };
  return {
    preflight: (request) => {
      const requested = request.headers.get('access-control-request-headers');
      return {
        status: 204,
        headers: {
          ...shared(request),
          'Access-Control-Allow-Methods': methods,
          ...(requested
            ? {
                'Access-Control-Allow-Headers': requested
                  .split(',')
                  .map((name) => name.trim())
                  .join(','),
                Vary: 'Origin, Access-Control-Request-Headers',
              }
            : { Vary: 'Origin' }),
        },
        body: null,
      };
    },
    headers: (request) => ({ ...shared(request), Vary: 'Origin' }),
  };
}
