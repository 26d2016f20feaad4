import { useCallback, useMemo } from 'react';
import { amountText, decimalText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { Button } from '../../kit/button.tsx';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { Row } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { choiceField, namedField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useOpened } from '../../lists/use-open-item.ts';
import { useWords } from '../../words/words.ts';
import { outcomes, propertyPattern, usageVariables } from './list-variables.ts';
import { UsageEventsDocument, UsageFeaturesDocument, type UsageRowFragment } from './page.graphql';
import { UsageTabs } from './tabs.tsx';

const SendEvent = lazyPart(() => import('./send-event.tsx').then((module) => module.SendEvent));
const UsageTail = lazyPart(() => import('./live-events.tsx').then((module) => module.UsageTail));
const SeriesSheet = lazyPart(() => import('./series.tsx').then((module) => module.SeriesSheet));

/** Event types that add rows to the list. */
const liveKinds = ['usage_'] as const;

/** Lists usage events live, with a chart of one customer's usage, and a form that sends an event. */
export default function UsagePage() {
  const words = useWords('usage');
  const [, open] = useOpened();
  const { data } = useData(UsageFeaturesDocument, {});
  const features = useMemo(() => data?.features.nodes ?? [], [data]);
  const featureIds = useMemo(() => features.map(({ id }) => id), [features]);
  const variablesOf = useCallback(
    (_view: string, state: ListState, now: Date) => usageVariables(state, featureIds, now),
    [featureIds],
  );
  const details = useMemo(
    (): readonly FilterField[] => [
      namedField('feature', words.feature, features),
      choiceField('outcome', words.outcome, outcomes, words.outcomes),
      { id: 'model', label: words.model, kind: 'text', isExact: true },
      { id: 'property', label: words.property, kind: 'text', isExact: true, pattern: propertyPattern },
    ],
    [features, words],
  );
  const fields = useMemo(
    (): readonly FilterField[] => [...details, { id: 'time', label: words.time, kind: 'date' }],
    [details, words],
  );
  // The form is only available in the sandbox, because apps normally send usage with the API.
  const send = environment.get() === 'sandbox' && (
    <Button kind="primary" onPress={() => open('send')}>
      {words.send}
    </Button>
  );
  return (
    <ListPage
      name="usage"
      words={words}
      document={UsageEventsDocument}
      columns={useUsageColumns()}
      fields={fields}
      variablesOf={variablesOf}
      rowKey={({ id }) => id}
      live={liveKinds}
      tabs={<UsageTabs selected="events" />}
      emptyAction={send}
      actions={
        <Row>
          <Button onPress={() => open('tail')}>{words.tail.open}</Button>
          <Button onPress={() => open('chart')}>{words.chart}</Button>
          {send}
        </Row>
      }
      sheet={({ opened, close }) => {
        if (opened === 'tail') return <UsageTail fields={details} featureIds={featureIds} onClose={close} />;
        if (opened === 'chart') return <SeriesSheet features={features} onClose={close} />;
        return opened === 'send' && <SendEvent features={features} onClose={close} />;
      }}
    />
  );
}

/** Number of decimal places in a rate (10,000 = 1.00 in the currency). */
const balanceDecimals = 4;

/** Credits or balance amount that a usage event deducted. */
function Taken({ event: { consumption } }: { readonly event: UsageRowFragment }) {
  const { locale } = useKit();
  const words = useWords('usage');
  if (consumption === null) return <Text color="muted">{words.included}</Text>;
  if (consumption.blocked) return words.blocked;
  const text = (value: number) =>
    consumption.model === 'credits' ? countText(value, locale) : decimalText(value, balanceDecimals);
  const values = { amount: text(consumption.deducted), rest: text(consumption.remaining) };
  return consumption.model === 'credits' ? words.fromCredits(values) : words.fromBalance(values);
}

/** Number of tokens of each class. */
function Tokens({ event: { tokenCost } }: { readonly event: UsageRowFragment }) {
  const { locale } = useKit();
  const words = useWords('usage');
  const { classes } = useWords('models');
  if (tokenCost === null) return '–';
  return tokenCost.classes
    .map((one) => words.tokensOf({ kind: classes[one.class], count: countText(one.tokens, locale) }))
    .join(', ');
}

function useUsageColumns(): readonly GridColumn<UsageRowFragment>[] {
  const { locale } = useKit();
  const words = useWords('usage');
  return useMemo(
    () => [
      {
        id: 'customer',
        title: words.customer,
        width: 160,
        grow: 2,
        isRequired: true,
        phone: 'title',
        cell: ({ customer }) => (
          <Link kind="text" href={addressOf('customer', { id: customer.id })}>
            {customer.fullName || customer.email}
          </Link>
        ),
      },
      {
        id: 'feature',
        title: words.feature,
        width: 150,
        grow: 1,
        phone: 'line',
        cell: ({ feature }) => feature.name,
      },
      { id: 'taken', title: words.taken, width: 190, grow: 1, cell: (event) => <Taken event={event} /> },
      { id: 'model', title: words.model, width: 140, isShown: false, cell: ({ model }) => model ?? '–' },
      {
        id: 'tokens',
        title: words.tokens,
        width: 220,
        isShown: false,
        cell: (event) => <Tokens event={event} />,
      },
      {
        id: 'price',
        title: words.price,
        width: 120,
        align: 'end',
        isShown: false,
        cell: ({ tokenCost }) => (tokenCost === null ? '–' : amountText(tokenCost.total, 'usd', locale)),
      },
      {
        id: 'properties',
        title: words.properties,
        width: 180,
        isShown: false,
        cell: ({ properties }) =>
          properties.map(({ property, value }) => `${property}: ${value}`).join(', ') || '–',
      },
      {
        id: 'event',
        title: words.eventId,
        width: 150,
        isShown: false,
        cell: ({ eventId }) => eventId ?? '–',
      },
      { id: 'time', title: words.time, width: 205, cell: ({ ts }) => <DateTime at={ts} /> },
      {
        id: 'value',
        title: words.value,
        width: 100,
        align: 'end',
        phone: 'end',
        cell: ({ value }) => <Count value={value} />,
      },
    ],
    [words, locale],
  );
}
