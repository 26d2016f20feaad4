import { builder } from '../../graphql/builder.ts';
import { readInvitation } from './invite.ts';
import { listInvitations, listMembers, listMemberships, personOf } from './store.ts';
import { InvitationView, Member, MemberInvitation, Membership, Viewer } from './types.ts';

builder.queryField('members', (t) =>
  t.field({
    type: [Member],
    description: 'The people of the organization, the one who joined first foremost; at most 500.',
    access: { member: 'member' },
    resolve: (_root, _args, ctx) => listMembers(ctx),
  }),
);

builder.queryField('memberInvitations', (t) =>
  t.field({
    type: [MemberInvitation],
    description: 'Invitations no one has answered, expired ones included.',
    access: { member: 'admin' },
    resolve: (_root, _args, ctx) => listInvitations(ctx),
  }),
);

builder.queryField('memberships', (t) =>
  t.field({
    type: [Membership],
    description: 'The organizations of the person who is signed in, the one joined first foremost.',
    access: { person: true },
    resolve: (_root, _args, ctx) => listMemberships(ctx),
  }),
);

builder.queryField('memberInvitation', (t) =>
  t.field({
    type: InvitationView,
    description: 'The invitation behind a link. `not_found` for one that is no longer valid.',
    errors: ['not_found'],
    access: { anonymous: true },
    args: {
      token: t.arg.string({ required: true, description: 'The last part of the address in the email.' }),
    },
    resolve: (_root, { token }, ctx) => readInvitation(ctx, token),
  }),
);

builder.queryField('viewer', (t) =>
  t.field({
    type: Viewer,
    description: 'Who has signed in.',
    access: { person: true },
    resolve: (_root, _args, ctx) => personOf(ctx.caller),
  }),
);
