import { type FieldProblem, specificError, validationError } from '../../../domain/errors/errors.ts';
import { narrowPolicy, type PolicyAmounts, policyProblems } from '../../../domain/limits/key-policy.ts';
import { type KeyPreset, keyPreset } from '../../../domain/limits/key-presets.ts';
import { allPermissions, missingPermission, permissionsOf } from '../../../domain/limits/permissions.ts';
import type { KeyPresetName } from '../../../domain/limits/preset-scopes.ts';
import { newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import { type Context, unauthorized } from '../../../request/context.ts';
import { requireKnown } from '../api-keys/create.ts';
import type { CodeRequest } from './rules.ts';
import { readRequest } from './sign.ts';

/** Validity period of an authorization code. */
const codeMs = 300_000;

/** Returns the pending request of an app. Throws `not_found` if the request is invalid or has expired. */
export async function requireRequest({ app }: Context, signed: string): Promise<CodeRequest> {
  const request = await readRequest(app, signed);
  if (request === null) throw specificError('not_found', 'app_request', { param: 'request' });
  return request;
}

/** Returns the URL that gives an app the result of its request. Contains the issuer (RFC 9207). */
function resultUrl(
  issuer: string,
  { redirectUri, state }: Pick<CodeRequest, 'redirectUri' | 'state'>,
  result: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries({
    ...result,
    ...(state === null ? {} : { state }),
    iss: issuer,
  }))
    url.searchParams.set(name, value);
  return url.href;
}

export type Approval = {
  readonly preset: KeyPresetName;
  readonly limits: PolicyAmounts;
  /** Permissions that the API key keeps. `null` keeps all permissions of the preset. */
  readonly permissions: readonly string[] | null;
};

/** Returns the permissions that an API key keeps. Throws `validation_error` if the preset lacks a permission. */
function keptPermissions({ scopes }: KeyPreset, permissions: Approval['permissions']): readonly string[] {
  if (permissions === null) return [];
  requireKnown(permissions);
  const missing = missingPermission(permissions, permissionsOf({ scopes }));
  if (missing !== null)
    throw validationError([
      { field: 'permissions', message: `contains a permission that the preset doesn't have: ${missing}` },
    ]);
  return allPermissions.filter((permission) => permissions.includes(permission));
}

const fieldOf = ({ field, message }: FieldProblem): FieldProblem => ({ field: `limits.${field}`, message });

/**
 * Approves the connection of an app to the environment of the request, and returns the URL with the authorization code. No API key exists until
 * the app exchanges the code. Throws `not_found` if the request has expired. Throws `validation_error` if the limits contradict each
 * other, or if the preset lacks a permission. Throws `sandbox_only` if the preset isn't available in the environment.
 */
export async function approveConnection(
  ctx: Context,
  signed: string,
  { preset, limits, permissions }: Approval,
): Promise<string> {
  const { app, caller, environment } = ctx;
  if (caller.kind !== 'member') throw unauthorized();
  const granted = keyPreset(preset, ctx.livemode);
  if (granted === null) throw specificError('sandbox_only', 'preset', { param: 'preset' });
  const policy = narrowPolicy(granted.policy, limits);
  const problems = policy === null ? [] : policyProblems(policy, () => true);
  if (problems.length > 0) throw validationError(problems.map(fieldOf));
  const remaining = keptPermissions(granted, permissions);
  const request = await requireRequest(ctx, signed);
  const code = newSecret('');
  const { clientHash, clientName, redirectUri, codeChallenge } = request;
  await app.database.prisma.oAuthCode.create({
    data: {
      codeHash: hashSecret(code),
      clientHash,
      clientName,
      redirectUri,
      codeChallenge,
      memberId: caller.memberId,
      keyEnvironmentId: environment.id,
      preset,
      permissions: [...remaining],
      limits,
      apiKeyId: null,
      expiresAt: new Date(app.wall.now().getTime() + codeMs),
    },
  });
  return resultUrl(app.config.publicUrl, request, { code });
}

/** Denies the connection of an app, and returns the URL that informs the app. Throws `not_found`. */
export async function denyConnection(ctx: Context, signed: string): Promise<string> {
  const request = await requireRequest(ctx, signed);
  return resultUrl(ctx.app.config.publicUrl, request, { error: 'access_denied' });
}
