import { QuittanceError } from '../../src/domain/errors/errors.ts';
import { type MemberRole, memberRoles } from '../../src/domain/limits/member-roles.ts';
import { scopes } from '../../src/domain/limits/permissions.ts';
import { type Access, authorize, roleOf, scopesOf } from '../../src/graphql/declare/access.ts';
import { fixedClock } from '../../src/platform/clock.ts';
import type { Caller, Context, Page } from '../../src/request/context.ts';
import { streamAccess } from '../../src/rest/export-stream.ts';
import type { RootField } from './fields.ts';

// Renders the access table, with one line per operation. Each line is derived from the operation's access declaration for each type of
// caller in both environments.

const pages = [
  'checkout',
  'invoice',
  'method',
  'pay',
  'portal',
  'pricing',
  'recover',
] as const satisfies readonly Page[];

const now = new Date('2027-05-04T12:00:00.000Z');
const hourAgo = new Date('2027-05-04T11:00:00.000Z');

const person = (provenAt: Date) => ({
  id: 'usr',
  email: 'ada@people.test',
  name: 'Ada',
  sessionId: 'ses',
  isEmailVerified: true,
  provenAt,
});
const member = (role: MemberRole, provenAt: Date): Caller => ({
  kind: 'member',
  person: person(provenAt),
  memberId: 'mem',
  role,
});
const key = (...own: readonly string[]): Caller => ({ kind: 'key', apiKeyId: 'key', scopes: own });

/** Callers in the table's columns. Signed-in users have two columns: an hour after signing in, and immediately after signing in. */
const callers: Readonly<Record<string, readonly Caller[]>> = {
  none: [{ kind: 'anonymous' }],
  pages: pages.map((page) => ({ kind: 'page', page, subjectId: 'sub', token: 'token' })),
  keys: [...scopes.map((scope) => key(scope)), key('write', 'finance'), key(...scopes)],
  ...Object.fromEntries(memberRoles.map((role) => [role, [member(role, hourAgo), member(role, now)]])),
  person: [hourAgo, now].map((provenAt) => ({ kind: 'person', person: person(provenAt) })),
};

/** Character in the table for each result of a call. */
const signs: Readonly<Record<string, string>> = {
  unauthorized: '-',
  forbidden: 'x',
  sandbox_only: 's',
  reauthentication_required: 'p',
};

/** Calls an operation as a caller in an environment. Returns the result's character; `+` means that the operation runs. */
async function outcome(access: Access, caller: Caller, livemode: boolean): Promise<string> {
  // The cast is safe because access checks read only these three properties.
  const ctx = { caller, livemode, wall: fixedClock(now) } as unknown as Context;
  try {
    await authorize(access, {}, ctx);
    return '+';
  } catch (error) {
    const sign = error instanceof QuittanceError ? signs[error.code] : undefined;
    if (sign === undefined) throw error;
    return sign;
  }
}

async function cells(access: Access, livemode: boolean): Promise<string> {
  const columns = Object.entries(callers).map(async ([name, alike]) => {
    const told = await Promise.all(alike.map((caller) => outcome(access, caller, livemode)));
    return `${name}:${told.join('')}`;
  });
  return (await Promise.all(columns)).join(' ');
}

/** Returns an operation's interfaces as text. Sockets support only queries and live fields. */
function doorsOf({ route, kind }: RootField): string {
  return [
    'GraphQL',
    ...(kind === 'mutation' ? [] : ['socket']),
    ...(route === null ? [] : [`${route.method} ${route.path}`]),
  ].join(', ');
}

/** Returns an operation's access declaration as text. */
export function declared(access: Access): string {
  if ('scope' in access)
    return [
      scopesOf(access).join('+'),
      roleOf(access),
      ...(access.also === undefined ? [] : [`or ${access.also}`]),
      ...(access.proof === true ? ['proof'] : []),
      ...(access.environment === undefined ? [] : [`${access.environment} only`]),
      ...(access.settings === true ? ['settings'] : []),
    ].join(' ');
  if ('member' in access)
    return [
      'people only',
      access.member,
      ...(access.proof === true ? ['proof'] : []),
      ...(access.environment === undefined ? [] : [`${access.environment} only`]),
    ].join(' ');
  if ('person' in access) return access.proof === true ? 'anyone signed in, proof' : 'anyone signed in';
  if ('page' in access) return `page ${access.page}`;
  return 'anonymous' in access ? 'anyone' : 'anyone known';
}

const legend = `Access to every operation, worked out from the declarations in src/modules. A test compares them with this file; review what changes in it.

A line: kind and name | doors | declaration | the sandbox | live
  none     nobody
  pages    tokens of the pages ${pages.join(', ')}
  keys     keys with the scope ${scopes.join(', ')} alone, with write and finance, with all
  read_only, support, finance, member, admin, owner, person (of no organization)   an hour after their sign-in, and a moment after
  + runs   - unauthorized   x forbidden   s sandbox_only   p reauthentication_required
`;

/** Returns the access table as text, with one line per operation, sorted by name. */
export async function accessTable(fields: readonly RootField[]): Promise<string> {
  const operations = [
    ...fields.map((field) => ({
      name: `${field.kind} ${field.name}`,
      doors: doorsOf(field),
      access: field.access,
    })),
    // Adds the only REST operation that isn't a field in the schema.
    { name: 'stream exportStream', doors: 'GET /exports/stream', access: streamAccess },
  ];
  const lines = operations.map(
    async ({ name, doors, access }) =>
      `${name} | ${doors} | ${declared(access)} | ${await cells(access, false)} | ${await cells(access, true)}`,
  );
  return `${legend}\n${(await Promise.all(lines)).sort().join('\n')}\n`;
}
