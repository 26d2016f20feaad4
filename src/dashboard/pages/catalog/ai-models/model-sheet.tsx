import { useData } from '../../../data/hooks.ts';
import { Copy } from '../../../kit/copy.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Sheet } from '../../../kit/sheet.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { DateText } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { ClassPrice, listedClasses, type TokenClassName } from './class-price.tsx';
import { CatalogAiModelDocument, type PriceBandFragment } from './page.graphql';

/** Current prices of a model by token class, with a column for each range of input tokens. */
function CurrentPrices({ bands }: { readonly bands: readonly PriceBandFragment[] }) {
  const words = useWords('models');
  const names = [...new Set(bands.flatMap(({ classes }) => classes.map((one) => one.class)))];
  const titleOf = (upTo: number | null) => (upTo === null ? words.above : words.upTo({ count: upTo }));
  return (
    <Table
      label={words.current}
      rows={names}
      rowKey={(name) => name}
      columns={[
        { id: 'class', title: words.tokens, cell: (name) => words.classes[name] },
        ...bands.map((band) => ({
          id: String(band.upTo),
          title: bands.length === 1 ? words.price : titleOf(band.upTo),
          align: 'end' as const,
          cell: (name: TokenClassName) => <ClassPrice band={band} name={name} />,
        })),
      ]}
    />
  );
}

/** AI model with its price history. */
export function ModelSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const words = useWords('models');
  const { data, error, refetch } = useData(CatalogAiModelDocument, { id });
  const model = data?.aiModel;
  return (
    <Sheet isOpen size="lg" onClose={onClose} title={model?.name ?? id} subtitle={<Copy value={id} />}>
      {data === null && error === null && <Loading lines={6} />}
      {error !== null && <ErrorState title={words.notLoaded} onRetry={refetch} />}
      {model !== undefined && <CurrentPrices bands={model.prices} />}
      {model !== undefined && (
        <Table
          label={words.history}
          rows={model.history}
          rowKey={(one) => one.id}
          columns={[
            { id: 'from', title: words.since, cell: ({ validFrom }) => <DateText at={validFrom} /> },
            ...listedClasses.map((name) => ({
              id: name,
              title: words.classes[name],
              align: 'end' as const,
              ...(name === 'input' || name === 'output' ? {} : { priority: 'secondary' as const }),
              cell: ({ prices }: { readonly prices: readonly PriceBandFragment[] }) => (
                <ClassPrice band={prices[0]} name={name} />
              ),
            })),
          ]}
        />
      )}
    </Sheet>
  );
}
