import type { RequestContext } from '../context.ts';
import { type QuittanceError, validationError } from '../domain/errors.ts';
import type { Access } from '../graphql/access.ts';
import type { IdempotencyStrategy } from '../graphql/rest.ts';
import type { KeyScope } from '../platform/idempotency.ts';

/** One use of an idempotency key. */
export type KeyUse = {
  readonly scope: KeyScope;
  readonly key: string;
  readonly fingerprint: string;
  /** True where the answer holds a secret and is stored encrypted. */
  readonly isSecret: boolean;
  readonly strategy: IdempotencyStrategy;
};

const unacceptableKey = (message: string): QuittanceError =>
  validationError([{ field: 'Idempotency-Key', message }]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The idempotency key of a request, or null when it sends none. Throws `validation_error` outside 1 to 200 characters. */
export function idempotencyKeyOf(headers: Pick<Headers, 'get'>): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length >= 1 && key.length <= 200) return key;
  throw unacceptableKey('must have 1 to 200 characters');
}

/** The idempotency key of a request that must send one, for lack of another way to tell its caller. Throws `validation_error` without a UUID (PLT-15). */
export function requiredKeyOf(headers: Pick<Headers, 'get'>): string {
  const key = headers.get('idempotency-key');
  if (key === null || !uuid.test(key)) throw unacceptableKey('a UUID is required');
  return key.toLowerCase();
}

/** Where the keys of an operation's callers are kept; null when it has neither callers with an environment nor keys of its own. */
export function keyScopeOf(ctx: RequestContext, access: Access, operation: string): KeyScope | null {
  if ('anonymous' in access) return access.isKeyed === true ? { operation } : null;
  // What people do with organizations belongs to none of their environments.
  if ('person' in access || 'member' in access) return null;
  return ctx.isAuthenticated ? { environmentId: ctx.environment.id } : null;
}
