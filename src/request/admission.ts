import { QuittanceError, specificRejection } from '../domain/errors/errors.ts';
import type { LiveMember } from '../identity/live-tickets.ts';
import {
  type Allowance,
  addressName,
  allowanceHeaders,
  type Bucket,
  exceededHeaders,
  type RateLimits,
  type Reservation,
} from '../platform/rate-limit.ts';
import { hashSecret } from '../platform/secrets.ts';
import { authenticate, authenticateTicket, type Credentials, isKnownKey } from './authenticate.ts';
import type { Caller, RequestContext } from './context.ts';

// Caller authentication and rate limits, shared by REST, GraphQL and sockets.

/** Error thrown if a caller exceeds a rate limit. */
export class RateLimitedError extends QuittanceError {
  override name = 'RateLimitedError';
  /** State of the rate limit window that was exceeded. */
  readonly allowance: Allowance;

  constructor(allowance: Allowance, reason: 'window' | 'account_window' = 'window') {
    const { resetSeconds } = allowance;
    super(
      reason === 'window'
        ? specificRejection('rate_limited', 'window', { values: { resetSeconds }, retryAfter: resetSeconds })
        : specificRejection('rate_limited', reason, { retryAfter: resetSeconds }),
    );
    this.allowance = allowance;
  }
}

/** Returns the headers for a rate limit error, with the limit and the time to wait. Empty for other errors. */
export const rateHeaders = (error: unknown): Record<string, string> =>
  error instanceof RateLimitedError ? exceededHeaders(error.allowance) : {};

function whoOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  if (caller.kind === 'member') return caller.memberId;
  return caller.kind === 'page' ? `${caller.page}:${caller.subjectId}` : caller.kind;
}

/** True for a hosted page with a public URL. All visitors to such a page share one token. */
const isPublicPage = (caller: Caller): boolean => caller.kind === 'page' && caller.page === 'pricing';

/**
 * Returns the rate limit key of a request: the API key or member, the subject of the page token, or the IP address. Requests with a public page token
 * also use the IP address.
 */
export const callerName = (ctx: RequestContext, remoteAddress: string): string =>
  ctx.isAuthenticated && !isPublicPage(ctx.caller)
    ? `${ctx.environment.id}:${whoOf(ctx.caller)}`
    : addressName(remoteAddress);

/** Counts requests in a rate limit window. Throws RateLimitedError if the limit is exceeded. */
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

/**
 * Counts requests in the caller's rate limit window and stores the state of the window for the response headers. Throws RateLimitedError if the limit
 * is exceeded.
 */
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

/** Sets `countSender`, which lets an operation count the request a second time, by IP address. */
export function noteSender(ctx: RequestContext, remoteAddress: string, limits: RateLimits): void {
  ctx.countSender = async (bucket) => {
    await takeRequests(limits, addressName(remoteAddress), bucket);
  };
}

/** Returns the caller's rate limit headers. Undefined before the request is counted. */
export const windowHeaders = ({ allowance }: RequestContext): Record<string, string> | undefined =>
  allowance === null ? undefined : allowanceHeaders(allowance);

/**
 * Authenticates the caller with the given credentials and limits failed attempts per IP address. Above the limit, only recently used API keys are
 * still checked; all other credentials throw RateLimitedError. Throws `unauthorized` for invalid credentials.
 */
export async function authenticateCounted(
  ctx: RequestContext,
  credentials: Credentials,
  remoteAddress: string,
  limits: RateLimits,
): Promise<void> {
  const { key, token, session } = credentials;
  if (!key && !token && !session) return;
  const keyHash = key ? hashSecret(key) : null;
  return counted(
    limits,
    remoteAddress,
    () => isKnownKey(ctx.app, keyHash),
    () => authenticate(ctx, credentials, keyHash),
  );
}

/**
 * Authenticates the caller with a live ticket and returns the member. Failed attempts are limited per IP address. Throws RateLimitedError above the
 * limit and `unauthorized` for an invalid ticket.
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

/**
 * Limits failed authentication attempts per IP address. An attempt is counted before the lookup and uncounted unless the credentials are
 * rejected, so concurrent guesses can't bypass the limit. A recently used key is counted only if it's rejected.
 */
async function counted<T>(
  limits: RateLimits,
  remoteAddress: string,
  isKnown: () => boolean,
  look: () => Promise<T>,
): Promise<T> {
  const reserve = async (): Promise<Reservation> => {
    const reservation = await limits.reserve(addressName(remoteAddress), 'rejected');
    if (reservation.allowance.isExceeded) throw new RateLimitedError(reservation.allowance);
    return reservation;
  };
  const reserved = isKnown() ? null : await reserve();
  let outcome: 'kept' | 'given back' = 'given back';
  try {
    return await look();
  } catch (error) {
    if (error instanceof QuittanceError && error.code === 'unauthorized') {
      outcome = 'kept';
      if (reserved === null) await (await reserve()).settle(outcome);
    }
    throw error;
  } finally {
    if (reserved !== null) await reserved.settle(outcome);
  }
}
