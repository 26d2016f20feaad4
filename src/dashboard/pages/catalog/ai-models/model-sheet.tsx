import { useState } from 'react';
import { useData } from '../../../data/hooks.ts';
import { Button } from '../../../kit/button.tsx';
import { Callout } from '../../../kit/callout.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Grow } from '../../../kit/layout.tsx';
import { Sheet } from '../../../kit/sheet.tsx';
import { Loading } from '../../../kit/states.tsx';
import { Table } from '../../../kit/table.tsx';
import { DateText } from '../../../kit/values.tsx';
import { AskDialog } from '../../../shell/ask-dialog.tsx';
import { useWords } from '../../../words/words.ts';
import { ClassPrice, listedClasses, type TokenClassName } from './class-price.tsx';
import {
  CatalogAiModelDocument,
  CatalogAiModelPriceClearDocument,
  type PriceBandFragment,
} from './page.graphql';
import { PriceSheet } from './price-sheet.tsx';

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

type ModelSheetProps = { readonly id: string; readonly onClose: () => void; readonly onDone: () => void };

/** AI model with its price history. The environment's own prices can be set and cleared. */
export function ModelSheet({ id, onClose, onDone }: ModelSheetProps) {
  const words = useWords('models');
  const { data, error, refetch } = useData(CatalogAiModelDocument, { id });
  const model = data?.aiModel;
  const [isSetting, setSetting] = useState(false);
  const [isClearing, setClearing] = useState(false);
  if (isSetting && model !== undefined)
    return <PriceSheet id={id} bands={model.prices} onClose={() => setSetting(false)} onDone={onDone} />;
  return (
    <Sheet
      isOpen
      size="lg"
      onClose={onClose}
      title={model?.name ?? id}
      subtitle={<Copy value={id} />}
      actions={
        model !== undefined && (
          <>
            {model.hasOwnPrices && (
              <Button kind="quiet" onPress={() => setClearing(true)}>
                {words.clear}
              </Button>
            )}
            <Grow />
            <Button kind="primary" onPress={() => setSetting(true)}>
              {words.setPrices}
            </Button>
          </>
        )
      }
    >
      {isClearing && (
        <AskDialog
          document={CatalogAiModelPriceClearDocument}
          input={{ id }}
          title={words.clearTitle({ model: model?.name ?? id })}
          texts={[words.clearText]}
          confirm={words.clear}
          kind="danger"
          done={words.cleared}
          onDone={onDone}
          onClose={() => setClearing(false)}
        />
      )}
      {model?.hasOwnPrices === true && <Callout tone="info">{words.own}</Callout>}
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
