import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { ReconcileDocument, type ReconcileMutation } from './reconcile.graphql';

type Difference = ReconcileMutation['gatewayReconcile']['differences'][number];

type Progress = {
  readonly checked: number;
  readonly open: number;
  readonly isDone: boolean;
  readonly differences: readonly Difference[];
};

const nothingYet: Progress = { checked: 0, open: 0, isDone: false, differences: [] };

/** Dialog that compares payment attempts with the payment provider, in batches, and lists the differences. */
export function Reconcile({ onClose }: { readonly onClose: () => void }) {
  const words = useWords('payments').reconcile;
  const [progress, setProgress] = useState<Progress | null>(null);
  const [reconcile, { isRunning, error }] = useAction(ReconcileDocument);
  const run = async () => {
    let current = nothingYet;
    let after: string | null = null;
    setProgress(current);
    while (!current.isDone) {
      const result: ReconcileMutation | ApiError = await reconcile({
        input: { limit: 100, ...(after !== null && { after }) },
      });
      if (result instanceof ApiError) return;
      const { checked, open, isComplete, next, differences } = result.gatewayReconcile;
      after = next;
      current = {
        checked: current.checked + checked,
        open: current.open + open,
        isDone: isComplete || next === null,
        differences: [...current.differences, ...differences],
      };
      setProgress(current);
    }
  };
  const count = progress?.checked ?? 0;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.title}
      size="lg"
      actions={
        <Button kind="primary" isPending={isRunning} onPress={() => void run()}>
          {words.run}
        </Button>
      }
    >
      <Stack>
        <Text as="p">{words.text}</Text>
        <div role="status">
          {progress !== null && !progress.isDone && isRunning && <Text>{words.running({ count })}</Text>}
          {progress?.isDone === true && <Result progress={progress} />}
        </div>
        <Rejection error={error} />
      </Stack>
    </Dialog>
  );
}

function Result({ progress: { checked, open, differences } }: { readonly progress: Progress }) {
  const words = useWords('payments').reconcile;
  const { locale } = useKit();
  const count = checked;
  const side = (status: string | null, amount: number | null, currency: string | null) =>
    [status, amount !== null && currency !== null && moneyText(amount, currency, locale)]
      .filter(Boolean)
      .join(' · ') || '–';
  const columns: TableColumn<Difference>[] = [
    { id: 'kind', title: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { id: 'here', title: words.here, cell: (one) => side(one.statusHere, one.amountHere, one.currency) },
    { id: 'there', title: words.there, cell: (one) => side(one.statusThere, one.amountThere, one.currency) },
    {
      id: 'repaired',
      title: words.repaired,
      cell: ({ isRepaired }) => (
        <Status tone={isRepaired ? 'positive' : 'warning'}>
          {isRepaired ? words.repaired : words.notRepaired}
        </Status>
      ),
    },
  ];
  return (
    <Stack>
      <Callout tone={differences.length === 0 ? 'positive' : 'warning'}>
        {differences.length === 0
          ? words.clean({ count })
          : words.found({ count, differences: differences.length })}
      </Callout>
      {open > 0 && <Text color="muted">{words.open({ count: open })}</Text>}
      {differences.length > 0 && (
        <Table
          label={words.title}
          columns={columns}
          rows={differences}
          rowKey={({ attemptId, reference, kind }) => `${attemptId ?? ''} ${reference ?? ''} ${kind}`}
        />
      )}
    </Stack>
  );
}
