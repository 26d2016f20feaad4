import type { ResultOf } from '../../../ui/documents.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { deviceOf } from './device.ts';
import {
  AccountSessionEndDocument,
  AccountSessionsEndOthersDocument,
  type AccountSettingsDocument,
} from './page.graphql';

type Session = ResultOf<typeof AccountSettingsDocument>['viewer']['sessions'][number];

type SessionsCardProps = { readonly sessions: readonly Session[]; readonly onChanged: () => void };

/** Lists the sessions of the signed-in user. Each other session can be ended. */
export function SessionsCard({ sessions, onChanged }: SessionsCardProps) {
  const words = useWords('account');
  const [end, ending] = useAction(AccountSessionEndDocument);
  const [endOthers, endingOthers] = useAction(AccountSessionsEndOthersDocument);
  const isRunning = ending.isRunning || endingOthers.isRunning;
  const finish = (answer: unknown) => {
    if (answer instanceof ApiError) return;
    notify(words.ended);
    onChanged();
  };
  return (
    <Card
      title={words.sessions}
      padding="none"
      actions={
        sessions.length > 1 && (
          <Button
            size="sm"
            isPending={endingOthers.isRunning}
            onPress={() => void endOthers({}).then(finish)}
          >
            {words.endOthers}
          </Button>
        )
      }
    >
      <Stack gap={2}>
        <Table
          label={words.sessions}
          rows={sessions}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'device',
              title: words.device,
              cell: ({ userAgent, isCurrent }) => (
                <Row gap={2}>
                  {deviceOf(userAgent) ?? words.unknownDevice}
                  {isCurrent && <Badge tone="positive">{words.thisOne}</Badge>}
                </Row>
              ),
            },
            {
              id: 'since',
              title: words.signedIn,
              priority: 'secondary',
              cell: ({ createdAt }) => <DateTime at={createdAt} />,
            },
            { id: 'used', title: words.lastUsed, cell: ({ updatedAt }) => <DateTime at={updatedAt} /> },
            {
              id: 'actions',
              title: <Hidden>{words.actions}</Hidden>,
              align: 'end',
              cell: ({ id, isCurrent }) =>
                !isCurrent && (
                  <Button
                    size="sm"
                    kind="quiet"
                    isDisabled={isRunning}
                    onPress={() => void end({ input: { id } }).then(finish)}
                  >
                    {words.end}
                  </Button>
                ),
            },
          ]}
        />
        <Rejection error={ending.error ?? endingOthers.error} />
      </Stack>
    </Card>
  );
}
