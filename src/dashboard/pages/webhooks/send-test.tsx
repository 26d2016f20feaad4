import { useState } from 'react';
import { useAddressSearch } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Select } from '../../kit/select.tsx';
import { eventName } from '../../parts/events/event-name.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { EndpointTestDocument, type EndpointTestMutation, type EventKind } from './page.graphql';
import { useWebhookWords } from './webhook-words.ts';

type SendTestProps = {
  readonly id: string;
  readonly events: readonly EventKind[];
  readonly onClose: () => void;
};

const plain = 'plain';

/** Dialog that sends a test or an example event to an endpoint and shows the response. */
export function SendTest({ id, events, onClose }: SendTestProps) {
  const words = useWebhookWords();
  const [, change] = useAddressSearch();
  const [kind, setKind] = useState<string>(plain);
  const [sent, setSent] = useState<EndpointTestMutation['webhookTest'] | null>(null);
  const [test, { isRunning, error }] = useAction(EndpointTestDocument);
  async function send(): Promise<void> {
    setSent(null);
    const result = await test({ input: { id, ...(kind !== plain && { event: kind as EventKind }) } });
    if (!(result instanceof ApiError)) setSent(result.webhookTest);
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.testTitle}
      actions={
        <Button kind="primary" isPending={isRunning} onPress={() => void send()}>
          {words.sendTest}
        </Button>
      }
    >
      <Stack gap={4}>
        <Select
          label={words.testKind}
          help={words.testHelp}
          value={kind}
          onChange={setKind}
          options={[
            { value: plain, label: words.testPlain },
            ...events.map((value) => ({ value, label: eventName(value) })),
          ]}
        />
        {sent !== null && (
          <Callout
            tone={sent.success ? 'positive' : 'negative'}
            actions={
              <Button size="sm" onPress={() => change({ do: undefined, open: sent.deliveryId })}>
                {words.showDelivery}
              </Button>
            }
          >
            {sent.success ? words.testOk : words.testFailed}
          </Callout>
        )}
        <Rejection error={error} />
      </Stack>
    </Dialog>
  );
}
