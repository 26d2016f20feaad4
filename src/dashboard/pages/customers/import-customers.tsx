import { useId, useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { TextArea } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { customersOf } from './csv.ts';
import { CustomerImportDocument } from './list.graphql';

type Props = { readonly onClose: () => void; readonly onMade: () => void };

/** Row that couldn't be imported, with its line number. */
type Problem = { readonly line: number; readonly email: string; readonly message: string };

type Outcome = { readonly made: number; readonly problems: readonly Problem[] };

/** Returns the rows of a table that can be imported. */
const readyRows = ({ issue, rows }: ReturnType<typeof customersOf>) =>
  issue === null ? rows.filter((row) => row.issue === null) : [];

/** Lists rows that couldn't be imported, with the reasons. */
function Problems({ rows }: { readonly rows: readonly Problem[] }) {
  const { importing: words, columns } = useCustomerWords();
  return rows.length === 0 ? null : (
    <Table
      label={words.problem}
      rows={rows}
      rowKey={({ line }) => line}
      columns={[
        { id: 'line', title: words.line, cell: ({ line }) => line },
        { id: 'email', title: columns.email, cell: ({ email }) => email },
        { id: 'problem', title: words.problem, cell: ({ message }) => message },
      ]}
    />
  );
}

/** Sheet that imports up to 100 customers from a CSV table and lists the rows that couldn't be imported. */
export function ImportCustomers({ onClose, onMade }: Props) {
  const { importing: words } = useCustomerWords();
  const id = useId();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [send, { isRunning, error }] = useAction(CustomerImportDocument);
  const draft = useDraft(
    { text: '' },
    {
      isReady: (typed) => readyRows(customersOf(typed.text)).length > 0,
      send: () => send({ input: { customers: ready.map(({ customer }) => customer) } }),
      onDone: ({ customerCreateBatch: { successful, failed } }) => {
        const rejected = failed.map(({ index, error: message }) => {
          const row = ready[index];
          return { line: row?.line ?? 0, email: row?.customer.email ?? '', message };
        });
        setOutcome({
          made: successful.length,
          problems: [...problems, ...rejected].sort((a, b) => a.line - b.line),
        });
        onMade();
      },
    },
  );
  const { text } = draft.values;
  const table = customersOf(text);
  const ready = readyRows(table);
  const problems = table.rows.flatMap(({ line, issue, customer }) =>
    issue === null ? [] : [{ line, email: customer.email, message: words.issues[issue] }],
  );
  const restart = () => {
    draft.reset();
    setOutcome(null);
  };
  const chooseFile = async (files: FileList | null) => {
    const [file] = files ?? [];
    if (file !== undefined) draft.change({ text: await file.text() });
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.title}
      size="lg"
      actions={
        outcome === null ? (
          <Button kind="primary" type="submit" form={id} isDisabled={!draft.isReady} isPending={isRunning}>
            {ready.length === 0 ? words.sendNone : words.send({ count: ready.length })}
          </Button>
        ) : (
          <Button onPress={restart}>{words.more}</Button>
        )
      }
    >
      {outcome === null ? (
        <Form id={id} draft={draft}>
          <Text as="p">{words.about}</Text>
          <Text as="p" color="muted" size="sm">
            {words.columns}
          </Text>
          <div>
            <FileTrigger
              acceptedFileTypes={['text/csv', '.csv']}
              onSelect={(files) => void chooseFile(files)}
            >
              <Button>{words.file}</Button>
            </FileTrigger>
          </div>
          <TextArea
            label={words.text}
            code
            rows={8}
            value={text}
            onChange={(typed) => draft.change({ text: typed })}
          />
          {error !== null && <Callout tone="negative">{error.message}</Callout>}
          {text !== '' && table.issue !== null && (
            <Callout tone="negative">{words.issues[table.issue]}</Callout>
          )}
          {table.unknownColumns.length > 0 && (
            <Callout tone="warning">
              {words.unknownColumns({ names: table.unknownColumns.join(', ') })}
            </Callout>
          )}
          {ready.length > 0 && <Callout tone="positive">{words.ready({ count: ready.length })}</Callout>}
          <Problems rows={problems} />
        </Form>
      ) : (
        <Stack gap={4}>
          {outcome.made > 0 && <Callout tone="positive">{words.made({ count: outcome.made })}</Callout>}
          {outcome.problems.length > 0 && (
            <Callout tone="warning">{words.failed({ count: outcome.problems.length })}</Callout>
          )}
          <Problems rows={outcome.problems} />
        </Stack>
      )}
    </Sheet>
  );
}
