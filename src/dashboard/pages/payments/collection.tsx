import { useState } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { environment } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Card, Row } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { DateTime } from '../../kit/values.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { useWords } from '../../words/words.ts';
import { ReportAttemptDocument } from './transaction.graphql';
import type { TransactionView } from './transaction-view.ts';

type Props = { readonly transaction: TransactionView; readonly onDone: (text: string) => void };
type Outcome = 'settled' | 'declined' | 'returned' | 'expired';

/** Returns the results that the sandbox can simulate for a debit, or for a payment that the payer starts. */
const outcomesOf = ({ stage, status, instructions }: TransactionView): readonly Outcome[] => {
  if (stage === 'awaiting_payer' && instructions !== null) return ['settled', 'expired'];
  if (stage === 'scheduled' || stage === 'processing') return ['settled', 'declined'];
  return stage === 'settled' && status === 'succeeded' && instructions === null ? ['returned'] : [];
};

/** Shows the progress of a bank debit or of a payment that the payer starts. In the sandbox, the user can simulate its result. Not shown for other payments. */
export function Collection({ transaction, onDone }: Props) {
  const kit = useKit();
  const words = useWords('payments');
  const { instructions } = transaction;
  const debit = instructions === null ? words.debit : { ...words.debit, ...words.push };
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { collectionOn, expectedOn, expiresAt, stage } = transaction;
  if (collectionOn === null && instructions === null) return null;
  const outcomes = environment.get() === 'sandbox' ? outcomesOf(transaction) : [];
  const isAwaited = stage === 'awaiting_payer' && instructions !== null;
  const isOpen = stage === 'scheduled' || stage === 'processing' || isAwaited;
  if (!isOpen && outcomes.length === 0) return null;
  return (
    <>
      <Callout
        tone="info"
        title={debit.stages[stage]}
        actions={
          outcomes.length > 0 && (
            <Row>
              {outcomes.map((each) => (
                <Button key={each} size="sm" onPress={() => setOutcome(each)}>
                  {debit.simulate[each]}
                </Button>
              ))}
            </Row>
          )
        }
      >
        {isAwaited && expiresAt !== null && words.push.expires({ time: dateText(expiresAt, kit) })}{' '}
        {isOpen &&
          expectedOn !== null &&
          collectionOn !== null &&
          debit.expected({ collection: dateText(collectionOn, kit), result: dateText(expectedOn, kit) })}{' '}
        {outcomes.length > 0 && debit.sandbox}
      </Callout>
      {outcome !== null && (
        <AskDialog
          document={ReportAttemptDocument}
          input={{ id: transaction.id, stage: outcome }}
          kind={outcome === 'settled' ? 'primary' : 'danger'}
          title={debit.titles[outcome]}
          texts={[
            debit.effects[outcome]({
              amount: moneyText(transaction.amount, transaction.currency, kit.locale),
            }),
          ]}
          confirm={debit.simulate[outcome]}
          onDone={() => onDone(debit.done[outcome])}
          onClose={() => setOutcome(null)}
        />
      )}
    </>
  );
}

type Report = TransactionView['reports'][number];

/** Lists the reports of the bank about a debit. Not shown for other payments. */
export function Reports({ transaction: { reports } }: Pick<Props, 'transaction'>) {
  const { debit, time, reason, status } = useWords('payments');
  if (reports.length === 0) return null;
  const columns: TableColumn<Report>[] = [
    { id: 'time', title: time, cell: ({ at }) => <DateTime at={at} /> },
    {
      id: 'status',
      title: status,
      cell: ({ stage, isContradiction }) =>
        isContradiction ? debit.contradiction({ stage: debit.stages[stage] }) : debit.stages[stage],
    },
    { id: 'reason', title: reason, cell: ({ code }) => code ?? '–' },
  ];
  return (
    <Card title={debit.progress} padding="none">
      <Table
        label={debit.progress}
        columns={columns}
        rows={[...reports]}
        rowKey={({ at, stage }) => `${at} ${stage}`}
      />
    </Card>
  );
}
