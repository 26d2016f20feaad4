import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { argumentsHashOf } from '../../../engine/policy/approvals.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { approvedRunnerOf } from '../../../request/run-approved.ts';
import type { ApprovalRow } from './store.ts';

/** Columns that determine whether Quittance can make a call. */
export type RunColumns = Pick<
  ApprovalRow,
  'apiKeyId' | 'limitId' | 'operation' | 'arguments' | 'argumentsHash'
>;

/** Returns the error for a call that Quittance can't make, whatever its API key. `null` if Quittance can make the call. */
function problemOf(
  { app }: Context,
  { limitId, operation, arguments: values, argumentsHash }: RunColumns,
): QuittanceError | null {
  const exclusion = limitId === null ? approvedRunnerOf(app).exclusionOf(operation) : 'usage';
  if (exclusion === 'usage') return specificError('validation_error', 'run_usage', { param: 'run' });
  if (exclusion === 'secret') return specificError('validation_error', 'run_secret', { param: 'run' });
  // The hash covers the complete arguments.
  if (argumentsHashOf(operation, values) !== argumentsHash)
    return specificError('validation_error', 'run_incomplete', { param: 'run' });
  return null;
}

/** Returns the API key of an approval. `null` if the key was deleted or has expired. */
async function findWorkingKey(ctx: Context, { apiKeyId }: RunColumns): Promise<Row<'ApiKey'> | null> {
  const key = apiKeyId === null ? null : await loadRow(ctx, 'ApiKey', apiKeyId);
  return key === null || (key.expiresAt !== null && key.expiresAt <= ctx.wall.now()) ? null : key;
}

/** Returns true if Quittance can make an approved call as its API key. */
export async function isRunnable(ctx: Context, approval: RunColumns): Promise<boolean> {
  return problemOf(ctx, approval) === null && (await findWorkingKey(ctx, approval)) !== null;
}

/** Returns the API key as which Quittance makes an approved call. Throws `validation_error` if Quittance can't make the call. */
export async function requireRunnable(ctx: Context, approval: RunColumns): Promise<Row<'ApiKey'>> {
  const problem = problemOf(ctx, approval);
  if (problem !== null) throw problem;
  const key = await findWorkingKey(ctx, approval);
  if (key === null) throw specificError('validation_error', 'run_key', { param: 'run' });
  return key;
}
