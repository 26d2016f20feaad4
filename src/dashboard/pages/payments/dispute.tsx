import { useState } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { environment } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Row } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { ResolveDisputeDocument } from './transaction.graphql';
import type { TransactionView } from './transaction-view.ts';

type DisputeProps = { readonly transaction: TransactionView; readonly onDone: (text: string) => void };
type Outcome = 'won' | 'lost';

/** Shows the state of a disputed payment. In the sandbox, the user can choose the outcome of the dispute. */
export function Dispute({ transaction, onDone }: DisputeProps) {
  const kit = useKit();
  const words = useWords('payments');
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
          onDone={onDone}
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
  const words = useWords('payments');
  const amount = moneyText(transaction.amount, transaction.currency, locale);
  const isWon = outcome === 'won';
  return (
    <AskDialog
      document={ResolveDisputeDocument}
      input={{ id: transaction.id, outcome }}
      kind={isWon ? 'primary' : 'danger'}
      title={isWon ? words.disputeWinTitle : words.disputeLoseTitle}
      texts={[isWon ? words.disputeWinText({ amount }) : words.disputeLoseText({ amount })]}
      confirm={isWon ? words.disputeWin : words.disputeLose}
      onDone={() => onDone(isWon ? words.disputeWon : words.disputeLost)}
      onClose={onClose}
    />
  );
}
