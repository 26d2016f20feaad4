import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import { QuittanceError, specificError } from '../../domain/errors/errors.ts';
import { hasRole, isLimited, mayRead, type Role } from '../../domain/limits/member-roles.ts';
import { hasScope, scopes } from '../../domain/limits/permissions.ts';
import type { Person } from '../../identity/auth.ts';
import { isProofFresh, proofEnd } from '../../identity/proof.ts';
import { authenticatePage } from '../../request/authenticate.ts';
import {
  type Context,
  type GuardedOperation,
  type Page,
  RequestContext,
  unauthorized,
} from '../../request/context.ts';
import { findArea } from './areas.ts';
import {
  type Access,
  accessIn,
  demandScopes,
  lackingScope,
  lacks,
  type PersonAccess,
  type ScopeAccess,
  scopesOf,
} from './key-access.ts';
import { reachedPermissions } from './reach.ts';
import { DecidedRoot, noteRootResult, type RestRoute } from './rest.ts';
import { coversRole, lacksRole, leastRoleOf, roleOf } from './role-access.ts';

export { type Access, accessIn, type ScopeAccess, scopesOf } from './key-access.ts';
export { isOpenToRole, roleOf } from './role-access.ts';

/** Access to operations that change where money is paid out or which taxes are charged (PLT-7a). */
export const moneyAccess = {
  scope: ['write', 'finance'],
  role: 'admin',
  proof: true,
} as const satisfies ScopeAccess;

/** Access to payouts to the organization's bank account (PLT-7a). */
export const payoutAccess = { ...moneyAccess, also: 'finance' } as const satisfies ScopeAccess;

/** Access to the organization's own finances: payouts, balance, bank accounts, ledger, and financial metrics (PLT-13b). */
export const financeAccess = { scope: 'finance' } as const satisfies ScopeAccess;

/** Access to settings that both environments share (PLT-4a). */
export const settingsAccess = { scope: 'write', settings: true } as const satisfies ScopeAccess;

export const proofSentence =
  ' In the live environment, members must have signed in within the last 15 minutes.';

/** Describes the required access in sentences for the API references. */
export function scopeSentences(access: ScopeAccess): string {
  const names = scopesOf(access).map((scope) => `\`${scope}\``);
  const role = roleOf(access);
  return [
    `Requires the scope${names.length === 1 ? '' : 's'} ${names.join(' and ')}.`,
    access.environment === undefined
      ? ''
      : ` Only available in ${access.environment === 'live' ? 'the live environment' : 'the sandbox'}.`,
    access.settings === true ? ' API keys must be live keys.' : '',
    role === 'member'
      ? ''
      : ` Members must have the role \`${role}\`${access.also === undefined ? '' : ` or \`${access.also}\``}.`,
    access.proof === true ? proofSentence : '',
  ].join('');
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }
    interface FieldOptions {
      access?: Access;
      /** True if the mutation can charge, refund, pay out, credit, or waive money. */
      movesMoney?: true;
    }
  }
}

type PageArguments = { token?: unknown; input?: { token?: unknown } };

/** Returns the page token in a field's arguments. `null` if the arguments don't contain a token. */
function tokenOf(args: PageArguments): string | null {
  const token = args.token ?? args.input?.token;
  return typeof token === 'string' ? token : null;
}

async function authorizePage(
  { page, countedIn }: Extract<Access, { page: Page }>,
  args: PageArguments,
  ctx: Context,
): Promise<void> {
  const bearer = ctx instanceof RequestContext ? ctx.bearer : null;
  const token = tokenOf(args) ?? bearer;
  if (bearer !== null && bearer !== token) throw unauthorized();
  if (token !== null && ctx instanceof RequestContext) await authenticatePage(ctx, token);
  const { caller } = ctx;
  if (caller.kind !== 'page' || caller.page !== page || (token !== null && caller.token !== token))
    throw unauthorized();
  if (countedIn !== undefined && ctx instanceof RequestContext) await ctx.countSender(countedIn);
}

/** True if the caller has the required access: the scopes of an API key, or the role of a member. */
export function isCovered(access: ScopeAccess, { caller }: Pick<Context, 'caller'>): boolean {
  if (caller.kind === 'system') return true;
  if (caller.kind === 'member') return coversRole(access, caller.role);
  return caller.kind === 'key' && lackingScope(access, caller) === undefined;
}

function authorizeMember(access: Extract<Access, { member: Role | 'any' }>, ctx: Context): void {
  const { caller } = ctx;
  if (caller.kind !== 'member') throw unauthorized();
  if (access.member !== 'any' && !hasRole(caller.role, access.member))
    throw lacksRole(caller.role, access.member);
  if (access.environment === 'live' && !ctx.livemode) throw specificError('forbidden', 'members_live_only');
  if (access.proof === true) demandProof(ctx);
}

function demandFreshProof({ provenAt }: Person, now: Date): void {
  if (!isProofFresh(provenAt, now)) throw new QuittanceError('reauthentication_required');
}

/**
 * Throws `reauthentication_required` in the live environment for a member whose last sign-in or password check is older than 15 minutes. Exempts
 * API keys.
 */
function demandProof({ caller, livemode, wall }: Context): void {
  if (caller.kind !== 'member' || !livemode) return;
  demandFreshProof(caller.person, wall.now());
}

/** Returns the time at which the user's last identity check expires. `null` if it has already expired. */
export function provenUntil({ caller, wall }: Context): Date | null {
  if (caller.kind !== 'member' && caller.kind !== 'person') return null;
  return proofEnd(caller.person.provenAt, wall.now());
}

function demandEnvironment({ environment, settings }: ScopeAccess, ctx: Context): void {
  if (environment === undefined && settings !== true) return;
  const { caller, livemode } = ctx;
  if (environment === 'sandbox' && livemode) throw specificError('sandbox_only', 'operation');
  if (environment === 'live' && !livemode) throw specificError('forbidden', 'live_only');
  if (settings === true && caller.kind === 'key' && !livemode)
    throw specificError('forbidden', 'shared_settings');
}

function authorizeScope(access: ScopeAccess, ctx: Context): void {
  const { caller } = ctx;
  if (caller.kind === 'system') return;
  if (caller.kind === 'member') {
    if (!coversRole(access, caller.role)) throw lacksRole(caller.role, roleOf(access));
  } else if (caller.kind === 'key') demandScopes(access, caller);
  else throw unauthorized();
  demandEnvironment(access, ctx);
  if (access.proof === true) demandProof(ctx);
}

function authorizePerson({ proof }: PersonAccess, { caller, wall }: Context): void {
  if (caller.kind !== 'person' && caller.kind !== 'member') throw unauthorized();
  if (proof === true) demandFreshProof(caller.person, wall.now());
}

function authorizeAny({ caller }: Context): void {
  if (caller.kind === 'anonymous' || caller.kind === 'page') throw unauthorized();
}

/**
 * Checks the caller's access. Throws `unauthorized` without valid credentials, then `forbidden` for a missing scope or role, then `sandbox_only` or
 * `forbidden` for the wrong environment, then `reauthentication_required`. Runs synchronously unless a page token must be verified.
 */
export function authorize(access: Access, args: PageArguments, ctx: Context): void | Promise<void> {
  if ('anonymous' in access)
    return access.countedIn !== undefined && ctx instanceof RequestContext
      ? ctx.countSender(access.countedIn)
      : undefined;
  if ('page' in access) return authorizePage(access, args, ctx);
  if (ctx instanceof RequestContext) ctx.hasActed = true;
  if ('scope' in access) return authorizeScope(access, ctx);
  if ('member' in access) return authorizeMember(access, ctx);
  if ('authenticated' in access) return authorizeAny(ctx);
  authorizePerson(access, ctx);
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Pothos plugin that checks `access` before a root field is resolved or subscribed to. The schema can't be built if a root field has no `access`. */
class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (!isRoot(field)) return field;
    const { access, movesMoney } = field.pothosOptions as { access?: Access; movesMoney?: true };
    if (access === undefined) throw new Error(`${field.parentType}.${field.name} has no access option.`);
    const isMutation = field.kind === 'Mutation';
    return {
      ...field,
      extensions: {
        ...field.extensions,
        access: accessIn(findArea(field.name), access, isMutation ? field.name : null),
        isMutation,
        movesMoney,
      },
    };
  }

  override wrapResolve(resolver: Resolver<Types>, field: PothosOutputFieldConfig<Types>): Resolver<Types> {
    return field.kind === 'Subscription' ? resolver : authorized(resolver, field);
  }

  override wrapSubscribe(
    subscriber: Resolver<Types> | undefined,
    field: PothosOutputFieldConfig<Types>,
  ): Resolver<Types> | undefined {
    return subscriber === undefined ? undefined : authorized(subscriber, field);
  }
}

/**
 * Throws `forbidden` if the selection contains data that the API key or the limited role may not read (PLT-13a). Keys with all scopes skip
 * this check.
 */
function demandReached({ caller }: Context, info: GraphQLResolveInfo): void {
  if (caller.kind === 'member' && isLimited(caller.role)) {
    for (const { scope, area } of reachedPermissions(info))
      if (!mayRead(caller.role, scope, area)) throw lacksRole(caller.role, 'member');
  }
  if (caller.kind !== 'key') return;
  if (caller.permissions === undefined && caller.scopes.length === scopes.length) return;
  for (const { scope, area } of reachedPermissions(info))
    if (!hasScope(caller, scope, area)) throw lacks(caller, scope, area);
}

const isRoot = (field: { kind: string }): boolean =>
  field.kind === 'Query' || field.kind === 'Mutation' || field.kind === 'Subscription';

type Guarded = { readonly name: string; readonly extensions?: object | null | undefined };

/** Runs an operation within the limits of its caller, and within the policy of the calling API key. */
export type WithinPolicy = <T>(ctx: Context, run: (ctx: Context) => Promise<T>) => Promise<T>;

type GuardedContext = Pick<Context, 'caller' | 'environment' | 'approvalId' | 'approvedRun'>;

/**
 * Returns true if an operation runs within limits: the caller is an API key with a policy, the call has an approval, or the environment has limits
 * on the mutations of API keys and members.
 */
function isGuarded(ctx: GuardedContext, kind: GuardedOperation['kind']): boolean {
  const { caller, approvalId, approvedRun } = ctx;
  if (caller.kind !== 'key' && caller.kind !== 'member') return false;
  // Other callers can have no environment.
  if (kind === 'mutation' && ctx.environment.limitsCallers) return true;
  return (
    caller.kind === 'key' && (caller.policy !== undefined || approvalId !== null || approvedRun !== null)
  );
}

/**
 * Returns the function that runs an operation within the limits of the caller. `null` if the caller has no limits and no policy, and the call has
 * no approval.
 */
export function policyOf(
  ctx: GuardedContext,
  kind: GuardedOperation['kind'],
  { name, extensions }: Guarded,
  args: object,
): WithinPolicy | null {
  if (!isGuarded(ctx, kind)) return null;
  const {
    access,
    movesMoney = false,
    rest,
  } = (extensions ?? {}) as { access?: Access; movesMoney?: boolean; rest?: RestRoute };
  const role = access === undefined ? 'owner' : leastRoleOf(access);
  // A preview can't roll back calls of services, or usage, which is recorded in a separate transaction.
  const isPreviewable = rest?.idempotency !== 'around-provider-call' && rest?.idempotency !== 'batched';
  const operation = { name, kind, movesMoney, isPreviewable, role, args };
  return (inner, run) => inner.app.guard(inner, operation, run);
}

/**
 * Runs an operation within the limits of its caller, and within the policy of the calling API key (AGT-74). Every way to execute an operation
 * calls this function or `policyOf` once.
 */
export function withinPolicy<T>(
  ctx: Context,
  kind: GuardedOperation['kind'],
  field: Guarded,
  args: object,
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const within = policyOf(ctx, kind, field, args);
  return within === null ? run(ctx) : within(ctx, run);
}

function authorized<Types extends SchemaTypes>(
  resolver: Resolver<Types>,
  field: { kind: string; name: string; extensions?: object | null | undefined },
): Resolver<Types> {
  const { access } = (field.extensions ?? {}) as { access?: Access };
  if (access === undefined) return resolver;
  return (parent, args, ctx, info) => {
    // The cast is safe because every operation runs with a `Context`. Pothos plugins are generic and don't know this type.
    const requested = ctx as unknown as Context;
    const resolve = () => {
      // Clears cached data, because an earlier mutation in the same operation may have changed the data.
      if (field.kind === 'Mutation') {
        requested.forget();
        if (requested instanceof RequestContext) requested.noteWrite();
        requested.effects?.noteOperation(field.name, args);
      }
      // The response of a recorded request is rendered without executing the operation again.
      const isExecuted = !(parent instanceof DecidedRoot);
      const kind = field.kind.toLowerCase() as GuardedOperation['kind'];
      if (!isExecuted || !isGuarded(requested, kind)) return resolver(parent, args, ctx, info);
      const within = withinPolicy(requested, kind, field, args, async (inner) =>
        resolver(parent, args, inner as unknown as Types['Context'], info),
      );
      return within.then((result) => {
        // A stored result is returned without executing the operation.
        noteRootResult(requested, field.extensions, result);
        return result;
      });
    };
    const authorizing = authorize(access, args, requested);
    if (authorizing !== undefined) return authorizing.then(resolve);
    demandReached(requested, info);
    return resolve();
  };
}

SchemaBuilder.registerPlugin('access', AccessPlugin);
