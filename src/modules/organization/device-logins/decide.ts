import { specificError } from '../../../domain/errors/errors.ts';
import { keyPreset } from '../../../domain/limits/key-presets.ts';
import type { KeyPresetName } from '../../../domain/limits/preset-scopes.ts';
import { takeUses } from '../../../platform/use-windows.ts';
import { type Context, unauthorized } from '../../../request/context.ts';
import { hashUserCode } from './start.ts';
import { findPending, type PendingLogin, storeApproval, storeDenial } from './store.ts';

type Member = Extract<Context['caller'], { kind: 'member' }>;

const memberOf = ({ caller }: Context): Member => {
  if (caller.kind !== 'member') throw unauthorized();
  return caller;
};

/** Number of codes that a person can enter in 10 minutes. Prevents guessing the codes of other people's sign-ins. */
const attempts = { most: 30, windowMs: 600_000 } as const;

/** Counts an entered code. Throws `rate_limited` after too many codes. */
async function takeAttempt(ctx: Context): Promise<void> {
  const now = ctx.wall.now();
  const limit = { name: `device code ${memberOf(ctx).person.id}`, ...attempts };
  const usedUp = await takeUses(ctx.app.database, [limit], now);
  if (usedUp === null) return;
  const seconds = Math.max(1, Math.ceil((usedUp.endsAt.getTime() - now.getTime()) / 1_000));
  const minutes = Math.ceil(seconds / 60);
  throw specificError('rate_limited', 'device_codes', { values: { minutes }, retryAfter: seconds });
}

const known = (login: PendingLogin | null): PendingLogin => {
  if (login === null) throw specificError('not_found', 'device_login', { param: 'userCode' });
  return login;
};

/** Returns the pending sign-in with the code. Throws `not_found`, and `rate_limited` after too many codes. */
export async function readLogin(ctx: Context, userCode: string): Promise<PendingLogin> {
  await takeAttempt(ctx);
  return known(await findPending(ctx.app.database.query, hashUserCode(userCode), ctx.wall.now()));
}

/**
 * Approves a sign-in for the environment of the request. The command line receives the API key with its next request; until then, no key
 * exists. Throws `not_found` if the code doesn't exist, has expired, or was decided. Throws `sandbox_only` if the preset isn't available in
 * the environment.
 */
export async function approveLogin(
  ctx: Context,
  userCode: string,
  preset: KeyPresetName,
): Promise<PendingLogin> {
  if (keyPreset(preset, ctx.livemode) === null)
    throw specificError('sandbox_only', 'preset', { param: 'preset' });
  await takeAttempt(ctx);
  const approval = { memberId: memberOf(ctx).memberId, keyEnvironmentId: ctx.environment.id, preset };
  return known(await storeApproval(ctx.app.database.query, hashUserCode(userCode), approval, ctx.wall.now()));
}

/** Denies a sign-in. No API key is created. Throws the same errors as `readLogin`. */
export async function denyLogin(ctx: Context, userCode: string): Promise<PendingLogin> {
  await takeAttempt(ctx);
  return known(await storeDenial(ctx.app.database.query, hashUserCode(userCode), ctx.wall.now()));
}
