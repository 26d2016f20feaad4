import { useId, useState } from 'react';
import { addressOf } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction, useData } from '../data/hooks.ts';
import { Button } from '../kit/button.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { useKit } from '../kit/provider.tsx';
import { Select } from '../kit/select.tsx';
import { Loading } from '../kit/states.tsx';
import { Text } from '../kit/text.tsx';
import { DateTime } from '../kit/values.tsx';
import { DataError } from '../shell/data-error.tsx';
import { Rejection } from '../shell/rejection.tsx';
import type { exports } from '../words/en/exports.ts';
import { useWords } from '../words/words.ts';
import { type Choices, ExportChoices, type Often } from './export-choices.tsx';
import { type ExportKind, isSeries } from './export-kinds.ts';
import { ExportActions, ExportState } from './export-state.tsx';
import {
  ExportMakeDocument,
  type ExportMakeMutationVariables,
  ExportOneDocument,
  ScheduleMakeDocument,
} from './exports.graphql';

type Input = ExportMakeMutationVariables['input'];
type ExportDialogProps = {
  /** What is exported; chosen in the dialog where it is not said. */
  readonly kind?: ExportKind;
  /** What the list asks for. Its filter and its search count. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** How often it is exported at first. Defaults to once. */
  readonly often?: Often;
  readonly onClose: () => void;
};

type Made = { readonly exportId: string } | { readonly nextRunAt: string };

/** Sends an export, or a schedule of it, and says what was made. */
function useMake(kind: ExportKind, { filter, search }: ExportDialogProps['variables']) {
  const [made, setMade] = useState<Made | null>(null);
  const [make, once] = useAction(ExportMakeDocument);
  const [schedule, again] = useAction(ScheduleMakeDocument);
  const isFiltered = typeof filter === 'object' && filter !== null && Object.keys(filter).length > 0;
  // The filter of a list is the one its kind takes.
  const what = {
    ...(isFiltered && { filter: { [kind]: filter } }),
    ...(search !== undefined && { search }),
  } as Partial<Input>;
  const { isRunning } = once.isRunning ? once : again;
  const send = async ({ often, isIncremental, deliveryUrl, ...choices }: Choices) => {
    if (isRunning) return;
    const input = { kind, ...choices, ...what };
    if (often === 'once') {
      const answer = await make({ input });
      if (!(answer instanceof ApiError)) setMade({ exportId: answer.exportCreate.id });
      return;
    }
    const address = deliveryUrl.trim() === '' ? {} : { deliveryUrl: deliveryUrl.trim() };
    const answer = await schedule({ input: { ...input, ...address, frequency: often, isIncremental } });
    if (!(answer instanceof ApiError)) setMade({ nextRunAt: answer.exportScheduleCreate.nextRunAt });
  };
  return { made, send, isRunning, error: once.error ?? again.error };
}

/** Asks how often, for the format and for the columns of an export of what a list shows, and then shows how far it is. */
export function ExportDialog({ kind: named, variables, often = 'once', onClose }: ExportDialogProps) {
  const words = useWords<typeof exports>('exports');
  const { words: kit } = useKit();
  const form = useId();
  const [kind, setKind] = useState<ExportKind>(named ?? 'customers');
  const [isReady, setReady] = useState(true);
  const { made, send, isRunning, error } = useMake(kind, variables);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={named === undefined ? words.newExport : words.titleOf({ kind: words.kinds[kind] })}
      actions={
        made === null ? (
          <>
            <Button onPress={onClose}>{kit.cancel}</Button>
            <Button kind="primary" type="submit" form={form} isDisabled={!isReady} isPending={isRunning}>
              {words.start}
            </Button>
          </>
        ) : (
          <Button onPress={onClose}>{kit.close}</Button>
        )
      }
    >
      {made === null ? (
        <Stack>
          {named === undefined ? (
            <KindField kind={kind} onChange={setKind} />
          ) : (
            <Text as="p">{isSeries(kind) ? words.aboutSeries : words.about}</Text>
          )}
          <ExportChoices
            key={kind}
            id={form}
            kind={kind}
            often={often}
            error={error}
            onReady={setReady}
            onSend={(choices) => void send(choices)}
          />
          <Rejection error={error} />
        </Stack>
      ) : 'exportId' in made ? (
        <MadeExport id={made.exportId} />
      ) : (
        <MadeSchedule {...made} />
      )}
    </Dialog>
  );
}

type KindFieldProps = { readonly kind: ExportKind; readonly onChange: (kind: ExportKind) => void };

/** Chooses among the lists; series are exported where they are shown, since their days are chosen there. */
function KindField({ kind, onChange }: KindFieldProps) {
  const words = useWords<typeof exports>('exports');
  const { locale } = useKit();
  const kinds = (Object.keys(words.kinds) as ExportKind[]).filter((one) => !isSeries(one));
  const options = kinds
    .map((value) => ({ value, label: words.kinds[value] }))
    .toSorted((a, b) => a.label.localeCompare(b.label, locale));
  return (
    <Select
      label={words.list}
      value={kind}
      options={options}
      onChange={(value) => onChange(kinds.find((one) => one === value) ?? kind)}
    />
  );
}

/** A schedule that was made. */
function MadeSchedule({ nextRunAt }: { readonly nextRunAt: string }) {
  const words = useWords<typeof exports>('exports');
  return (
    <Stack>
      <Text as="p">
        {words.scheduleMade} <DateTime at={nextRunAt} />
      </Text>
      <Link href={addressOf('exports', null, { view: 'schedules' })}>{words.allSchedules}</Link>
    </Stack>
  );
}

/** An export that was asked for. */
function MadeExport({ id }: { readonly id: string }) {
  const words = useWords<typeof exports>('exports');
  const { data, error, refetch } = useData(ExportOneDocument, { id });
  if (data === null) return error === null ? <Loading /> : <DataError error={error} onRetry={refetch} />;
  return (
    <Stack>
      <ExportState of={data.export} />
      <ExportActions of={data.export} />
      <Text size="sm" color="muted">
        {words.later} <Link href={addressOf('exports')}>{words.allExports}</Link>
      </Text>
    </Stack>
  );
}
