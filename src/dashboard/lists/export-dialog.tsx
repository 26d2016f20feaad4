import { useId, useState } from 'react';
import { addressOf } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction, useData } from '../data/hooks.ts';
import { Button } from '../kit/button.tsx';
import { Checkbox, RadioGroup } from '../kit/choice.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { useKit } from '../kit/provider.tsx';
import { Loading } from '../kit/states.tsx';
import { Text } from '../kit/text.tsx';
import { DataError } from '../shell/data-error.tsx';
import { Rejection } from '../shell/rejection.tsx';
import type { exports } from '../words/en/exports.ts';
import { useWords } from '../words/words.ts';
import type { ExportKind } from './export-kinds.ts';
import type { ExportRowFragment } from './export-row.graphql';
import { ExportActions, ExportState } from './export-state.tsx';
import {
  ExportColumnsDocument,
  ExportMakeDocument,
  type ExportMakeMutationVariables,
  ExportOneDocument,
} from './exports.graphql';

type Input = ExportMakeMutationVariables['input'];
type Format = ExportRowFragment['format'];

const formats: readonly Format[] = ['csv', 'ndjson', 'parquet'];

type ExportDialogProps = {
  readonly kind: ExportKind;
  /** What the list asks for. Its filter and its search count. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly onClose: () => void;
};

/** Asks for the format and the columns of an export of what a list shows, and then shows how far it is. */
export function ExportDialog({ kind, variables, onClose }: ExportDialogProps) {
  const words = useWords<typeof exports>('exports');
  const { words: kit } = useKit();
  const form = useId();
  const [made, setMade] = useState<string | null>(null);
  const [isReady, setReady] = useState(true);
  const [make, { isRunning, error }] = useAction(ExportMakeDocument);
  const send = async (choices: Choices) => {
    if (isRunning) return;
    const { filter, search } = variables;
    const isFiltered = typeof filter === 'object' && filter !== null && Object.keys(filter).length > 0;
    // The filter of a list is the one its kind takes.
    const what = {
      ...(isFiltered && { filter: { [kind]: filter } }),
      ...(search !== undefined && { search }),
    };
    const answer = await make({ input: { kind, ...choices, ...(what as Partial<Input>) } });
    if (!(answer instanceof ApiError)) setMade(answer.exportCreate.id);
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.titleOf({ kind: words.kinds[kind] })}
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
          <Text as="p">{words.about}</Text>
          <Choice
            id={form}
            kind={kind}
            error={error}
            onReady={setReady}
            onSend={(choices) => void send(choices)}
          />
          <Rejection error={error} />
        </Stack>
      ) : (
        <Made id={made} />
      )}
    </Dialog>
  );
}

type Choices = Pick<Input, 'format' | 'gzip' | 'columns'>;

type ChoiceProps = {
  readonly id: string;
  readonly kind: ExportKind;
  readonly error: ApiError | null;
  /** Called with whether what is chosen can be sent. */
  readonly onReady: (isReady: boolean) => void;
  readonly onSend: (choices: Choices) => void;
};

/** The format, compression and columns. */
function Choice({ id, kind, error, onReady, onSend }: ChoiceProps) {
  const words = useWords<typeof exports>('exports');
  const [format, setFormat] = useState<Format>('csv');
  const [gzip, setGzip] = useState(false);
  const [left, setLeft] = useState<readonly string[] | null>(null);
  const columns = useData(ExportColumnsDocument, { kind }, { isPaused: left === null });
  const all = columns.data?.exportColumns ?? [];
  const leave = (names: readonly string[] | null) => {
    setLeft(names);
    onReady(names === null || all.length === 0 || names.length < all.length);
  };
  const send = () => {
    const isPart = left !== null && left.length > 0;
    onSend({
      format,
      gzip: gzip && format !== 'parquet',
      ...(isPart && { columns: all.filter((name) => !left.includes(name)) }),
    });
  };
  return (
    <Form id={id} onSubmit={send} errors={error?.details ?? []}>
      <Stack>
        <RadioGroup
          label={words.format}
          options={formats.map((value) => ({ value, ...words.formats[value] }))}
          value={format}
          onChange={(value) => setFormat(formats.find((each) => each === value) ?? 'csv')}
        />
        {format !== 'parquet' && (
          <Checkbox isSelected={gzip} onChange={setGzip}>
            {words.gzip}
          </Checkbox>
        )}
        <Checkbox isSelected={left === null} onChange={(isAll) => leave(isAll ? null : [])}>
          {words.allColumns}
        </Checkbox>
        {left !== null && columns.data === null && columns.error === null && <Loading lines={4} />}
        {left !== null && columns.error !== null && (
          <DataError error={columns.error} onRetry={columns.refetch} />
        )}
        {left !== null && (
          <Stack gap={2}>
            {all.map((name) => (
              <Checkbox
                key={name}
                isSelected={!left.includes(name)}
                onChange={(isIn) => leave(isIn ? left.filter((each) => each !== name) : [...left, name])}
              >
                {name}
              </Checkbox>
            ))}
          </Stack>
        )}
      </Stack>
    </Form>
  );
}

/** An export that was asked for. */
function Made({ id }: { readonly id: string }) {
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
