import type { KeyPolicy } from '../domain/limits/key-policy.ts';
import type { Caller } from './context.ts';

type StoredKey = {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly permissions: readonly string[];
  readonly policy: KeyPolicy | null;
};

/** Returns the caller for an API key. */
export const keyCaller = ({ id, scopes, permissions, policy }: StoredKey): Caller => ({
  kind: 'key',
  apiKeyId: id,
  scopes,
  ...(permissions.length === 0 ? {} : { permissions }),
  ...(policy === null ? {} : { policy }),
});
