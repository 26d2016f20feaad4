import { ApiError } from '../../data/api-error.ts';
import { useAction, useData, useLive } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Code } from '../../kit/code.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime, RelativeTime } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import {
  DeliveryChangedDocument,
  DeliveryDocument,
  type DeliveryQuery,
  DeliveryResendDocument,
} from './deliveries.graphql';
import { DeliveryAnswer, DeliveryEvent, DeliveryStatus, Took } from './delivery-status.tsx';
import { messageOf } from './signature.ts';
import { Verify } from './verify.tsx';
import { useWebhookWords } from './webhook-words.ts';

type Node = NonNullable<DeliveryQuery['node']>;
type Delivery = Extract<Node, { readonly attemptsLog: unknown }>;

const deliveryOf = (node: DeliveryQuery['node']): Delivery | null =>
  node !== null && 'attemptsLog' in node ? (node as Delivery) : null;

type DeliverySheetProps = { readonly id: string; readonly onClose: () => void };

/** Webhook delivery sheet: request, attempts, code that verifies the signature, and a button that resends the delivery. */
export function DeliverySheet({ id, onClose }: DeliverySheetProps) {
  const words = useWebhookWords();
  const { data, error, refetch } = useData(DeliveryDocument, { id });
  const delivery = data === null ? null : deliveryOf(data.node);
  const [resend, { isRunning, error: rejection }] = useAction(DeliveryResendDocument);
  useLive(
    DeliveryChangedDocument,
    { webhookId: delivery?.webhook.id ?? null },
    ({ webhookDeliveryChanged }) => webhookDeliveryChanged.id === id && refetch(),
    { isPaused: delivery === null },
  );
  async function again(): Promise<void> {
    const result = await resend({ input: { id } });
    if (result instanceof ApiError) return;
    notify(words.resentOne);
    refetch();
  }
  return (
    <Sheet
      isOpen
      onClose={onClose}
      size="lg"
      title={delivery === null ? words.deliveries : <DeliveryEvent event={delivery.event} />}
      {...(delivery !== null && { status: <DeliveryStatus status={delivery.status} /> })}
      actions={
        <Button
          kind="primary"
          isDisabled={delivery === null || delivery.status === 'pending'}
          isPending={isRunning}
          onPress={() => void again()}
        >
          {words.resend}
        </Button>
      }
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {delivery === null && error === null && <Loading lines={8} />}
      <Stack gap={5}>
        <Rejection error={rejection} />
        {delivery !== null && <Shown delivery={delivery} />}
      </Stack>
    </Sheet>
  );
}

function Shown({ delivery }: { readonly delivery: Delivery }) {
  const words = useWebhookWords();
  const { request, attemptsLog, nextAttemptAt } = delivery;
  return (
    <>
      <FactList
        items={[
          { label: words.endpoint, value: delivery.webhook.url },
          { label: words.created, value: <DateTime at={delivery.createdAt} /> },
          nextAttemptAt !== null && { label: words.nextAttempt, value: <RelativeTime at={nextAttemptAt} /> },
          { label: words.event, value: <Copy value={delivery.eventId} /> },
          { label: 'ID', value: <Copy value={delivery.id} /> },
        ]}
      />
      <Section title={words.attemptLog}>
        <Table
          label={words.attemptLog}
          rows={attemptsLog}
          rowKey={({ at }) => at}
          empty={words.noAttempts}
          detail={({ responseBody }) =>
            responseBody !== null && responseBody !== '' ? (
              <Code label={words.responseBody} code={responseBody} />
            ) : null
          }
          columns={[
            { id: 'at', title: words.created, cell: ({ at }) => <DateTime at={at} /> },
            {
              id: 'answer',
              title: words.answer,
              cell: ({ status, error }) => <DeliveryAnswer status={status} error={error} isTried />,
            },
            {
              id: 'took',
              title: words.duration,
              align: 'end',
              cell: ({ durationMs }) => <Took durationMs={durationMs} />,
            },
          ]}
        />
      </Section>
      <Section title={words.request}>
        {request === null ? (
          <Text color="muted">{words.requestGone}</Text>
        ) : (
          <Stack gap={4}>
            <Code
              label={words.headers}
              code={[
                `POST ${request.url}`,
                ...request.headers.map((each) => `${each.name}: ${each.value}`),
              ].join('\n')}
            />
            <Code label={words.body} code={indented(request.body)} />
          </Stack>
        )}
      </Section>
      {request !== null && (
        <Section title={words.verifySteps}>
          <Verify message={messageOf(request)} />
        </Section>
      )}
    </>
  );
}

/** Formats JSON with indentation. Returns other strings unchanged. */
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
