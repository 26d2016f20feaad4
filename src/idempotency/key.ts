import { type QuittanceError, validationError } from '../domain/errors/errors.ts';
import type { Access } from '../graphql/declare/access.ts';
import type { IdempotencyStrategy } from '../graphql/declare/rest.ts';
import type { KeyScope } from '../platform/idempotency.ts';
import type { Caller, RequestContext } from '../request/context.ts';

/** Idempotency key of a request, with the scope of the key and the strategy of the operation. */
export type KeyUse = {
  readonly scope: KeyScope;
  readonly key: string;
  readonly fingerprint: string;
  /** True if the response contains a secret. The response is then encrypted before it is stored. */
  readonly isSecret: boolean;
  readonly strategy: IdempotencyStrategy;
};

const unacceptableKey = (message: string): QuittanceError =>
  validationError([{ field: 'Idempotency-Key', message }]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns the request's idempotency key, or `null`. Throws `validation_error` unless the key has 1 to 200 characters. */
export function idempotencyKeyOf(headers: Pick<Headers, 'get'>): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length >= 1 && key.length <= 200) return key;
  throw unacceptableKey('must have 1 to 200 characters');
}

/**
 * Returns the idempotency key for an operation that requires an idempotency key because the caller is anonymous. Throws `validation_error`
 * if the key isn't a UUID (PLT-15).
 */
export function requiredKeyOf(headers: Pick<Headers, 'get'>): string {
  const key = headers.get('idempotency-key');
  if (key === null || !uuid.test(key)) throw unacceptableKey('must be a UUID');
  return key.toLowerCase();
}

/**
 * Returns the credential that must match before a stored response is returned. Empty for public operations, whose key is a UUID that only
 * the caller knows.
 */
export function credentialOf(caller: Caller): string {
  switch (caller.kind) {
    case 'key':
      return `key ${caller.apiKeyId}`;
    case 'member':
      return `member ${caller.memberId}`;
    case 'page':
      return `page ${caller.page} ${caller.subjectId}`;
    default:
      return '';
  }
}

/** Returns the scope for an operation's idempotency keys. `null` if the operation doesn't support keys. */
export function keyScopeOf(ctx: RequestContext, access: Access, operation: string): KeyScope | null {
  if ('anonymous' in access) return access.isKeyed === true ? { operation } : null;
  // Operations on organizations and people don't belong to an environment, so their keys have no scope.
  if ('person' in access || 'member' in access) return null;
  return ctx.isAuthenticated ? { environmentId: ctx.environment.id } : null;
}
