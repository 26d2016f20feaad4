import { useStore } from '../../data/store.ts';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import type { Draft } from '../../shell/explorer-draft.ts';
import { useWords } from '../../words/words.ts';
import { history } from './history.ts';
import { operationsIn } from './typed.ts';

/** Returns the label of a document: the name of its first operation, or the beginning of its text. */
function nameOf(document: string): string {
  const name = operationsIn(document)[0]?.name?.value;
  return name ?? document.replaceAll(/\s+/g, ' ').trim().slice(0, 60);
}

/** Lists the documents that were run in this browser, so that they can be opened again. */
export function HistoryList({ onTake }: { readonly onTake: (draft: Draft) => void }) {
  const words = useWords('explorer');
  const entries = useStore(history);
  return (
    <Stack gap={3}>
      <Table
        label={words.history}
        rows={entries}
        rowKey={({ at, document }) => `${at} ${document}`}
        columns={[
          { id: 'at', title: words.at, cell: ({ at }) => <DateTime at={at} /> },
          {
            id: 'document',
            title: words.document,
            cell: (entry) => (
              <Button kind="quiet" size="sm" onPress={() => onTake(entry)}>
                <Text code size="sm">
                  {nameOf(entry.document)}
                </Text>
              </Button>
            ),
          },
        ]}
        empty={<EmptyState title={words.noHistory}>{words.noHistoryText}</EmptyState>}
      />
      {entries.length > 0 && (
        <Row>
          <Button size="sm" onPress={() => history.set([])}>
            {words.clearHistory}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
