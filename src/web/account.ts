import { type App, RequestContext } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { clientError, sceneOf } from '../graphql/errors.ts';
import { addressName, exceededHeaders, type RateLimits } from '../infra/rate-limit.ts';

/** Answers a request below /auth. Never throws. */
export type Account = (request: Request, requestId: string, remoteAddress: string) => Promise<Response>;

/** A refusal in the envelope of every door. */
function refused(app: App, requestId: string, error: unknown, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, retryAfter: _, ...shown } = clientError(error, sceneOf(new RequestContext(app, requestId)));
  return new Response(JSON.stringify({ error: shown }), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

/** Sign-up, sign-in, sign-out and the session, as the authentication library offers them; whatever proves a password is counted by address. */
export function openAccount(app: App, limits: RateLimits): Account {
  return async (request, requestId, remoteAddress) => {
    try {
      const isProof = request.method === 'POST' && !request.url.endsWith('/sign-out');
      if (isProof) {
        const allowance = await limits.take(addressName(remoteAddress), 'password');
        if (allowance.isExceeded) {
          const error = new QuittanceError('rate_limited', 'Too many attempts; wait the seconds in Retry-After.');
          return refused(app, requestId, error, exceededHeaders(allowance));
        }
      }
      const answer = await app.auth.handle(request);
      return answer ?? refused(app, requestId, new QuittanceError('not_found', 'Accounts have no such address.'));
    } catch (error) {
      return refused(app, requestId, error);
    }
  };
}
