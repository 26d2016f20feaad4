import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { TextArea } from '../../kit/text-field.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { customersOf } from './csv.ts';
import { CustomerImportDocument } from './list.graphql';

type Props = { readonly onClose: () => void; readonly onMade: () => void };

/** Row that couldn't be imported, with its line number. */
type Problem = { readonly line: number; readonly email: string; readonly message: string };

type Outcome = { readonly made: number; readonly problems: readonly Problem[] };

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
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [send, { isRunning, error }] = useAction(CustomerImportDocument);
  const table = customersOf(text);
  const ready = table.issue === null ? table.rows.filter(({ issue }) => issue === null) : [];
  const problems = table.rows.flatMap(({ line, issue, customer }) =>
    issue === null ? [] : [{ line, email: customer.email, message: words.issues[issue] }],
  );
  const run = async () => {
    const answer = await send({ input: { customers: ready.map(({ customer }) => customer) } });
    if (answer instanceof ApiError) return;
    const { successful, failed } = answer.customerCreateBatch;
    const rejected = failed.map(({ index, error: message }) => {
      const row = ready[index];
      return { line: row?.line ?? 0, email: row?.customer.email ?? '', message };
    });
    setOutcome({
      made: successful.length,
      problems: [...problems, ...rejected].sort((a, b) => a.line - b.line),
    });
    onMade();
  };
  const restart = () => {
    setText('');
    setOutcome(null);
  };
  const chooseFile = async (files: FileList | null) => {
    const [file] = files ?? [];
    if (file !== undefined) setText(await file.text());
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.title}
      size="lg"
      actions={
        outcome === null ? (
          <Button
            kind="primary"
            isDisabled={ready.length === 0}
            isPending={isRunning}
            onPress={() => void run()}
          >
            {ready.length === 0 ? words.sendNone : words.send({ count: ready.length })}
          </Button>
        ) : (
          <Button onPress={restart}>{words.more}</Button>
        )
      }
    >
      {outcome === null ? (
        <Stack gap={4}>
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
          <TextArea label={words.text} code rows={8} value={text} onChange={setText} />
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
        </Stack>
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
