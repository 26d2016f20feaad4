import { useId, useState } from 'react';
import { moneyText } from '../../ui/format/money.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { Copy } from '../kit/copy.tsx';
import { Dialog } from '../kit/dialog.tsx';
import { FactList } from '../kit/fact-list.tsx';
import { Form } from '../kit/form.tsx';
import { Stack } from '../kit/layout.tsx';
import { Progress } from '../kit/progress.tsx';
import { useKit } from '../kit/provider.tsx';
import { Loading } from '../kit/states.tsx';
import { Text } from '../kit/text.tsx';
import { type Draft, useDraft } from '../kit/use-draft.ts';
import { DataError } from '../shell/data-error.tsx';
import { useErrorText } from '../shell/error-text.ts';
import { type BulkItem, useBulkItems } from './bulk-subjects.ts';
import type { AnyCommand } from './command.ts';
import { useCommandWords } from './fields.tsx';
import { type Amount, sumsOf } from './outcome.ts';
import { type BulkInputs, type BulkPreview, useBulkPreview } from './use-bulk-preview.ts';
import { type BulkRun, useBulkRun } from './use-bulk-run.ts';

type BulkDialogProps = {
  readonly command: AnyCommand;
  readonly ids: readonly string[];
  readonly onClose: () => void;
  /** Called after each run, including retries of rejected rows. */
  readonly onRun: () => void;
};

const isAmount = (input: object): input is Amount => 'amount' in input && 'currency' in input;

/** Returns the totals of the input amounts by currency, such as the total of the credits to create. */
const givenOf = (inputs: BulkInputs): Amount[] =>
  sumsOf(
    [...(inputs?.values() ?? [])].filter(isAmount).map(({ amount, currency }) => ({ amount, currency })),
  );

function useMoney() {
  const { locale } = useKit();
  return (amounts: readonly Amount[]): string =>
    amounts.map(({ amount, currency }) => moneyText(amount, currency, locale)).join(' + ');
}

/** Shows the total effect of the command before it runs. */
function Sum({
  command,
  count,
  inputs,
  preview,
}: {
  readonly command: AnyCommand;
  readonly count: number;
  readonly inputs: BulkInputs;
  readonly preview: BulkPreview;
}) {
  const { bulk: words, preview: previewWords } = useCommandWords();
  const money = useMoney();
  const given = givenOf(inputs);
  if (command.preview === undefined)
    return given.length === 0 ? null : (
      <Text weight="medium">{words.together({ amount: money(given) })}</Text>
    );
  if (inputs === null) return null;
  if (preview.done < count)
    return (
      <Progress
        label={words.working}
        share={preview.done / Math.max(count, 1)}
        value={words.of({ done: preview.done, of: count })}
      />
    );
  const { charged, unpaid, rejected } = preview;
  const [next, without] = [money(preview.next), money(preview.nextWithout)];
  return (
    <Stack gap={1}>
      <Text weight="medium">
        {charged.length === 0 ? previewWords.nothing : previewWords.charged({ amount: money(charged) })}
      </Text>
      {unpaid.length > 0 && <Text>{previewWords.unpaid({ amount: money(unpaid) })}</Text>}
      {next !== without && (
        <Text>
          {next === ''
            ? words.nothingNext({ before: without })
            : without === ''
              ? words.next({ after: next })
              : words.nextInstead({ after: next, before: without })}
        </Text>
      )}
      {rejected.length > 0 && <Text color="negative">{words.wouldReject({ count: rejected.length })}</Text>}
    </Stack>
  );
}

/** Shows the progress, created links, and rejected rows of a run. */
function Outcome({ run }: { readonly run: BulkRun }) {
  const { bulk: words } = useCommandWords();
  const textOf = useErrorText();
  const links = run.successes.flatMap(({ item, result }) =>
    result.link === undefined
      ? []
      : [{ label: item.subject.customer.fullName, value: <Copy value={result.link} /> }],
  );
  return (
    <Stack gap={4}>
      <Progress
        label={run.isRunning ? words.running : words.finished}
        share={run.of === 0 ? 1 : run.done / run.of}
        value={words.of({ done: run.done, of: run.of })}
      />
      {!run.isRunning && (
        <div role="status">
          <Text weight="medium">
            {words.result({ done: run.successes.length, rejected: run.rejections.length })}
          </Text>
        </div>
      )}
      {links.length > 0 && <FactList items={links} />}
      {run.rejections.length > 0 && (
        <Callout tone="negative" title={words.rejected({ count: run.rejections.length })}>
          <Stack gap={1} as="ol">
            {run.rejections.map(({ item, error }) => (
              <Text key={item.id} as="li" size="sm">
                {words.rejection({ name: item.subject.customer.fullName, reason: textOf(error) })}
              </Text>
            ))}
          </Stack>
        </Callout>
      )}
    </Stack>
  );
}

type BulkFormProps = {
  readonly id: string;
  readonly command: AnyCommand;
  readonly items: readonly BulkItem[];
  readonly others: readonly BulkItem[];
  // biome-ignore lint/suspicious/noExplicitAny: only the command itself knows its values.
  readonly draft: Draft<any>;
};

/** Form with one set of values for all rows. Lists the rows that the command doesn't apply to. */
function BulkForm({ id, command, items, others, draft }: BulkFormProps) {
  const words = useCommandWords();
  const [first] = items;
  const { Fields, bulkFields = true } = command;
  return (
    <Form id={id} draft={draft} errors={[]}>
      <Stack gap={4}>
        <Text as="p" color="muted">
          {bulkFields ? words[command.name].about : words.bulk.atEnd}
        </Text>
        {others.length > 0 && (
          <Callout tone="warning">
            {words.bulk.leftOut({ names: others.map(({ subject }) => subject.customer.fullName).join(', ') })}
          </Callout>
        )}
        {bulkFields && Fields !== undefined && first !== undefined && (
          <Fields {...draft} subject={first.subject} />
        )}
      </Stack>
    </Form>
  );
}

/** Dialog that runs a command for several rows, one at a time. Shows the total effect first. Rejected rows can be retried. */
export function BulkDialog({ command, ids, onClose, onRun }: BulkDialogProps) {
  const words = useCommandWords();
  const [asked] = useState(ids);
  const { items, others, error, refetch } = useBulkItems(command, asked);
  const run = useBulkRun(command);
  const id = useId();
  const all = items ?? [];
  const [first] = all;
  const draft = useDraft<object, void>(first === undefined ? {} : command.initial(first.subject), {
    send: () => start(all),
  });
  const { values } = draft;
  const inputOf = ({ subject }: BulkItem): object | null => command.input(values as never, subject);
  const pairs = all.map((item) => [item.id, inputOf(item)] as const);
  const complete = pairs.flatMap(([key, input]) => (input === null ? [] : [[key, input] as const]));
  const inputs = all.length > 0 && complete.length === all.length ? new Map(complete) : null;
  const hasRun = run.of > 0;
  const preview = useBulkPreview(command, all, inputs, hasRun);
  const isReady = inputs !== null && (command.preview === undefined || preview.done === all.length);
  const start = async (rows: readonly BulkItem[]) => {
    if (!isReady && !hasRun) return;
    await run.run(rows, inputOf);
    onRun();
  };
  const { rejections } = run;
  return (
    <Dialog
      isOpen
      onClose={run.isRunning ? () => undefined : onClose}
      title={words.bulk.title({ command: words[command.name].title, count: asked.length })}
      actions={
        <>
          <Button slot="close" isDisabled={run.isRunning}>
            {hasRun ? words.close : command.name === 'cancel' ? words.cancel.keepAll : words.keep}
          </Button>
          {!hasRun && (
            <Button
              type="submit"
              form={id}
              kind={command.isDangerous === true ? 'danger' : 'primary'}
              isDisabled={!isReady}
            >
              {words.bulk.verb({ verb: words[command.name].verb, count: all.length })}
            </Button>
          )}
          {hasRun && rejections.length > 0 && (
            <Button
              kind="primary"
              isPending={run.isRunning}
              onPress={() => void start(rejections.map(({ item }) => item))}
            >
              {words.bulk.again({ count: rejections.length })}
            </Button>
          )}
        </>
      }
    >
      {items === null &&
        (error === null ? <Loading lines={4} /> : <DataError error={error} onRetry={refetch} />)}
      {items !== null && hasRun && <Outcome run={run} />}
      {items !== null && !hasRun && (
        <Stack gap={4}>
          <BulkForm id={id} command={command} items={all} others={others} draft={draft} />
          <Sum command={command} count={all.length} inputs={inputs} preview={preview} />
        </Stack>
      )}
    </Dialog>
  );
}
