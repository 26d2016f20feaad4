import { useState } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { Row } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import type { payments } from '../../words/en/payments.ts';
import { useWords } from '../../words/words.ts';
import { ResolveDisputeDocument } from './transaction.graphql';
import type { TransactionView } from './transaction-view.ts';

type DisputeProps = { readonly transaction: TransactionView; readonly onDone: (text: string) => void };
type Outcome = 'won' | 'lost';

/** How a disputed payment stands. In the sandbox the merchant decides how the dispute ends. */
export function Dispute({ transaction, onDone }: DisputeProps) {
  const kit = useKit();
  const words = useWords<typeof payments>('payments');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { disputedAt, disputeDueBy, disputeReason, disputeOutcome, status } = transaction;
  if (disputedAt === null) return null;
  if (disputeOutcome !== null)
    return (
      <Callout tone={disputeOutcome === 'won' ? 'positive' : 'negative'} title={words.dispute}>
        {disputeOutcome === 'won' ? words.disputeWon : words.disputeLost}
      </Callout>
    );
  const canDecide = status === 'disputed' && environment.get() === 'sandbox';
  return (
    <>
      <Callout
        tone="warning"
        title={words.dispute}
        actions={
          canDecide && (
            <Row>
              <Button size="sm" onPress={() => setOutcome('won')}>
                {words.disputeWin}
              </Button>
              <Button size="sm" onPress={() => setOutcome('lost')}>
                {words.disputeLose}
              </Button>
            </Row>
          )
        }
      >
        {words.disputeOpen({
          date: dateText(disputedAt, kit),
          reason: disputeReason ?? '–',
          due: disputeDueBy === null ? '–' : dateText(disputeDueBy, kit),
        })}{' '}
        {canDecide && words.disputeSandbox}
      </Callout>
      {outcome !== null && (
        <Resolve
          transaction={transaction}
          outcome={outcome}
          onClose={() => setOutcome(null)}
          onDone={(text) => {
            setOutcome(null);
            onDone(text);
          }}
        />
      )}
    </>
  );
}

function Resolve({
  transaction,
  outcome,
  onClose,
  onDone,
}: DisputeProps & { readonly outcome: Outcome; readonly onClose: () => void }) {
  const { locale } = useKit();
  const words = useWords<typeof payments>('payments');
  const [resolve, { isRunning, error }] = useAction(ResolveDisputeDocument);
  const amount = moneyText(transaction.grossAmount ?? 0, transaction.currency, locale);
  const isWon = outcome === 'won';
  const confirm = async () => {
    const result = await resolve({ input: { id: transaction.id, outcome } });
    if (!(result instanceof ApiError)) onDone(isWon ? words.disputeWon : words.disputeLost);
  };
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      kind={isWon ? 'primary' : 'danger'}
      title={isWon ? words.disputeWin : words.disputeLose}
      confirm={isWon ? words.disputeWin : words.disputeLose}
      onConfirm={confirm}
      isPending={isRunning}
    >
      <Text as="p">{isWon ? words.disputeWinText({ amount }) : words.disputeLoseText({ amount })}</Text>
      <Rejection error={error} />
    </ConfirmDialog>
  );
}
