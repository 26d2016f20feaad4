import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Json } from '../../kit/json.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Section } from '../../kit/page.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import {
  RequestDetailsDocument,
  type RequestDetailsQuery,
  RequestRepeatDocument,
  type RequestRepeatMutation,
} from './requests.graphql';

type Details = RequestDetailsQuery['requestLogEntry'];

/** Parses a stored body. A body that was cut off stays a text. */
function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sheet with a recorded request, its masked bodies, and the button that repeats it. */
export function RequestSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords('requests');
  const { data, error, refetch } = useData(RequestDetailsDocument, { id });
  return (
    <Sheet isOpen onClose={onClose} size="lg" title={data?.requestLogEntry.operation || words.request}>
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={8} />}
      {data !== null && <Shown entry={data.requestLogEntry} />}
    </Sheet>
  );
}

function Shown({ entry }: { readonly entry: Details }) {
  const words = useWords('requests');
  const { customerId, requestBody, responseBody, address, code, status } = entry;
  return (
    <Stack gap={5}>
      <FactList
        items={[
          { label: words.time, value: <DateTime at={entry.createdAt} /> },
          { label: words.status, value: code === null ? String(status) : `${status} ${code}` },
          { label: words.interface, value: words.interfaces[entry.transport] },
          address !== null && { label: words.address, value: <Copy value={`${entry.method} ${address}`} /> },
          { label: words.milliseconds, value: <Count value={entry.milliseconds} /> },
          entry.count > 1 && { label: words.count, value: <Count value={entry.count} /> },
          { label: words.callers[entry.callerKind], value: <Copy value={entry.callerId} /> },
          customerId !== null && {
            label: words.customer,
            value: <Link href={addressOf('customer', { id: customerId })}>{customerId}</Link>,
          },
          entry.idempotencyKey !== null && {
            label: words.idempotencyKey,
            value: <Copy value={entry.idempotencyKey} />,
          },
          entry.replayOf !== null && { label: words.replayOf, value: <Copy value={entry.replayOf} /> },
          entry.userAgent !== null && { label: words.userAgent, value: entry.userAgent },
          entry.ipAddress !== null && { label: words.ipAddress, value: entry.ipAddress },
          { label: words.version, value: entry.apiVersion },
          { label: 'ID', value: <Copy value={entry.slowestRequestId} /> },
        ]}
      />
      {requestBody !== null && (
        <Section title={words.requestBody}>
          <Json label={words.requestBody} value={bodyOf(requestBody)} />
        </Section>
      )}
      {responseBody !== null && (
        <Section title={words.responseBody}>
          <Json label={words.responseBody} value={bodyOf(responseBody)} />
        </Section>
      )}
      {address !== null && <Repeat id={entry.id} isWrite={entry.method !== 'GET'} />}
    </Stack>
  );
}

/** Buttons that repeat a request, and the response. A request that writes can be repeated as a dry run first. */
function Repeat({ id, isWrite }: { readonly id: string; readonly isWrite: boolean }) {
  const words = useWords('requests');
  const [run, { isRunning, error }] = useAction(RequestRepeatDocument);
  const [result, setResult] = useState<RequestRepeatMutation['requestReplay'] | null>(null);
  const repeat = async (dryRun: boolean): Promise<void> => {
    const answer = await run({ input: { id, dryRun } });
    if (!(answer instanceof ApiError)) setResult(answer.requestReplay);
  };
  return (
    <Section title={words.repeat}>
      <Stack gap={3}>
        <Text color="muted">{words.repeatAbout}</Text>
        <Row gap={2}>
          {isWrite && (
            <Button onPress={() => void repeat(true)} isDisabled={isRunning}>
              {words.repeatDry}
            </Button>
          )}
          <Button onPress={() => void repeat(false)} isDisabled={isRunning}>
            {words.repeatNow}
          </Button>
        </Row>
        {error !== null && <DataError error={error} />}
        {result !== null && (
          <>
            <Badge tone={result.status < 400 ? 'positive' : 'negative'}>{result.status}</Badge>
            <Json label={words.responseBody} value={result.body} />
          </>
        )}
      </Stack>
    </Section>
  );
}
