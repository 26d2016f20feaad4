import { QuittanceError } from '../../../domain/errors/errors.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Query } from '../../../platform/db/pool.ts';
import type { Context } from '../../../request/context.ts';
import type { ApiKeyRow } from './mint.ts';

/** Returns an API key by ID. Throws `api_key_not_found`. `param` is the input that contains the ID. */
export async function requireKey(ctx: Context, id: string, param = 'id'): Promise<ApiKeyRow> {
  const key = await loadRow(ctx, 'ApiKey', id);
  if (key === null) throw new QuittanceError('api_key_not_found', { param });
  return key;
}

/** Locks an API key until the end of the transaction. Does nothing if the key doesn't exist. */
export async function lockKey(sql: Query, id: string): Promise<void> {
  await sql('SELECT 1 FROM "ApiKey" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
}
