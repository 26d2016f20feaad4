import { keyPreset } from '../../../domain/limits/key-presets.ts';
import { dayMs } from '../../../domain/time/period.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { type Context, findSystemContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { mintKey } from '../api-keys/mint.ts';
import { intervalS } from './start.ts';
import { type LoginApproval, mayCreateKeys, notePoll, type PolledLogin, takeApproved } from './store.ts';

/** Number of days until the API key of a command line expires. */
export const keyDays = 90;

/** API key of a completed sign-in, which is returned only once. */
export type LoginKey = {
  readonly id: string;
  readonly apiKey: string;
  readonly name: string;
  readonly expiresAt: Date;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly livemode: boolean;
};

type LoginStatus = 'pending' | 'too_fast' | 'denied' | 'expired' | 'approved';

/** Result of a request for the API key. `key` is `null` unless the status is `approved`. */
export type LoginResult = { readonly status: LoginStatus; readonly key: LoginKey | null };

const without = (status: LoginResult['status']): LoginResult => ({ status, key: null });

/** Requests can arrive earlier than announced by this time, because networks delay some requests more than others. */
const toleranceMs = 500;

const approvalOf = ({ memberId, keyEnvironmentId, preset }: PolledLogin): LoginApproval | null =>
  memberId === null || keyEnvironmentId === null || preset === null
    ? null
    : { memberId, keyEnvironmentId, preset };

/**
 * Returns the state of a sign-in. After the approval, creates the API key and deletes the sign-in, so that a single request receives the key
 * (AGT-40). Without this request, no key is created. Denies the sign-in if the member who approved it may no longer create keys.
 */
export async function completeLogin(ctx: Context, deviceCode: string): Promise<LoginResult> {
  const { database, wall } = ctx.app;
  const now = wall.now();
  const hash = hashSecret(deviceCode);
  const earliest = new Date(now.getTime() - intervalS * 1_000 + toleranceMs);
  const polled = await notePoll(database.query, hash, now, earliest);
  if (polled === null) return without('expired');
  if (polled === 'too_fast') return without('too_fast');
  if (polled.deniedAt !== null) return without('denied');
  const approval = approvalOf(polled);
  return approval === null ? without('pending') : createKey(ctx, hash, approval, now);
}

/** Creates the API key of an approved sign-in. Concurrent requests create one key. */
async function createKey(
  { app, requestId }: Context,
  hash: string,
  { memberId, keyEnvironmentId: environmentId, preset }: LoginApproval,
  now: Date,
): Promise<LoginResult> {
  const system = await findSystemContext(app, environmentId, requestId);
  const granted = system === null ? null : keyPreset(preset, system.livemode);
  if (system === null || granted === null) return without('denied');
  const { organizationId, organizationName, livemode } = system.environment;
  const result = await inTransaction(
    system,
    async ({ transaction, environment }): Promise<LoginResult> => {
      const machineName = await takeApproved(transaction.query, hash);
      if (machineName === null) return without('expired');
      if (!(await mayCreateKeys(transaction.query, memberId, organizationId))) return without('denied');
      const expiresAt = new Date(now.getTime() + keyDays * dayMs);
      const minted = await mintKey(
        transaction,
        environment,
        { name: machineName, scopes: granted.scopes, policy: granted.policy, expiresAt },
        now,
      );
      if (minted === null) throw new Error('A random secret was drawn twice.');
      const { id, name } = minted.key;
      const key = { id, apiKey: minted.secret, name, expiresAt, organizationId, organizationName, livemode };
      return { status: 'approved', key };
    },
    // API keys don't depend on the environment's time, so the test clock isn't locked.
    { clockLock: 'none' },
  );
  if (result.key !== null)
    app.log.info(
      { requestId, environmentId, memberId, apiKeyId: result.key.id },
      'An API key was created for a command line.',
    );
  return result;
}
