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
  /** Preselected export type. If omitted, the user selects it in the dialog. */
  readonly kind?: ExportKind;
  /** Variables of the list's query. The export uses the same filter and search. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Preselected frequency. Defaults to once. */
  readonly often?: Often;
  readonly onClose: () => void;
};

type Made = { readonly exportId: string } | { readonly nextRunAt: string };

/** Returns a function that creates an export or schedule, and the created object once it exists. */
function useMake(kind: ExportKind, { filter, search }: ExportDialogProps['variables']) {
  const [made, setMade] = useState<Made | null>(null);
  const [make, once] = useAction(ExportMakeDocument);
  const [schedule, again] = useAction(ScheduleMakeDocument);
  const isFiltered = typeof filter === 'object' && filter !== null && Object.keys(filter).length > 0;
  // The input has a separate filter field for each export type.
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

/** Dialog that creates an export of a list with a frequency, format and columns, and then shows its progress. */
export function ExportDialog({ kind: named, variables, often = 'once', onClose }: ExportDialogProps) {
  const words = useWords('exports');
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
            <Button slot="close">{kit.cancel}</Button>
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
            onSend={send}
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

/** Field that selects the list to export. Series aren't available, because exporting a series requires a date range. */
function KindField({ kind, onChange }: KindFieldProps) {
  const words = useWords('exports');
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

/** Message with the next run of a schedule, shown after the schedule was created. */
function MadeSchedule({ nextRunAt }: { readonly nextRunAt: string }) {
  const words = useWords('exports');
  return (
    <Stack>
      <Text as="p">
        {words.scheduleMade} <DateTime at={nextRunAt} />
      </Text>
      <Link href={addressOf('exports', null, { view: 'schedules' })}>{words.allSchedules}</Link>
    </Stack>
  );
}

/** Progress and download of an export, shown after the export was created. */
function MadeExport({ id }: { readonly id: string }) {
  const words = useWords('exports');
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
