import { useState } from 'react';
import { useParameter } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Json } from '../../kit/json.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { useWords } from '../../words/words.ts';
import { ApprovalState, RequestedAmount } from './approval-parts.tsx';
import {
  DeveloperApprovalDecideDocument,
  DeveloperApprovalDocument,
  type DeveloperApprovalQuery,
} from './approvals.graphql';
import { useDeveloperWords } from './developer-words.ts';

type Approval = DeveloperApprovalQuery['approval'];
type Decision = 'approve' | 'reject' | 'run';

/** Request for approval with its preview, and the buttons to approve or reject the request. */
export default function ApprovalPage() {
  const title = useWords('titles').approval;
  const words = useDeveloperWords();
  const id = useParameter('id');
  const [decision, setDecision] = useState<Decision | null>(null);
  const { data, error, refetch } = useData(DeveloperApprovalDocument, { id });
  const approval = data?.approval ?? null;
  return (
    <Page
      title={title}
      {...(approval !== null && { status: <ApprovalState of={approval.status} /> })}
      actions={
        approval?.status === 'pending' && (
          <Row gap={2}>
            <Button onPress={() => setDecision('reject')}>{words.reject}</Button>
            <Button kind={approval.canRun ? 'normal' : 'primary'} onPress={() => setDecision('approve')}>
              {words.approve}
            </Button>
            {approval.canRun && (
              <Button kind="primary" onPress={() => setDecision('run')}>
                {words.approveAndRun}
              </Button>
            )}
          </Row>
        )
      }
    >
      {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={6} />}
      {approval !== null && <Details of={approval} />}
      {decision !== null && approval !== null && (
        <DecisionDialog
          of={approval}
          decision={decision}
          onDone={refetch}
          onClose={() => setDecision(null)}
        />
      )}
    </Page>
  );
}

type DecisionDialogProps = {
  readonly of: Approval;
  readonly decision: Decision;
  readonly onDone: () => void;
  readonly onClose: () => void;
};

/** Dialog that states the consequences of a decision, and sends the decision. */
function DecisionDialog({ of, decision, onDone, onClose }: DecisionDialogProps) {
  const words = useDeveloperWords();
  const about = {
    approve: {
      title: words.approveTitle,
      text: of.raise === null ? words.approveText : words.raiseText,
      confirm: words.approve,
    },
    reject: { title: words.rejectTitle, text: words.rejectText, confirm: words.reject },
    run: { title: words.runTitle, text: words.runText, confirm: words.approveAndRun },
  }[decision];
  const done = (error: object | null): void => {
    if (decision === 'reject') notify(words.requestRejected);
    else if (decision === 'approve') notify(words.requestApproved);
    else if (error === null) notify(words.callMade);
    else notify(words.callFailed, { tone: 'negative' });
    onDone();
  };
  return (
    <AskDialog
      document={DeveloperApprovalDecideDocument}
      input={{
        id: of.id,
        decision: decision === 'reject' ? 'reject' : 'approve',
        run: decision === 'run',
      }}
      kind={decision === 'reject' ? 'danger' : 'primary'}
      title={about.title}
      texts={[about.text]}
      confirm={about.confirm}
      onDone={({ approvalDecide }) => done(approvalDecide.error)}
      onClose={onClose}
    />
  );
}

/** Response to the call that Quittance made. */
function Outcome({ of: { error, result } }: { readonly of: Approval }) {
  const words = useDeveloperWords();
  if (error !== null)
    return (
      <Callout tone="negative" title={error.message}>
        <Text code>{error.code}</Text>
      </Callout>
    );
  return result === null ? null : (
    <Card title={words.callResult}>
      <Json label={words.callResult} value={result} hasSearch={false} />
    </Card>
  );
}

function Details({ of }: { readonly of: Approval }) {
  const words = useDeveloperWords();
  return (
    <Stack gap={5}>
      <Card title={words.approvalRequest}>
        <FactList
          items={[
            { label: words.operation, value: <Text code>{of.operation}</Text> },
            { label: words.requestedBy, value: of.apiKey?.name ?? of.customer?.email },
            { label: words.requestedAmount, value: <RequestedAmount of={of} /> },
            of.limit !== null && { label: words.limitToRaise, value: of.limit.name ?? of.limit.id },
            of.budgetKey !== null && { label: words.budget, value: <Text code>{of.budgetKey}</Text> },
            { label: words.requestedAt, value: <DateTime at={of.createdAt} /> },
            { label: words.expires, value: <DateTime at={of.expiresAt} /> },
            of.decidedAt !== null && { label: words.decidedAt, value: <DateTime at={of.decidedAt} /> },
            of.ranAt !== null && { label: words.ranAt, value: <DateTime at={of.ranAt} /> },
            of.note !== null && { label: words.note, value: of.note },
          ]}
        />
      </Card>
      <Outcome of={of} />
      <Card title={words.requestArguments}>
        <Json label={words.requestArguments} value={of.arguments} hasSearch={false} />
      </Card>
      {of.events.length > 0 && (
        <Card title={words.previewEvents}>
          <Json label={words.previewEvents} value={of.events} hasSearch={false} />
        </Card>
      )}
    </Stack>
  );
}
