import { useState } from 'react';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { Text } from '../../kit/text.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { DeliveriesResendDocument, DeliveryCountDocument } from './deliveries.graphql';
import { useWebhookWords } from './webhook-words.ts';

const hourMs = 3_600_000;
const spans = { hour: hourMs, day: 24 * hourMs, week: 168 * hourMs, all: null } as const;
type Span = keyof typeof spans;
const spanNames = Object.keys(spans) as Span[];
const statuses = ['failed', 'canceled'] as const;

type ResendManyProps = { readonly id: string; readonly onClose: () => void; readonly onDone: () => void };

/** Dialog that resends the failed or canceled deliveries in a period. The button shows the number of these deliveries. */
export function ResendMany({ id, onClose, onDone }: ResendManyProps) {
  const words = useWebhookWords();
  const [opened] = useState(() => Date.now());
  const [status, setStatus] = useState<(typeof statuses)[number]>('failed');
  const [span, setSpan] = useState<Span>('day');
  const length = spans[span];
  // Deliveries are recorded in real time, even in a sandbox.
  const from = length === null ? null : new Date(opened - length).toISOString();
  const { data, isLoading } = useData(DeliveryCountDocument, {
    filter: { webhookIds: [id], statuses: [status], ...(from !== null && { createdAt: { from } }) },
  });
  const [resend, { isRunning, error }] = useAction(DeliveriesResendDocument);
  const count = data?.webhookDeliveries.totalCount.value ?? 0;
  async function send(): Promise<void> {
    const result = await resend({ input: { webhookId: id, status, ...(from !== null && { from }) } });
    if (result instanceof ApiError) return;
    const { resentCount, isComplete } = result.webhookDeliveriesResend;
    notify([words.resent({ count: resentCount }), !isComplete && words.resentPart].filter(Boolean).join(' '));
    onDone();
    onClose();
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.resendTitle}
      actions={
        <Button
          kind="primary"
          isDisabled={count === 0 || isLoading}
          isPending={isRunning}
          onPress={() => void send()}
        >
          {words.resendCount({ count })}
        </Button>
      }
    >
      <Stack gap={4}>
        <RadioGroup
          label={words.resendWhich}
          value={status}
          onChange={(value) => setStatus(value as typeof status)}
          options={statuses.map((value) => ({ value, label: words.resendStatuses[value] }))}
        />
        <Select
          label={words.resendSpan}
          value={span}
          onChange={(value) => setSpan(value as Span)}
          options={spanNames.map((value) => ({ value, label: words.spans[value] }))}
        />
        {data !== null && count === 0 && <Text color="muted">{words.resendNone}</Text>}
        <Rejection error={error} />
      </Stack>
    </Dialog>
  );
}
