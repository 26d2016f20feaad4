import type { Role } from '../../context.ts';
import { provenUntil } from '../../graphql/access.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import type { LiveTicket } from '../../identity/live-tickets.ts';
import type { PasskeyDetails } from '../../identity/passkeys.ts';
import { listPasskeys, loadPasskey } from './change-passkeys.ts';
import { listSessions, loadSession, type ViewerSessionRow } from './change-sessions.ts';
import type { InvitationDetails } from './invite.ts';
import {
  type InvitationRow,
  listMemberships,
  loadInvitation,
  loadMember,
  loadViewer,
  type MemberRow,
  type MembershipRow,
  readPreferences,
} from './store.ts';

export const MemberRole = builder.enumType('MemberRole', {
  description:
    'What a person may do in an organization. API keys are not limited by the role of the person who made them.',
  values: {
    member: { description: 'Daily billing work: catalog, customers, subscriptions, invoices, refunds.' },
    admin: { description: 'That, and keys, webhooks and settings; also other members, but not the owner.' },
    owner: { description: 'Everything. There is exactly one.' },
  } satisfies Record<Role, { description: string }>,
});

/** Roles someone can be invited with. */
export const InvitedRole = builder.enumType('InvitedRole', {
  description: 'Roles someone can be invited with; ownership is handed over by `memberRoleSet`.',
  values: { member: { description: 'As a member.' }, admin: { description: 'As an admin.' } },
});

export const Member = builder.objectRef<MemberRow>('Member').implement({
  ...node({ prefix: 'mem', access: { member: 'member' }, load: loadMember }),
  description: 'A person of the organization, for its live and its sandbox environment alike.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `mem_…`.' }),
    name: t.string({ description: 'How the person is called.', resolve: ({ user }) => user.name }),
    email: t.string({
      description: 'Where the person is written to, and signs in with.',
      resolve: ({ user }) => user.email,
    }),
    role: t.expose('role', { type: MemberRole, description: 'What the person may do.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Operational time of joining.' }),
  }),
});

export const MemberInvitation = builder.objectRef<InvitationRow>('MemberInvitation').implement({
  ...node({ prefix: 'ivt', access: { member: 'admin' }, load: loadInvitation }),
  description: 'Someone asked to join, until they do or it is taken back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ivt_…`.' }),
    email: t.exposeString('email', { description: 'Who was written to, in lower case.' }),
    role: t.expose('role', { type: MemberRole, description: 'What they will be.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when the email can be used, in operational time.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'Operational time of the invitation.',
    }),
  }),
});

export const InvitationView = builder.objectRef<InvitationDetails>('MemberInvitationView').implement({
  description: 'What someone who was asked to join is shown.',
  fields: (t) => ({
    organizationName: t.exposeString('organizationName', { description: 'Name of the organization.' }),
    email: t.exposeString('email', { description: 'Who was written to.' }),
    role: t.expose('role', { type: MemberRole, description: 'What they will be.' }),
  }),
});

export const LiveTicketType = builder.objectRef<LiveTicket>('LiveTicket').implement({
  description: 'What a signed-in person opens a socket with.',
  fields: (t) => ({
    ticket: t.exposeString('ticket', {
      description: 'Goes into `connectionParams: { ticket }` of one socket. Works once.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'Until when a socket can be opened with it, in operational time: 60 seconds at most.',
    }),
  }),
});

export const EnvironmentMode = builder.enumType('EnvironmentMode', {
  description: 'Environments of an organization.',
  values: {
    live: { description: 'Money moves.' },
    sandbox: { description: 'For trying things, with a clock of its own.' },
  } as const,
});

export const MembershipOrganization = builder
  .objectRef<MembershipRow['organization']>('MembershipOrganization')
  .implement({
    description: 'An organization as its members choose it.',
    fields: (t) => ({
      organizationId: t.id({ description: 'Id of the organization, `org_…`.', resolve: ({ id }) => id }),
      name: t.exposeString('name', { description: 'What payers know it by.' }),
      slug: t.exposeString('slug', {
        nullable: true,
        description: 'Names it in addresses of pages; null when none was chosen.',
      }),
      country: t.exposeString('country', {
        nullable: true,
        description: 'ISO 3166-1 alpha-2, upper case; null when none was given.',
      }),
      accentColor: t.exposeString('accentColor', {
        nullable: true,
        description: 'Its color, `#rrggbb`; null for ours.',
      }),
      logoUrl: t.exposeString('logoUrl', { nullable: true, description: 'Its picture; null for none.' }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Operational time of creation.' }),
    }),
  });

export const ViewerSession = builder.objectRef<ViewerSessionRow>('ViewerSession').implement({
  ...node({ prefix: 'ses', access: { person: true }, load: loadSession }),
  description: 'A sign-in of a person that has not ended.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `ses_…`.' }),
    userAgent: t.exposeString('userAgent', {
      nullable: true,
      description: 'The program that signed in, as it calls itself; null when it did not say.',
    }),
    isCurrent: t.exposeBoolean('isCurrent', { description: 'Whether it is the one of this request.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the person signed in.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it was last prolonged.' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime', description: 'When it ends.' }),
  }),
});

export const PasskeyDeviceType = builder.enumType('PasskeyDeviceType', {
  description: 'Where a passkey can be.',
  values: {
    singleDevice: { description: 'On the device that made it, such as a security key.' },
    multiDevice: { description: 'On every device of its person, by a password manager for instance.' },
  } satisfies Record<PasskeyDetails['deviceType'], { description: string }>,
});

export const Passkey = builder.objectRef<PasskeyDetails>('Passkey').implement({
  ...node({ prefix: 'psk', access: { person: true }, load: loadPasskey }),
  description:
    'What a person signs in with instead of password and one-time code. It is added by a browser, at `/auth/passkey`.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `psk_…`.' }),
    name: t.exposeString('name', {
      description: 'What the person calls it; first the name of its password manager, where that is known.',
    }),
    deviceType: t.expose('deviceType', { type: PasskeyDeviceType, description: 'Where it can be.' }),
    isBackedUp: t.exposeBoolean('isBackedUp', {
      description: 'Whether it is kept in more than one place, as its authenticator said at the last use.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was added.' }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last signed in or proved its person again; null before that.',
    }),
  }),
});

export const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: 'An organization a person belongs to.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', {
      description: 'Id of the organization, for the header `x-organization`.',
    }),
    organizationName: t.string({
      description: 'Its name.',
      resolve: ({ organization }) => organization.name,
    }),
    role: t.expose('role', { type: MemberRole, description: 'What the person may do there.' }),
    organization: t.field({
      type: MembershipOrganization,
      description: 'What a choice of organizations shows.',
      resolve: ({ organization }) => organization,
    }),
    environments: t.field({
      type: [EnvironmentMode],
      description: 'Its environments, for the header `x-environment`.',
      resolve: () => ['live', 'sandbox'] as const,
    }),
  }),
});

export const Viewer = builder
  .objectRef<{ readonly id: string; readonly email: string; readonly name: string }>('Viewer')
  .implement({
    ...node({ prefix: 'usr', access: { person: true }, load: loadViewer }),
    description: 'Who has signed in.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'Our identifier, `usr_…`.' }),
      email: t.exposeString('email', { description: 'What they sign in with.' }),
      name: t.exposeString('name', { description: 'How they are called.' }),
      memberships: t.field({
        type: [Membership],
        description: 'Their organizations, the one joined first foremost.',
        resolve: (_viewer, _args, ctx) => listMemberships(ctx),
      }),
      sessions: t.field({
        type: [ViewerSession],
        description: 'Where they are signed in, the one used last first.',
        resolve: (_viewer, _args, ctx) => listSessions(ctx),
      }),
      passkeys: t.field({
        type: [Passkey],
        description: 'What they sign in with beside the password, the one added first foremost; at most 20.',
        resolve: (_viewer, _args, ctx) => listPasskeys(ctx),
      }),
      provenUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'Until when what moves money in live needs no proof of the person; null once it does. `POST /auth/verify-password` proves them, and a passkey.',
        resolve: (_viewer, _args, ctx) => provenUntil(ctx),
      }),
      preferences: t.field({
        type: 'Json',
        description: 'What a dashboard keeps for them; empty before it keeps anything.',
        resolve: (_viewer, _args, ctx) => readPreferences(ctx),
      }),
    }),
  });
