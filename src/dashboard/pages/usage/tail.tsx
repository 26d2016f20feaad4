import { useState } from 'react';
import { addressOf } from '../../address.ts';
import { useLive } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import type { usage } from '../../words/en/usage.ts';
import { useWords } from '../../words/words.ts';
import { outcomes } from './list-variables.ts';
import { type UsageFeaturesQuery, type UsageRowFragment, UsageStreamDocument } from './page.graphql';

type Feature = UsageFeaturesQuery['features']['nodes'][number];

/** Rows the tail keeps; older ones are in the list. */
const mostRows = 100;

type Shown = { readonly rows: readonly UsageRowFragment[]; readonly leftOut: number };

const nothing: Shown = { rows: [], leftOut: 0 };

type TailProps = { readonly features: readonly Feature[]; readonly onClose: () => void };

/** Usage as it is recorded, the latest first, until it is paused. A flood is sampled, and says how much is not shown. */
export function UsageTail({ features, onClose }: TailProps) {
  const words = useWords<typeof usage>('usage');
  const [featureCode, setFeatureCode] = useState('');
  const [isPaused, setPaused] = useState(false);
  const [{ rows, leftOut }, setShown] = useState(nothing);
  const [outcome, setOutcome] = useState<(typeof outcomes)[number] | ''>('');
  const filter = {
    ...(featureCode !== '' && { featureCode }),
    ...(outcome !== '' && { outcomes: [outcome] }),
  };
  useLive(
    UsageStreamDocument,
    { filter },
    ({ usageStream }) =>
      setShown((before) => ({
        rows: [...usageStream.events.toReversed(), ...before.rows].slice(0, mostRows),
        leftOut: before.leftOut + usageStream.leftOut,
      })),
    { isPaused },
  );
  return (
    <Sheet isOpen onClose={onClose} title={words.tail.title} size="lg">
      <Stack gap={4}>
        <Row>
          <Select
            label={words.feature}
            value={featureCode}
            onChange={(value) => {
              setFeatureCode(value);
              setShown(nothing);
            }}
            options={[
              { value: '', label: words.tail.all },
              ...features.map(({ code, name }) => ({ value: code, label: name })),
            ]}
          />
          <Select
            label={words.outcome}
            value={outcome}
            onChange={(value) => {
              setOutcome(outcomes.find((each) => each === value) ?? '');
              setShown(nothing);
            }}
            options={[
              { value: '', label: words.tail.allOutcomes },
              ...outcomes.map((value) => ({ value, label: words.outcomes[value] })),
            ]}
          />
          <Button onPress={() => setPaused(!isPaused)}>
            {isPaused ? words.tail.resume : words.tail.pause}
          </Button>
        </Row>
        {isPaused && <Text color="muted">{words.tail.paused}</Text>}
        {leftOut > 0 && <Text color="muted">{words.tail.leftOut(leftOut)}</Text>}
        <Table
          label={words.tail.title}
          rows={rows}
          rowKey={({ id }) => id}
          empty={words.tail.waiting}
          columns={[
            { id: 'time', title: words.time, cell: ({ createdAt }) => <DateTime at={createdAt} /> },
            {
              id: 'customer',
              title: words.customer,
              cell: ({ customer }) => (
                <Link kind="text" href={addressOf('customer', { id: customer.id })}>
                  {customer.fullName || customer.email}
                </Link>
              ),
            },
            { id: 'feature', title: words.feature, cell: ({ feature }) => feature.name },
            { id: 'value', title: words.value, align: 'end', cell: ({ value }) => <Count value={value} /> },
          ]}
        />
      </Stack>
    </Sheet>
  );
}
