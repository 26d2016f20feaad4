import { bytesText, countText } from '../../ui/format/numbers.ts';
import { useAction, useLive } from '../data/hooks.ts';
import { Status } from '../kit/badge.tsx';
import { Button } from '../kit/button.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { Progress } from '../kit/progress.tsx';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import type { Tone } from '../kit/tone.ts';
import { DateTime } from '../kit/values.tsx';
import { Rejection } from '../shell/rejection.tsx';
import { useWords } from '../words/words.ts';
import type { ExportRowFragment } from './export-row.graphql';
import { ExportChangedDocument, ExportStopDocument } from './exports.graphql';

type Props = { readonly of: ExportRowFragment };

const tones: Readonly<Record<ExportRowFragment['status'], Tone>> = {
  queued: 'neutral',
  running: 'info',
  delivering: 'info',
  completed: 'positive',
  failed: 'negative',
  canceled: 'neutral',
};

/** True until an export is completed, has failed or was canceled. */
const isUnderWay = ({ status }: Pick<ExportRowFragment, 'status'>): boolean =>
  status === 'queued' || status === 'running' || status === 'delivering';

/** Live progress of an export, or the reason why it failed. */
export function ExportState({ of }: Props) {
  const words = useWords('exports');
  const { locale } = useKit();
  useLive(ExportChangedDocument, { id: of.id }, undefined, { isPaused: !isUnderWay(of) });
  const rows = countText(of.rows, locale);
  if (of.status === 'running')
    return (
      <Progress
        label={words.statuses.running}
        {...(of.progress !== null && { share: of.progress })}
        value={of.totalRows === null ? rows : words.rowsOf({ rows, total: countText(of.totalRows, locale) })}
      />
    );
  return (
    <Stack gap={1}>
      <div>
        <Status tone={tones[of.status]}>{words.statuses[of.status]}</Status>
      </div>
      {of.error !== null && (
        <Text size="sm" color="muted">
          {of.error}
        </Text>
      )}
      {of.nextAttemptAt !== null && of.error !== null && (
        <Text size="sm" color="muted">
          {words.nextAttempt} <DateTime at={of.nextAttemptAt} />
        </Text>
      )}
    </Stack>
  );
}

/** Buttons that cancel a running export or download its files. */
export function ExportActions({ of }: Props) {
  const words = useWords('exports');
  const { locale } = useKit();
  const [cancel, { isRunning, error }] = useAction(ExportStopDocument);
  return (
    <Stack gap={2} align="start">
      {of.files.map(({ number, name, bytes, url }) => (
        <Row key={number}>
          <Link href={url} download={name}>
            {words.download({ name })}
          </Link>
          <Text size="sm" color="muted">
            {bytesText(bytes, locale)}
          </Text>
        </Row>
      ))}
      {isUnderWay(of) && (
        <Button size="sm" isPending={isRunning} onPress={() => void cancel({ input: { id: of.id } })}>
          {words.cancel}
        </Button>
      )}
      <Rejection error={error} />
    </Stack>
  );
}
