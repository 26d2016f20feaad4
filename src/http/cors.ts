import type { Reply } from './reply.ts';
import type { HttpRequest } from './request.ts';

const methods = 'GET,HEAD,PUT,POST,DELETE,PATCH,QUERY';
const exposed = 'X-Request-Id,RateLimit-Limit,RateLimit-Remaining,RateLimit-Reset,Retry-After';

/** Headers and responses that give browsers cross-origin access. */
export type Cors = {
  /** Returns the response to a preflight request. */
  readonly preflight: (request: HttpRequest) => Reply;
  /** Returns the CORS headers for a response. */
  readonly headers: (request: HttpRequest) => Readonly<Record<string, string>>;
};

/**
 * Allows browsers to call the API from these origins. `null` if the list is empty. Cross-origin access is off by
 * default, because API keys don't belong in browsers.
 */
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
