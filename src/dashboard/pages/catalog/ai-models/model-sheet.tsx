import { useData } from '../../../data/hooks.ts';
import { Copy } from '../../../kit/copy.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Sheet } from '../../../kit/sheet.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateText, Rate } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogAiModelDocument } from './page.graphql';

const price = (rate: number | null) =>
  rate === null ? <Text color="faint">–</Text> : <Rate rate={rate} currency="usd" />;

/** AI model with its price history. */
export function ModelSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords('models');
  const { data, error, refetch } = useData(CatalogAiModelDocument, { id });
  const model = data?.aiModel;
  return (
    <Sheet isOpen size="lg" onClose={onClose} title={model?.name ?? id} subtitle={<Copy value={id} />}>
      {data === null && error === null && <Loading lines={6} />}
      {error !== null && <ErrorState title={words.notLoaded} onRetry={refetch} />}
      {model !== undefined && (
        <Table
          label={words.history}
          rows={model.history}
          rowKey={(one) => one.id}
          columns={[
            { id: 'from', title: words.since, cell: ({ validFrom }) => <DateText at={validFrom} /> },
            { id: 'input', title: words.input, align: 'end', cell: ({ inputRate }) => price(inputRate) },
            { id: 'output', title: words.output, align: 'end', cell: ({ outputRate }) => price(outputRate) },
            {
              id: 'read',
              title: words.cacheRead,
              align: 'end',
              priority: 'secondary',
              cell: ({ cacheReadRate }) => price(cacheReadRate),
            },
            {
              id: 'write',
              title: words.cacheWrite,
              align: 'end',
              priority: 'secondary',
              cell: ({ cacheWriteRate }) => price(cacheWriteRate),
            },
          ]}
        />
      )}
    </Sheet>
  );
}
