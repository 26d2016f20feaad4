import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { useIsAllowed } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { DateText, DateTime, Money } from '../../kit/values.tsx';
import { ObjectEvents } from '../../parts/events/object-events.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { EntryTable } from './entry-table.tsx';
import { CancelPayoutDocument, type PayoutRowFragment, SimulatePayoutOutcomeDocument } from './page.graphql';
import { PayoutDocument, type PayoutQuery } from './payout.graphql';

type SheetProps = { readonly id: string; readonly onClose: () => void; readonly onDone: () => void };

type Payout = Extract<NonNullable<PayoutQuery['node']>, { readonly entries: unknown }>;

const payoutOf = (node: PayoutQuery['node']): Payout | null =>
  node !== null && 'entries' in node ? node : null;

/** Payout sheet. In the sandbox, the user can choose the payout's outcome. */
export function PayoutSheet({ id, onClose, onDone }: SheetProps) {
  const { locale } = useKit();
  const words = useWords('payouts');
  const { data, error, refetch } = useData(PayoutDocument, { id });
  useRefetchOnEvents({ objectId: id }, refetch);
  const payout = data === null ? null : payoutOf(data.node);
  const changed = () => {
    refetch();
    onDone();
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={payout === null ? words.title : moneyText(payout.amount, payout.currency, locale)}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {payout === null && error === null && <Loading lines={6} />}
      {payout !== null && <Shown payout={payout} onChanged={changed} />}
    </Sheet>
  );
}

function Shown({ payout, onChanged }: { readonly payout: Payout; readonly onChanged: () => void }) {
  const words = useWords('payouts');
  const { currency } = payout;
  const canCancel = useIsAllowed('payoutCancel', 'admin');
  const isUnderWay = payout.status === 'pending' || payout.status === 'in_transit';
  return (
    <Stack gap={5}>
      {payout.failureMessage !== null && <Callout tone="negative">{payout.failureMessage}</Callout>}
      {payout.isCancelRequested && <Callout>{words.cancelRequested}</Callout>}
      <FactList
        items={[
          { label: words.status, value: words.statuses[payout.status] },
          { label: words.amount, value: <Money minor={payout.amount} currency={currency} /> },
          { label: words.fee, value: <Money minor={payout.fee} currency={currency} /> },
          { label: words.net, value: <Money minor={payout.netAmount} currency={currency} /> },
          { label: words.created, value: <DateTime at={payout.createdAt} /> },
          { label: words.arrivesBy, value: <DateText at={payout.arrivesBy} /> },
          payout.description !== null && { label: words.withdrawNote, value: payout.description },
          { label: 'ID', value: <Copy value={payout.id} /> },
        ]}
      />
      {isUnderWay &&
        (environment.get() === 'sandbox' ? (
          <Outcomes payout={payout} onDone={onChanged} />
        ) : (
          canCancel && !payout.isCancelRequested && <Cancel payout={payout} onDone={onChanged} />
        ))}
      <Stack gap={2}>
        <Heading level={3}>{words.madeOf}</Heading>
        <Text size="sm" color="muted">
          {words.madeOfHelp}
        </Text>
        <Card padding="none">
          <EntryTable label={words.madeOf} rows={payout.entries} isNarrow />
        </Card>
      </Stack>
      <Stack gap={2}>
        <Heading level={3}>{words.history}</Heading>
        <ObjectEvents id={payout.id} />
      </Stack>
    </Stack>
  );
}

type ActionProps = { readonly payout: PayoutRowFragment; readonly onDone: () => void };

const outcomes = ['in_transit', 'paid', 'failed'] as const;

function Outcomes({ payout, onDone }: ActionProps) {
  const words = useWords('payouts');
  const [simulate, { isRunning, error }] = useAction(SimulatePayoutOutcomeDocument);
  const decide = async (outcome: (typeof outcomes)[number]) => {
    const result = await simulate({ input: { id: payout.id, outcome } });
    if (!(result instanceof ApiError)) onDone();
  };
  return (
    <Stack gap={2}>
      <Text weight="medium">{words.outcome}</Text>
      <Row>
        {outcomes
          .filter((outcome) => outcome !== payout.status)
          .map((outcome) => (
            <Button key={outcome} isDisabled={isRunning} onPress={() => void decide(outcome)}>
              {words.outcomes[outcome]}
            </Button>
          ))}
      </Row>
      <Rejection error={error} />
    </Stack>
  );
}

function Cancel({ payout, onDone }: ActionProps) {
  const { locale } = useKit();
  const words = useWords('payouts');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onPress={() => setAsking(true)}>{words.cancel}</Button>
      {isAsking && (
        <AskDialog
          document={CancelPayoutDocument}
          input={{ id: payout.id }}
          title={words.cancelTitle}
          texts={[words.cancelText({ amount: moneyText(payout.amount, payout.currency, locale) })]}
          confirm={words.cancel}
          dismiss={words.keep}
          onDone={onDone}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
