import { authenticate, authenticateTicket, type Credentials, isKnownKey } from './authenticate.ts';
import type { Caller, RequestContext } from './context.ts';
import { QuittanceError, specificRejection } from './domain/errors.ts';
import type { LiveMember } from './identity/live-tickets.ts';
import {
  type Allowance,
  addressName,
  allowanceHeaders,
  type Bucket,
  exceededHeaders,
  type RateLimits,
} from './platform/rate-limit.ts';

// Who may call, and how often: the same for REST, GraphQL and sockets.

/** The rejection of a caller whose window is used up. */
export class RateLimitedError extends QuittanceError {
  override name = 'RateLimitedError';
  /** Where the window stands. */
  readonly allowance: Allowance;

  constructor(allowance: Allowance, reason: 'window' | 'account_window' = 'window') {
    const { resetSeconds } = allowance;
    super(
      reason === 'window'
        ? specificRejection('rate_limited', 'window', { values: { resetSeconds } })
        : specificRejection('rate_limited', reason),
    );
    this.allowance = allowance;
  }
}

/** The headers of an answer that was rejected for its rate: where the window stands and how long to wait. None for any other error. */
export const rateHeaders = (error: unknown): Record<string, string> =>
  error instanceof RateLimitedError ? exceededHeaders(error.allowance) : {};

function whoOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  if (caller.kind === 'member') return caller.memberId;
  return caller.kind === 'page' ? `${caller.page}:${caller.subjectId}` : caller.kind;
}

/** Pages whose address is public: their visitors share a token and nothing else. */
const isPublicPage = (caller: Caller): boolean => caller.kind === 'page' && caller.page === 'pricing';

/** Whose window a request counts in: its key's or member's, that of the subject of its page token, or that of its address, also where many share a token. */
export const callerName = (ctx: RequestContext, remoteAddress: string): string =>
  ctx.isAuthenticated && !isPublicPage(ctx.caller)
    ? `${ctx.environment.id}:${whoOf(ctx.caller)}`
    : addressName(remoteAddress);

/** Counts requests in a window. Throws RateLimitedError when it is used up. */
export async function takeRequests(
  limits: RateLimits,
  caller: string,
  bucket: Bucket,
  requests = 1,
): Promise<Allowance> {
  const allowance = await limits.take(caller, bucket, requests);
  if (allowance.isExceeded) throw new RateLimitedError(allowance);
  return allowance;
}

/** Counts requests in the window of the caller. The answer tells where the window stands. Throws RateLimitedError when it is used up. */
export async function admitRequests(
  ctx: RequestContext,
  remoteAddress: string,
  limits: RateLimits,
  bucket: Bucket,
  requests = 1,
): Promise<void> {
  noteSender(ctx, remoteAddress, limits);
  ctx.allowance = await takeRequests(limits, callerName(ctx, remoteAddress), bucket, requests);
}

/** Lets operations count their request by the address it came from as well. */
export function noteSender(ctx: RequestContext, remoteAddress: string, limits: RateLimits): void {
  ctx.countSender = async (bucket) => {
    await takeRequests(limits, addressName(remoteAddress), bucket);
  };
}

/** The headers that tell a caller where its window stands; none before its request was counted. */
export const windowHeaders = ({ allowance }: RequestContext): Record<string, string> | undefined =>
  allowance === null ? undefined : allowanceHeaders(allowance);

/**
 * Settles the caller by its credentials, see `authenticate`. Rejected ones count in a window of their address; once that is used up, nothing is
 * looked up for the address but keys that were found shortly before. Throws RateLimitedError then, `unauthorized` for credentials that are no good.
 */
export async function authenticateCounted(
  ctx: RequestContext,
  credentials: Credentials,
  remoteAddress: string,
  limits: RateLimits,
): Promise<void> {
  const { key, token, session } = credentials;
  if (!key && !token && !session) return;
  await counted(
    limits,
    remoteAddress,
    () => isKnownKey(ctx.app, key),
    () => authenticate(ctx, credentials),
  );
}

/**
 * Settles the caller by a ticket, see `authenticateTicket`, and answers who it is. Rejected ones count as other credentials do. Throws
 * RateLimitedError once their window is used up, `unauthorized` for a ticket that is not good.
 */
export const admitTicket = (
  ctx: RequestContext,
  ticket: string,
  remoteAddress: string,
  limits: RateLimits,
): Promise<LiveMember> =>
  counted(
    limits,
    remoteAddress,
    () => false,
    () => authenticateTicket(ctx, ticket),
  );

/** Counts rejected credentials in a window of their address; once that is used up, nothing is looked up but what is known. */
async function counted<T>(
  limits: RateLimits,
  remoteAddress: string,
  isKnown: () => boolean,
  look: () => Promise<T>,
): Promise<T> {
  const address = addressName(remoteAddress);
  const usedUp = await limits.usedUp(address, 'rejected');
  if (usedUp !== null && !isKnown()) throw new RateLimitedError(usedUp);
  try {
    return await look();
  } catch (error) {
    if (error instanceof QuittanceError && error.code === 'unauthorized')
      await limits.take(address, 'rejected');
    throw error;
  }
}
