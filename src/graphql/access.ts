import SchemaBuilder, { BasePlugin, type PothosOutputFieldConfig, type SchemaTypes } from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { authenticatePage } from '../authenticate.ts';
import {
  type Caller,
  type Context,
  type Page,
  RequestContext,
  type Role,
  roles,
  type Scope,
  unauthorized,
} from '../context.ts';
import { QuittanceError, specificError } from '../domain/errors.ts';
import type { Person } from '../identity/auth.ts';
import { isProofFresh, proofEnd } from '../identity/proof.ts';

/**
 * Who may call a root field. A key needs the scope; a page needs its token, given as Bearer or as the `token` argument or input member, and
 * whatever key comes with it. One operation asks in the name of a page or of a key, never of both.
 * A signed-in member does what keys do: daily work in every role, fields of the scope `keys` and those that say a `role` from that role on.
 * `member` fields are for people only, from that role on, and may be confined to the live environment; `person` fields are for every signed-in person who has
 * signed in; `authenticated` fields are for all of these and decide themselves what they show. `sandbox` fields answer `sandbox_only` to live
 * keys. `proof` fields demand a proof of the person in the last 15 minutes, by password or
 * passkey: of people in live, and for `person` fields always. A field open to anybody says so with `anonymous`; `isKeyed` then demands an
 * `Idempotency-Key`, a UUID, and counts callers by address in the window of provisioning. Pages whose address
 * is public say with `countedIn` in which window their visitors are counted, by address.
 */
export type Access =
  | ScopeAccess
  | { readonly member: Role; readonly environment?: 'live'; readonly proof?: true }
  | PersonAccess
  | { readonly authenticated: true }
  | { readonly page: Page; readonly countedIn?: 'purchases' }
  | { readonly anonymous: true; readonly isKeyed?: true };

/** What every person who has signed in may do; with `proof`, who proved who they are in the last 15 minutes. */
type PersonAccess = { readonly person: true; readonly proof?: true };

/** What a key with the scope may do, and members in the roles that go with it. */
export type ScopeAccess = {
  readonly scope: Scope;
  readonly environment?: 'sandbox';
  readonly role?: Role;
  readonly proof?: true;
};

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      access: AccessPlugin<Types>;
    }
    interface FieldOptions {
      access?: Access;
    }
  }
}

type PageArguments = { token?: unknown; input?: { token?: unknown } };

/** The page token among the arguments of a field, or null. */
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

/** The role a member needs at least for what a key may do with its scope (70 platform, roles of members). */
const roleOf = (access: ScopeAccess): Role => access.role ?? (access.scope === 'keys' ? 'admin' : 'member');

function demandRole(caller: Extract<Caller, { kind: 'member' }>, least: Role): void {
  if (roles.indexOf(caller.role) < roles.indexOf(least))
    throw specificError('forbidden', 'role', { values: { role: least } });
}

/** Whether the scopes of a key, or the role of a member, are enough. */
export function isCovered(access: ScopeAccess, { caller }: Pick<Context, 'caller'>): boolean {
  if (caller.kind === 'system') return true;
  if (caller.kind === 'member') return roles.indexOf(caller.role) >= roles.indexOf(roleOf(access));
  return caller.kind === 'key' && caller.scopes.includes(access.scope);
}

function authorizeMember(access: Extract<Access, { member: Role }>, ctx: Context): void {
  const { caller } = ctx;
  if (caller.kind !== 'member') throw unauthorized();
  demandRole(caller, access.member);
  if (access.environment === 'live' && !ctx.livemode) throw specificError('forbidden', 'members_live_only');
  if (access.proof === true) demandProof(ctx);
}

function demandFreshProof({ provenAt }: Person, now: Date): void {
  if (!isProofFresh(provenAt, now)) throw new QuittanceError('reauthentication_required');
}

/** Throws `reauthentication_required` for a person in live who was not proved of late. Keys need no proof. */
export function demandProof({ caller, livemode, wall }: Context): void {
  if (caller.kind !== 'member' || !livemode) return;
  demandFreshProof(caller.person, wall.now());
}

/** Until when a person counts as proved; null once it does not. */
export function provenUntil({ caller, wall }: Context): Date | null {
  if (caller.kind !== 'member' && caller.kind !== 'person') return null;
  return proofEnd(caller.person.provenAt, wall.now());
}

function authorizeScope(access: ScopeAccess, ctx: Context): void {
  const { caller } = ctx;
  if (caller.kind === 'system') return;
  if (caller.kind === 'member') demandRole(caller, roleOf(access));
  else if (caller.kind !== 'key') throw unauthorized();
  else if (!caller.scopes.includes(access.scope))
    throw specificError('forbidden', 'scope', { values: { scope: access.scope } });
  if (access.environment === 'sandbox' && ctx.livemode) throw specificError('sandbox_only', 'operation');
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
 * Lets the caller through or throws: `unauthorized` without a usable key, token or session, `forbidden` for a missing scope, too small a role,
 * or members outside live, `sandbox_only` for live where only a sandbox will do. Checked in that order, and at once, unless a page's token
 * has to be read first.
 */
export function authorize(access: Access, args: PageArguments, ctx: Context): void | Promise<void> {
  if ('anonymous' in access) return;
  if ('page' in access) return authorizePage(access, args, ctx);
  if (ctx instanceof RequestContext) ctx.act();
  if ('scope' in access) return authorizeScope(access, ctx);
  if ('member' in access) return authorizeMember(access, ctx);
  if ('authenticated' in access) return authorizeAny(ctx);
  authorizePerson(access, ctx);
}

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Checks `access` before a root field is resolved or subscribed to. A root field without the option cannot be built. */
export class AccessPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(field: PothosOutputFieldConfig<Types>): PothosOutputFieldConfig<Types> {
    if (!isRoot(field)) return field;
    const { access } = field.pothosOptions as { access?: Access };
    if (access === undefined)
      throw new Error(`${field.parentType}.${field.name} does not say who may call it.`);
    return { ...field, extensions: { ...field.extensions, access } };
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

const isRoot = (field: { kind: string }): boolean =>
  field.kind === 'Query' || field.kind === 'Mutation' || field.kind === 'Subscription';

function authorized<Types extends SchemaTypes>(
  resolver: Resolver<Types>,
  field: { kind: string; extensions?: object | null | undefined },
): Resolver<Types> {
  const { access } = (field.extensions ?? {}) as { access?: Access };
  if (access === undefined) return resolver;
  return (parent, args, ctx, info) => {
    // The builder fixes the context's type to Context; a plugin is generic over builders.
    const requested = ctx as unknown as Context;
    const resolve = () => {
      // Mutations of one operation run one after another: what an earlier one read may have been changed by it.
      if (field.kind === 'Mutation') requested.forget();
      return resolver(parent, args, ctx, info);
    };
    const authorizing = authorize(access, args, requested);
    return authorizing === undefined ? resolve() : authorizing.then(resolve);
  };
}

SchemaBuilder.registerPlugin('access', AccessPlugin);
