import type { ApiError } from '../data/api-error.ts';
import { useData } from '../data/hooks.ts';
import { Checkbox, RadioGroup } from '../kit/choice.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { Select } from '../kit/select.tsx';
import { Loading } from '../kit/states.tsx';
import { type Draft, useDraft } from '../kit/use-draft.ts';
import { DataError } from '../shell/data-error.tsx';
import { useWords } from '../words/words.ts';
import { AddressField } from './export-address.tsx';
import { type ExportKind, isSeries } from './export-kinds.ts';
import type { ExportRowFragment } from './export-row.graphql';
import { ExportColumnsDocument, type ExportMakeMutationVariables } from './exports.graphql';

type Input = ExportMakeMutationVariables['input'];
type Format = ExportRowFragment['format'];

const formats: readonly Format[] = ['csv', 'ndjson', 'parquet'];
const oftens = ['once', 'daily', 'weekly', 'monthly'] as const;

export type Often = (typeof oftens)[number];

export type Choices = Pick<Input, 'format' | 'gzip' | 'columns'> & {
  readonly often: Often;
  readonly isIncremental: boolean;
  /** URL that receives a schedule's files. Empty if the files are only downloaded. */
  readonly deliveryUrl: string;
};

type Values = Omit<Choices, 'columns' | 'format' | 'gzip'> & {
  readonly format: Format;
  readonly gzip: boolean;
  /** Columns to leave out. `null` if the export contains all columns. */
  readonly left: readonly string[] | null;
};

type ExportChoicesProps = {
  readonly id: string;
  readonly kind: ExportKind;
  readonly often: Often;
  readonly error: ApiError | null;
  /** Called when the options become complete or incomplete. */
  readonly onReady: (isReady: boolean) => void;
  readonly onSend: (choices: Choices) => Promise<void>;
};

/** Fields for the frequency, format, compression and columns. */
export function ExportChoices({ id, kind, often: usual, error, onReady, onSend }: ExportChoicesProps) {
  const words = useWords('exports');
  const draft: Draft<Values> = useDraft<Values, void>(
    {
      often: isSeries(kind) ? 'once' : usual,
      isIncremental: false,
      deliveryUrl: '',
      format: 'csv',
      gzip: false,
      left: null,
    },
    {
      send: ({ left, gzip, ...values }) => {
        const isPart = left !== null && left.length > 0;
        return onSend({
          ...values,
          gzip: gzip && values.format !== 'parquet',
          ...(isPart && { columns: all.filter((name) => !left.includes(name)) }),
        });
      },
    },
  );
  const { change } = draft;
  const { often, isIncremental, deliveryUrl, format, gzip, left } = draft.values;
  const columns = useData(ExportColumnsDocument, { kind }, { isPaused: left === null });
  const all = columns.data?.exportColumns ?? [];
  const leave = (names: readonly string[] | null) => {
    change({ left: names });
    onReady(names === null || all.length === 0 || names.length < all.length);
  };
  return (
    <Form id={id} draft={draft} errors={error?.details ?? []}>
      <Stack>
        {!isSeries(kind) && (
          <Select
            label={words.often}
            value={often}
            options={oftens.map((value) => ({ value, label: words.oftens[value] }))}
            onChange={(value) => change({ often: oftens.find((one) => one === value) ?? 'once' })}
          />
        )}
        {often !== 'once' && (
          <Checkbox
            isSelected={isIncremental}
            onChange={(isOn) => change({ isIncremental: isOn })}
            help={words.incrementalHelp}
          >
            {words.incremental}
          </Checkbox>
        )}
        {often !== 'once' && (
          <AddressField value={deliveryUrl} onChange={(url) => change({ deliveryUrl: url })} />
        )}
        <RadioGroup
          label={words.format}
          options={formats.map((value) => ({ value, ...words.formats[value] }))}
          value={format}
          onChange={(value) => change({ format: formats.find((each) => each === value) ?? 'csv' })}
        />
        {format !== 'parquet' && (
          <Checkbox isSelected={gzip} onChange={(isOn) => change({ gzip: isOn })}>
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
