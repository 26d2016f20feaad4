import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Badge } from '../../../../kit/badge.tsx';
import { Callout } from '../../../../kit/callout.tsx';
import { Card, Row, Stack } from '../../../../kit/layout.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';
import { Link } from '../../../../kit/link.tsx';
import { Menu } from '../../../../kit/menu.tsx';
import { Section } from '../../../../kit/page.tsx';
import { Table } from '../../../../kit/table.tsx';
import { Text } from '../../../../kit/text.tsx';
import { Count, Money, Rate } from '../../../../kit/values.tsx';
import {
  basePrices,
  intervals,
  isNew,
  newPrice,
  type PriceDraft,
  variantsOf,
  withDefault,
  withoutPrice,
  withPrice,
} from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';

const PriceSheet = lazyPart(() => import('./price-sheet.tsx').then((module) => module.PriceSheet));
const VariantSheet = lazyPart(() => import('./variant-sheet.tsx').then((module) => module.VariantSheet));

type PricesProps = PartProps & {
  /** Number of subscriptions by price ID. */
  readonly subscribers: ReadonlyMap<string, number>;
};

/** Lists prices by interval, with their variants and numbers of subscriptions. */
export function PricesPart({ draft, surroundings, onChange, subscribers }: PricesProps) {
  const { prices: words } = useWords('plan');
  const common = useWords('catalog');
  const [open, setOpen] = useState<string | null>(null);
  const bases = basePrices(draft);
  const used = new Set(bases.map(({ interval }) => interval));
  const opened = draft.prices.find(({ id }) => id === open);
  const add = (price: PriceDraft) => {
    onChange({ ...draft, prices: [...draft.prices, price] });
    setOpen(price.id);
  };
  const addVariant = (base: PriceDraft) =>
    add({
      ...base,
      id: `new:variant:${draft.prices.length}`,
      baseId: base.id,
      label: '',
      isDefault: false,
      typed: {},
      derived: [],
      markets: {},
    });
  const isInMoney =
    draft.model === 'balance' ||
    draft.prices.every(
      ({ includedCredits, includedBalance }) => includedCredits === null && includedBalance !== null,
    );
  const included = (price: PriceDraft) => {
    if (price.includedCredits !== null) return <Count value={price.includedCredits} />;
    if (price.includedBalance !== null) return <Rate rate={price.includedBalance} currency="usd" />;
    return <Text color="faint">–</Text>;
  };
  const close = () => setOpen(null);
  const remove = (id: string) => {
    close();
    onChange(withoutPrice(draft, id));
  };
  return (
    <Section
      title={words.title}
      description={words.text}
      actions={
        <Menu
          label={words.add}
          icon={<PlusIcon />}
          items={intervals
            .filter((interval) => !used.has(interval))
            .map((interval) => ({
              id: interval,
              label: common.intervals[interval],
              onAction: () => add(newPrice(draft, interval)),
            }))}
        />
      }
    >
      <Stack gap={3}>
        {bases.length === 0 && <Callout tone="warning">{words.empty}</Callout>}
        {bases.length > 0 && (
          <Card padding="none">
            <Table
              label={words.title}
              rows={bases.flatMap((base) => [base, ...variantsOf(draft, base.id)])}
              rowKey={({ id }) => id}
              columns={[
                {
                  id: 'interval',
                  title: words.interval,
                  cell: (price) => (
                    <Row gap={2}>
                      <Link onPress={() => setOpen(price.id)}>
                        {price.baseId === null
                          ? common.intervals[price.interval]
                          : words.variantOf({
                              name: price.label || words.unnamed,
                              interval: common.intervals[price.interval],
                            })}
                      </Link>
                      {price.isDefault && <Badge tone="info">{words.default}</Badge>}
                      {isNew(price) && <Badge tone="positive">{words.new}</Badge>}
                    </Row>
                  ),
                },
                {
                  id: 'price',
                  title: words.price,
                  align: 'end',
                  cell: ({ price, baseId }) =>
                    baseId === null ? (
                      <Money minor={price} currency="usd" />
                    ) : (
                      <Text color="faint">{words.byMarket}</Text>
                    ),
                },
                {
                  id: 'trial',
                  title: words.trial,
                  align: 'end',
                  priority: 'secondary',
                  cell: ({ trialDays, baseId }) =>
                    baseId !== null || trialDays === 0 ? (
                      <Text color="faint">–</Text>
                    ) : (
                      words.days({ count: trialDays })
                    ),
                },
                ...(draft.model === 'metered'
                  ? []
                  : [
                      {
                        id: 'included',
                        title: isInMoney ? words.balance : words.credits,
                        align: 'end' as const,
                        cell: included,
                      },
                    ]),
                {
                  id: 'subscribers',
                  title: words.subscriptions,
                  align: 'end',
                  cell: ({ id }) => <Count value={subscribers.get(id) ?? 0} />,
                },
                {
                  id: 'offer',
                  title: words.offer,
                  priority: 'secondary',
                  cell: ({ offerId }) =>
                    surroundings.offers.find(({ id }) => id === offerId)?.name ?? (
                      <Text color="faint">–</Text>
                    ),
                },
              ]}
            />
          </Card>
        )}
      </Stack>
      {opened !== undefined && opened.baseId === null && (
        <PriceSheet
          plan={draft}
          price={opened}
          offers={surroundings.offers}
          onClose={close}
          onChange={(changes) => onChange(withPrice(draft, opened.id, changes))}
          onDefault={() => onChange(withDefault(draft, opened.id))}
          onVariant={() => addVariant(opened)}
          onRemove={() => remove(opened.id)}
        />
      )}
      {opened !== undefined && opened.baseId !== null && (
        <VariantSheet
          plan={draft}
          variant={opened}
          markets={surroundings.markets}
          onClose={close}
          onChange={(changes) => onChange(withPrice(draft, opened.id, changes))}
          onRemove={() => remove(opened.id)}
        />
      )}
    </Section>
  );
}
