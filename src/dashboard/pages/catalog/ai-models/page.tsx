import { useState } from 'react';
import { addressOf, useAddressSearch } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Badge, Status } from '../../../kit/badge.tsx';
import { Button } from '../../../kit/button.tsx';
import { Columns, Row } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useOpenObject } from '../parts/use-catalog-page.ts';
import { ClassPrice, listedClasses } from './class-price.tsx';
import { CatalogAiModelsDocument, type PriceBandFragment } from './page.graphql';

const ModelSheet = lazyPart(() => import('./model-sheet.tsx').then((module) => module.ModelSheet));

const PriceSheet = lazyPart(() => import('./price-sheet.tsx').then((module) => module.PriceSheet));

/** AI models that can be used in plans with a balance, with their current prices per million tokens. */
export default function AiModelsPage() {
  const title = useWords('titles').aiModels;
  const words = useWords('models');
  const [{ name = '', provider = '' }, change] = useAddressSearch();
  const [pages, setPages] = useState<readonly (string | null)[]>([null]);
  const data = useData(CatalogAiModelsDocument, {
    after: pages.at(-1) ?? null,
    name: name.trim() || null,
    provider: provider.trim() || null,
  });
  const [open, setOpen] = useOpenObject();
  const changed = () => {
    setOpen(null);
    data.refetch();
  };
  const rows = data.data?.aiModels.nodes ?? [];
  const info = data.data?.aiModels.pageInfo;
  const filter = (changed: { readonly name?: string; readonly provider?: string }) => {
    setPages([null]);
    change(Object.fromEntries(Object.entries(changed).map(([key, text]) => [key, text || undefined])));
  };
  return (
    <CatalogList
      name="aiModels"
      title={title}
      text={words.text}
      make={{ label: words.newModel, onPress: () => setOpen('new') }}
      empty={name === '' && provider === '' ? words.empty : words.noneFound}
      data={data}
      rows={rows}
      rowKey={({ id }) => id}
      textOf={({ id }) => id}
      tools={
        <Columns count={2}>
          <TextField
            label={words.provider}
            value={provider}
            onChange={(text) => filter({ provider: text })}
          />
          <TextField label={words.name} value={name} onChange={(text) => filter({ name: text })} />
        </Columns>
      }
      columns={[
        {
          id: 'name',
          title: words.model,
          cell: ({ id }) => (
            <Link href={addressOf('aiModels', null, { open: id })}>
              <Text code>{id}</Text>
            </Link>
          ),
        },
        ...listedClasses.map((name) => ({
          id: name,
          title: words.classes[name],
          align: 'end' as const,
          ...(name === 'input' || name === 'output' ? {} : { priority: 'secondary' as const }),
          cell: ({ prices }: { readonly prices: readonly PriceBandFragment[] }) => (
            <ClassPrice band={prices[0]} name={name} />
          ),
        })),
        {
          id: 'state',
          title: words.state,
          priority: 'secondary',
          cell: ({ isActive, hasOwnPrices }) => (
            <Row gap={1}>
              <Status tone={isActive ? 'positive' : 'neutral'}>{isActive ? words.active : words.gone}</Status>
              {hasOwnPrices && <Badge>{words.ownPrices}</Badge>}
            </Row>
          ),
        },
      ]}
    >
      {(pages.length > 1 || info?.hasNextPage === true) && (
        <Row gap={2} justify="end">
          <Button isDisabled={pages.length === 1} onPress={() => setPages(pages.slice(0, -1))}>
            {words.previous}
          </Button>
          <Button
            isDisabled={info?.hasNextPage !== true}
            onPress={() => setPages([...pages, info?.endCursor ?? null])}
          >
            {words.next}
          </Button>
        </Row>
      )}
      {open === 'new' && <PriceSheet id={null} bands={[]} onClose={() => setOpen(null)} onDone={changed} />}
      {open !== null && open !== 'new' && (
        <ModelSheet id={open} onClose={() => setOpen(null)} onDone={changed} />
      )}
    </CatalogList>
  );
}
