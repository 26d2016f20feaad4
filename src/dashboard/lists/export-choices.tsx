import { useState } from 'react';
import type { ApiError } from '../data/api-error.ts';
import { useData } from '../data/hooks.ts';
import { Checkbox, RadioGroup } from '../kit/choice.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { Select } from '../kit/select.tsx';
import { Loading } from '../kit/states.tsx';
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

type ExportChoicesProps = {
  readonly id: string;
  readonly kind: ExportKind;
  readonly often: Often;
  readonly error: ApiError | null;
  /** Called when the options become complete or incomplete. */
  readonly onReady: (isReady: boolean) => void;
  readonly onSend: (choices: Choices) => void;
};

/** Fields for the frequency, format, compression and columns. */
export function ExportChoices({ id, kind, often: usual, error, onReady, onSend }: ExportChoicesProps) {
  const words = useWords('exports');
  const [often, setOften] = useState(isSeries(kind) ? 'once' : usual);
  const [isIncremental, setIncremental] = useState(false);
  const [deliveryUrl, setDeliveryUrl] = useState('');
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
      often,
      isIncremental,
      deliveryUrl,
      format,
      gzip: gzip && format !== 'parquet',
      ...(isPart && { columns: all.filter((name) => !left.includes(name)) }),
    });
  };
  return (
    <Form id={id} onSubmit={send} errors={error?.details ?? []}>
      <Stack>
        {!isSeries(kind) && (
          <Select
            label={words.often}
            value={often}
            options={oftens.map((value) => ({ value, label: words.oftens[value] }))}
            onChange={(value) => setOften(oftens.find((one) => one === value) ?? 'once')}
          />
        )}
        {often !== 'once' && (
          <Checkbox isSelected={isIncremental} onChange={setIncremental} help={words.incrementalHelp}>
            {words.incremental}
          </Checkbox>
        )}
        {often !== 'once' && <AddressField value={deliveryUrl} onChange={setDeliveryUrl} />}
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
