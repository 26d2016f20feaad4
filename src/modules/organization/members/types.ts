import type { MemberRole as MemberRoleName } from '../../../domain/limits/member-roles.ts';
import { provenUntil } from '../../../graphql/declare/access.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import type { LiveTicket } from '../../../identity/live-tickets.ts';
import type { PasskeyDetails } from '../../../identity/passkeys.ts';
import { listPasskeys, loadPasskey } from './change-passkeys.ts';
import { listSessions, loadSession, type ViewerSessionRow } from './change-sessions.ts';
import type { InvitationDetails } from './invite.ts';
import { listMutations } from './list-mutations.ts';
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
    "Role of a person in an organization. API keys aren't limited by the role of the person who created them.",
  values: {
    member: {
      description:
        'Access to everything needed for day-to-day billing: the catalog, customers, subscriptions, invoices, and refunds.',
    },
    admin: {
      description:
        'Everything a member can access, plus management of API keys, webhooks, settings, and members other than the owner.',
    },
    owner: { description: 'Full access. Every claimed organization has exactly one owner.' },
    read_only: {
      description: "Can read everything that a member can read, including finances. Can't change anything.",
    },
    support: {
      description:
        "Can manage customers, subscriptions, and usage. Can't make refunds or payouts, give credits, or read the organization's finances.",
    },
    finance: {
      description:
        "Can read everything that a member can read, and can manage invoices, payments, refunds, credits, payouts, and exports. Can't change the catalog, customers, or subscriptions.",
    },
  } satisfies Record<MemberRoleName, { description: string }>,
});

export const InvitedRole = builder.enumType('InvitedRole', {
  description: 'Role that an invitation can grant. To transfer ownership, use `memberRoleSet`.',
  values: {
    member: { description: 'The invited person becomes a member.' },
    admin: { description: 'The invited person becomes an admin.' },
    read_only: { description: 'The invited person can read, but not change anything.' },
    support: { description: 'The invited person manages customers, subscriptions, and usage.' },
    finance: { description: 'The invited person manages invoices, payments, refunds, credits, and payouts.' },
  },
});

export const Member = builder.objectRef<MemberRow>('Member').implement({
  ...node({ prefix: 'mem', access: { member: 'member' }, load: loadMember }),
  description:
    "A person's membership in the organization. Applies to the organization's live and sandbox environments.",
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `mem_`.'),
    name: t.string({ description: 'Name of the person.', resolve: ({ user }) => user.name }),
    email: t.string({
      description: 'Email address of the person, used for sign-in and emails.',
      resolve: ({ user }) => user.email,
    }),
    role: t.member('role', MemberRole).describe('Role in the organization.'),
    createdAt: t
      .member('createdAt', 'DateTime')
      .describe('Time at which the person joined the organization.'),
  }),
});

export const MemberInvitation = builder.objectRef<InvitationRow>('MemberInvitation').implement({
  ...node({ prefix: 'ivt', access: { member: 'admin' }, load: loadInvitation }),
  description:
    'A pending invitation to join the organization. Deleted after the invitation is accepted or canceled.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `ivt_`.'),
    email: t.member('email', 'String').describe('Invited email address, in lowercase.'),
    role: t.member('role', MemberRole).describe('Role of the new member.'),
    expiresAt: t
      .member('expiresAt', 'DateTime')
      .describe('Time at which the link in the invitation email expires.'),
    createdAt: t.member('createdAt', 'DateTime').describe('Time at which the invitation was created.'),
  }),
});

export const InvitationView = builder.objectRef<InvitationDetails>('MemberInvitationView').implement({
  description: 'Invitation as shown to the invited person.',
  fields: (t) => ({
    organizationName: t.member('organizationName', 'String').describe('Name of the organization.'),
    email: t.member('email', 'String').describe('Invited email address, in lowercase.'),
    role: t.member('role', MemberRole).describe('Role of the new member.'),
  }),
});

export const LiveTicketType = builder.objectRef<LiveTicket>('LiveTicket').implement({
  description: 'A ticket that lets a signed-in person open a WebSocket connection.',
  fields: (t) => ({
    ticket: t
      .member('ticket', 'String')
      .describe('Ticket to pass in `connectionParams: { ticket }`. Can be used once.'),
    expiresAt: t
      .member('expiresAt', 'DateTime')
      .describe('Time at which the ticket expires, up to 60 seconds after the ticket is created.'),
  }),
});

const EnvironmentMode = builder.enumType('EnvironmentMode', {
  description: 'Environment of an organization.',
  values: {
    live: { description: 'The live environment, which processes real payments.' },
    sandbox: { description: 'The sandbox, a test environment with its own test clock.' },
  } as const,
});

const MembershipOrganization = builder
  .objectRef<MembershipRow['organization']>('MembershipOrganization')
  .implement({
    description: 'An organization, as shown to its members.',
    fields: (t) => ({
      organizationId: t.member('id', 'ID').describe('ID of the organization, starting with `org_`.'),
      name: t.member('name', 'String').describe('Name of the organization that customers see.'),
      slug: t.maybe('slug', 'String').describe('Name of the organization in page URLs. `null` if not set.'),
      country: t
        .maybe('country', 'String')
        .describe('Country of the organization, as an uppercase ISO 3166-1 alpha-2 code. `null` if not set.'),
      accentColor: t
        .maybe('accentColor', 'String')
        .describe('Accent color, as `#rrggbb`. `null` if the default color is used.'),
      logoUrl: t.maybe('logoUrl', 'String').describe("URL of the organization's logo. `null` if not set."),
      createdAt: t.member('createdAt', 'DateTime').describe('Time at which the organization was created.'),
    }),
  });

const ViewerSession = builder.objectRef<ViewerSessionRow>('ViewerSession').implement({
  ...node({ prefix: 'ses', access: { person: true }, load: loadSession }),
  description: 'An active session of the signed-in person.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `ses_`.'),
    userAgent: t
      .maybe('userAgent', 'String')
      .describe("User agent of the browser or app that signed in. `null` if the user agent wasn't sent."),
    isCurrent: t.member('isCurrent', 'Boolean').describe('Whether the request was sent in this session.'),
    createdAt: t.member('createdAt', 'DateTime').describe('Time at which the person signed in.'),
    updatedAt: t.member('updatedAt', 'DateTime').describe('Time at which the session was last extended.'),
    expiresAt: t
      .member('expiresAt', 'DateTime')
      .describe("Time at which the session ends if it isn't extended."),
  }),
});

const PasskeyDeviceType = builder.enumType('PasskeyDeviceType', {
  description: 'Whether a passkey is bound to one device or synced across devices.',
  values: {
    singleDevice: {
      description: 'The passkey is bound to the device that created it, such as a security key.',
    },
    multiDevice: {
      description: 'The passkey is synced to several devices, for example by a password manager.',
    },
  } satisfies Record<PasskeyDetails['deviceType'], { description: string }>,
});

export const Passkey = builder.objectRef<PasskeyDetails>('Passkey').implement({
  ...node({ prefix: 'psk', access: { person: true }, load: loadPasskey }),
  description:
    'A passkey, which replaces the password and one-time code at sign-in. Passkeys are added in the browser at `/auth/passkey`.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `psk_`.'),
    name: t
      .member('name', 'String')
      .describe('Name of the passkey. Initially the name of the password manager, if known.'),
    deviceType: t
      .member('deviceType', PasskeyDeviceType)
      .describe('Whether the passkey is bound to one device or synced across devices.'),
    isBackedUp: t
      .member('isBackedUp', 'Boolean')
      .describe(
        'Whether the passkey is backed up, as reported by the authenticator when the passkey was last used.',
      ),
    createdAt: t.member('createdAt', 'DateTime').describe('Time at which the passkey was added.'),
    lastUsedAt: t
      .maybe('lastUsedAt', 'DateTime')
      .describe(
        "Time at which the passkey was last used to sign in or to confirm the person's identity. `null` if the passkey has never been used.",
      ),
  }),
});

export const Membership = builder.objectRef<MembershipRow>('Membership').implement({
  description: "The signed-in person's membership in an organization.",
  fields: (t) => ({
    organizationId: t
      .member('organizationId', 'ID')
      .describe('ID of the organization, as sent in the `x-organization` header.'),
    organizationName: t.string({
      description: 'Name of the organization.',
      resolve: ({ organization }) => organization.name,
    }),
    role: t.member('role', MemberRole).describe("The person's role in the organization."),
    mutations: t.field({
      type: ['String'],
      nullable: true,
      description:
        'Names of the mutations that the role can call, sorted by name. `null` if the role is `member`, `admin`, or `owner`.',
      resolve: ({ role }, _args, _ctx, { schema }) => listMutations(schema, role),
    }),
    organization: t
      .member('organization', MembershipOrganization)
      .describe('Organization that the membership belongs to.'),
    environments: t.field({
      type: [EnvironmentMode],
      description: 'Environments of the organization, as sent in the `x-environment` header.',
      resolve: () => ['live', 'sandbox'] as const,
    }),
  }),
});

export const Viewer = builder
  .objectRef<{
    readonly id: string;
    readonly email: string;
    readonly name: string;
    readonly isEmailVerified: boolean;
  }>('Viewer')
  .implement({
    ...node({ prefix: 'usr', access: { person: true }, load: loadViewer }),
    description: 'The signed-in person.',
    fields: (t) => ({
      id: t.member('id', 'ID').describe('Unique identifier. Starts with `usr_`.'),
      email: t.member('email', 'String').describe('Email address with which the person signs in.'),
      name: t.member('name', 'String').describe('Name of the person.'),
      isEmailVerified: t
        .member('isEmailVerified', 'Boolean')
        .describe(
          'Whether the person has verified the email address. Verification is required for adding passkeys and one-time codes.',
        ),
      memberships: t.field({
        type: [Membership],
        description: 'Memberships of the person, in the order in which the person joined the organizations.',
        resolve: (_viewer, _args, ctx) => listMemberships(ctx),
      }),
      sessions: t.field({
        type: [ViewerSession],
        description: 'Active sessions of the person, most recently used first.',
        resolve: (_viewer, _args, ctx) => listSessions(ctx),
      }),
      passkeys: t.field({
        type: [Passkey],
        description: 'Passkeys of the person, oldest first. Up to 20.',
        resolve: (_viewer, _args, ctx) => listPasskeys(ctx),
      }),
      provenUntil: t.field({
        type: 'DateTime',
        nullable: true,
        description:
          'Time until which the person can take sensitive actions in the live environment without reauthenticating. `null` if the person must reauthenticate first, with a passkey or `POST /auth/verify-password`.',
        resolve: (_viewer, _args, ctx) => provenUntil(ctx),
      }),
      preferences: t.field({
        type: 'Json',
        description: 'Preferences that the dashboard stores for the person. Empty if not set.',
        resolve: (_viewer, _args, ctx) => readPreferences(ctx),
      }),
    }),
  });
