import { hash } from 'node:crypto';
import { canonicalJson } from '../domain/text/json.ts';
import type { Query } from '../platform/db/pool.ts';
import { wasKeyUsedSince } from '../platform/idempotency.ts';

// Idempotency keys for calls without a key. Language models repeat calls after a timeout, and a repeated call must not change data twice.

/** Period in milliseconds during which a derived key repeats the first result. */
const lifetimeMs = 600_000;

/** Tool call that an idempotency key is derived from. */
type Call = {
  readonly apiKeyId: string;
  readonly tool: string;
  readonly values: Readonly<Record<string, unknown>>;
};

const keyIn = (call: Call, span: number): string =>
  `mcp_${hash('sha256', canonicalJson([call.apiKeyId, call.tool, call.values, span]))}`;

/**
 * Returns the idempotency key for a call that was sent without a key. Equal calls get the same key for 10 minutes after
 * the first call. A key contains the number of its 10-minute span, so only the key of the previous span must be looked
 * up.
 */
export async function derivedKey(sql: Query, call: Call, now: Date): Promise<string> {
  const span = Math.floor(now.getTime() / lifetimeMs);
  const previous = keyIn(call, span - 1);
  const isInUse = await wasKeyUsedSince(sql, previous, new Date(now.getTime() - lifetimeMs));
  return isInUse ? previous : keyIn(call, span);
}
