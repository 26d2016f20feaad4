import { builder } from '../../../graphql/reading/builder.ts';
import { readInvitation } from './invite.ts';
import { listInvitations, listMembers, listMemberships, personOf } from './store.ts';
import { InvitationView, Member, MemberInvitation, Membership, Viewer } from './types.ts';

builder.queryField('members', (t) =>
  t.field({
    type: [Member],
    description: 'Lists up to 500 members of the organization, in the order in which they joined.',
    access: { member: 'member' },
    resolve: (_root, _args, ctx) => listMembers(ctx),
  }),
);

builder.queryField('memberInvitations', (t) =>
  t.field({
    type: [MemberInvitation],
    description:
      'Lists the pending invitations of the organization, including expired invitations, oldest first.',
    access: { member: 'admin' },
    resolve: (_root, _args, ctx) => listInvitations(ctx),
  }),
);

builder.queryField('memberships', (t) =>
  t.field({
    type: [Membership],
    description:
      "Lists the signed-in person's organizations, in the order in which the person joined the organizations.",
    access: { person: true },
    resolve: (_root, _args, ctx) => listMemberships(ctx),
  }),
);

builder.queryField('memberInvitation', (t) =>
  t.field({
    type: InvitationView,
    description: 'Returns the invitation that an invitation link refers to.',
    errors: [['not_found', 'the invitation is no longer valid']],
    access: { anonymous: true },
    args: {
      token: t.arg.string({
        required: true,
        description: 'Token at the end of the invitation link in the email.',
      }),
    },
    resolve: (_root, { token }, ctx) => readInvitation(ctx, token),
  }),
);

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Returns the signed-in person.',
    access: { person: true },
    resolve: (_root, _args, ctx) => personOf(ctx.caller),
  }),
);
