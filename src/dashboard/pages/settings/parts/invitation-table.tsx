import type { ResultOf } from '../../../../ui/documents.ts';
import { ApiError } from '../../../data/api-error.ts';
import { useAction } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Button } from '../../../kit/button.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { Table } from '../../../kit/table.tsx';
import { Hidden } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { notify } from '../../../shell/notices.ts';
import { Rejection } from '../../../shell/rejection.tsx';
import { useWords } from '../../../words/words.ts';
import { SettingsMemberInvitationCancelDocument, type SettingsMembersDocument } from '../members.graphql';

type Invitation = ResultOf<typeof SettingsMembersDocument>['memberInvitations'][number];

type InvitationTableProps = {
  readonly rows: readonly Invitation[];
  readonly canChange: boolean;
  readonly onChanged: () => void;
};

/** Lists pending invitations. */
export function InvitationTable({ rows, canChange, onChanged }: InvitationTableProps) {
  const words = useWords('members');
  const [cancel, { isRunning, error }] = useAction(SettingsMemberInvitationCancelDocument);
  const run = async ({ id, email }: Invitation) => {
    if ((await cancel({ input: { id } })) instanceof ApiError) return;
    notify(words.canceled({ email }));
    onChanged();
  };
  return (
    <Stack gap={2}>
      <Table
        label={words.invitations}
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { id: 'email', title: words.email, cell: ({ email }) => email },
          { id: 'role', title: words.role, cell: ({ role }) => words.roles[role] },
          {
            id: 'expires',
            title: words.expires,
            cell: ({ expiresAt }) =>
              new Date(expiresAt).getTime() < Date.now() ? (
                <Status tone="warning">{words.expired}</Status>
              ) : (
                <DateText at={expiresAt} />
              ),
          },
          {
            id: 'actions',
            title: <Hidden>{words.actions}</Hidden>,
            align: 'end',
            cell: (invitation) =>
              canChange && (
                <Button size="sm" kind="quiet" isDisabled={isRunning} onPress={() => void run(invitation)}>
                  {words.cancelInvitation}
                </Button>
              ),
          },
        ]}
      />
      <Rejection error={error} />
    </Stack>
  );
}
